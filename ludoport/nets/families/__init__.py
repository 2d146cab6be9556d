"""The networks, one file each; a file in this folder is found without being listed."""
