"""Chess and Chessplus on boards of many sizes: one representation, one flag; the fast one up to 8x8.

>>> rules = chess_rules()
>>> start = rules.state_row(rules.variant.start)
>>> rules.coordinate_texts(start, rules.find(start, "Nf3"))
['g1f3']
"""

from ludoport.chess.fen import FenError, read_fen, write_fen
from ludoport.chess.frc import start_rank
from ludoport.chess.rules import ChessRules, chess_rules, named_rules
from ludoport.chess.variant import NAMED, ChessVariant, named_variant

__all__ = [
    "NAMED",
    "ChessRules",
    "ChessVariant",
    "FenError",
    "chess_rules",
    "named_rules",
    "named_variant",
    "read_fen",
    "start_rank",
    "write_fen",
]
