"""What all reports are made of: parts, pages, figures, tests."""
