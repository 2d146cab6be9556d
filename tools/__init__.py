"""Programs that keep this repository in order; they are no part of the package."""
