"""Rulesheets whose grounding is too large: the rules themselves, compiled as a program for a small abstract machine."""
