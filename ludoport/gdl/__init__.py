"""Stanford's game description language: rulesheets read, checked, grounded, and compiled into kernels."""

from ludoport.gdl.rules import GdlRules, load_rules

__all__ = ["GdlRules", "load_rules"]
