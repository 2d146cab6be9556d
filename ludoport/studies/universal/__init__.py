"""One network for many games: what it knows about families of games that it has never seen."""
