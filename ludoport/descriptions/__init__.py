"""Games as bags of tokens, read from their texts: what channels mean, and what the rules are."""
