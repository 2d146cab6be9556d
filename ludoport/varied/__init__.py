"""Small games varied by program: texts for networks that learn many games."""
