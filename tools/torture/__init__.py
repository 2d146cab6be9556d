"""Faults on purpose: hostile inputs, kills, full disks, clocks that jump, memory that ends, two processes at once.

Development only. Every finding is reproduced by its seed. See docs/torture.md for what was run.
"""
