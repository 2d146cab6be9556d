"""What the pages show, as plain data; nothing here knows HTTP."""
