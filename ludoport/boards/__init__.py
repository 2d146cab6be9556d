"""Boards as graphs of sites: how they are built from a description, measured, walked and drawn."""

from ludoport.boards.board import Board, BoardOptions, Loop, facing_directions
from ludoport.boards.build import build_board, build_graph
from ludoport.boards.draw_text import draw_text
from ludoport.boards.graph import Graph
from ludoport.boards.limits import MAX_SITES
from ludoport.boards.radials import Radial
from ludoport.boards.sites import Sites

__all__ = [
    "MAX_SITES",
    "Board",
    "BoardOptions",
    "Graph",
    "Loop",
    "Radial",
    "Sites",
    "build_board",
    "build_graph",
    "draw_text",
    "facing_directions",
]
