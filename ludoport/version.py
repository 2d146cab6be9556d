"""The version of the package, which files that it writes state."""

__version__ = "0.1.0"
