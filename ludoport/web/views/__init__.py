"""Contents of the pages as plain data, without HTTP."""
