"""The experiments of the papers, and new ones: resumable, with reports."""
