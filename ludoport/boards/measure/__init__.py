"""What is measured on a finished graph: outline, corners, sides, colours, coordinates, centre."""
