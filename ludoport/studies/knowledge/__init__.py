"""Three kinds of knowledge at equal compute: a tree, a network, and a tree distilled into a network."""
