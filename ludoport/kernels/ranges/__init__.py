"""Ranges of the expressions in kernels, and proofs that every index lies inside its array.

Kernels check nothing while they run, so this is settled when their text is written. The analysis goes through the text
of all functions of a module and computes, for every variable, the least and the greatest number that it can hold: over
all paths through a function, all calls of it, and everything that is ever written into a field of a row. An index
whose numbers lie inside its field is proved; the others are reported, and ``guards.py`` writes a test before them.

Numbers are pairs ``(low, high)``. Arithmetic that could leave 64 bits gives ``ANY``. What cannot be seen in pairs,
because it is a relation between variables (a queue that takes each site once never exceeds the number of sites), is
stated as a fact by the code that writes the text; ``LUDOPORT_BOUNDS=1`` tests facts and proofs while kernels run.
"""

from ludoport.kernels.ranges.analysis import Ranges
from ludoport.kernels.ranges.pairs import HUGE, Pair
from ludoport.kernels.ranges.shapes import AnalysedFunction, CellBlock, EntryTest, Shapes, Unproved

__all__ = ["HUGE", "AnalysedFunction", "CellBlock", "EntryTest", "Pair", "Ranges", "Shapes", "Unproved"]
