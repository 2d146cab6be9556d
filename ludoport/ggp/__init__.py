"""The general game playing protocol over HTTP: players, and the manager of matches between them."""
