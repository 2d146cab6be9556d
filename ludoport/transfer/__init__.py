"""What was learned about one game becomes knowledge about another: networks, search trees, value features."""
