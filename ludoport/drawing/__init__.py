"""Boards, pieces and moves as plain descriptions and as SVG pictures, for games of all languages."""

from ludoport.drawing.svg import draw

__all__ = ["draw"]
