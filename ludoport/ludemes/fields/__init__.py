"""What a row holds, and the code that reads it and keeps it up to date."""
