"""Functions that make graphs out of dimensions."""
