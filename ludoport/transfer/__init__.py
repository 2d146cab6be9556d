"""What was learned about one game becomes knowledge about another: networks, search trees, value features.

The package itself can be called: ``lp.transfer(player, game)`` is ``ludoport.transfer.api.transfer``, whatever was
imported before.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *arguments: Any, **named: Any) -> Any:
        from ludoport.transfer.api import transfer

        return transfer(*arguments, **named)


sys.modules[__name__].__class__ = _Callable
