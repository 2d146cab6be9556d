"""Knowledge about one game becomes knowledge about another: channels are mapped, networks carried over."""
