"""Fields of a row, and the code that reads and updates them."""
