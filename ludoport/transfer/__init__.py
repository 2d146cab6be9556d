"""Transfer of knowledge between games: networks, search trees, value features."""
