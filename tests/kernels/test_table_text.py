"""Tables written as source are read back as they were, whatever their length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ludoport.kernels.table_text import LONG, UNPACKING, table_text


@pytest.mark.parametrize("length", [1, 900, LONG, LONG + 1, 50_000])
@pytest.mark.parametrize("kind", [np.int16, np.int32])
def test_tables_survive(length: int, kind: Any) -> None:
    table = np.random.default_rng(length).integers(-30_000, 30_000, length).astype(kind)
    text = table_text(table)
    namespace: dict[str, Any] = {}
    exec(f"{UNPACKING}\nimport numpy as np\nTABLE = {text}", namespace)
    read = namespace["TABLE"]
    assert read.dtype == table.dtype
    assert read.flags.writeable
    assert (read == table).all()
    assert ("b64decode" in text) == (length > LONG)
