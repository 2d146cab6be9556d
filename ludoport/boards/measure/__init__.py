"""Measures of a finished graph: outline, corners, sides, colours, coordinates, centre."""
