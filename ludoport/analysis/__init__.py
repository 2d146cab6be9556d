"""Reports for people who design games: balance, length, draws, choices, leads, skill, first moves."""
