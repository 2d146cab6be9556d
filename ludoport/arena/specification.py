"""Players as text: ``uct:800,exploration=1.4`` is a kind, its main setting, and further settings by name."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ludoport.errors import LudoportError


@dataclass(frozen=True)
class Specification:
    """The parts of a player's text.

    Attributes:
        text: as it was written.
        kind: the word before the colon.
        main: the value after the colon that has no name, if any.
        settings: the values with names.
    """

    text: str
    kind: str
    main: str | None = None
    settings: dict[str, str] = field(default_factory=dict)

    def refuse(self, problem: str) -> LudoportError:
        """An error about this player."""
        return LudoportError(f"player `{self.text}`: {problem}")

    def named(self, main: str | None, names: Sequence[str]) -> Settings:
        """The settings, all by name.

        Args:
            main: the name of the setting that may be given without a name; None where nothing may.
            names: the names of the others.
        """
        known = [*([main] if main else []), *names]
        for name in self.settings:
            if name not in known:
                raise self.refuse(f"unknown setting `{name}`{near(name, known, 'settings are')}")
        values = dict(self.settings)
        if self.main is not None:
            if main is None:
                raise self.refuse(f"`{self.kind}` takes nothing after the colon")
            if main in values:
                raise self.refuse(f"`{main}` is given twice")
            values[main] = self.main
        return Settings(self, values)


@dataclass(frozen=True)
class Settings:
    """Settings by name, read as what they should be."""

    specification: Specification
    values: dict[str, str]

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def text(self, name: str, what: str) -> str:
        """A text that must be given."""
        if name not in self.values:
            raise self.specification.refuse(f"{what} is missing")
        return self.values[name]

    def integer(self, name: str, least: int | None = None) -> int | None:
        """A whole number, None if it is not given."""
        if name not in self.values:
            return None
        try:
            value = int(self.values[name].replace("_", ""))
        except ValueError:
            raise self._wrong(name, "a whole number") from None
        if least is not None and value < least:
            raise self._wrong(name, f"at least {least}")
        return value

    def number(self, name: str, above: float | None = None) -> float | None:
        """A number, None if it is not given; it must be greater than ``above``."""
        if name not in self.values:
            return None
        try:
            value = float(self.values[name])
        except ValueError:
            raise self._wrong(name, "a number") from None
        if not math.isfinite(value):
            raise self._wrong(name, "a finite number")
        if above is not None and not value > above:
            raise self._wrong(name, f"greater than {above:g}")
        return value

    def like(self, name: str, example: object) -> object:
        """A value of the type of the example; guessed from the text if that is None."""
        text = self.values[name]
        if isinstance(example, bool):
            if text.lower() not in ("true", "false"):
                raise self._wrong(name, "true or false")
            return text.lower() == "true"
        if isinstance(example, int):
            return self.integer(name)
        if isinstance(example, float):
            return self.number(name)
        if isinstance(example, str):
            return text
        return _guess(text)

    def _wrong(self, name: str, right: str) -> LudoportError:
        return self.specification.refuse(f"{name} must be {right}, not `{self.values[name]}`")


def read(text: str) -> Specification:
    """Take a player's text apart.

    Example:
        >>> read("uct:800,exploration=1.4")
        Specification(text='uct:800,exploration=1.4', kind='uct', main='800', settings={'exploration': '1.4'})
    """
    kind, _, rest = text.partition(":")
    plain = Specification(text, kind.strip())
    if not plain.kind:
        raise plain.refuse("its kind is missing; a player is written like `uct:800`")
    main: str | None = None
    settings: dict[str, str] = {}
    for number, part in enumerate(part.strip() for part in rest.split(",")) if ":" in text else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not part or (equals and not value):
            raise plain.refuse(
                f"the value of `{name}` is missing" if equals else "a comma or colon without a setting after it"
            )
        if not equals or not name.isidentifier():
            if number > 0:
                raise plain.refuse(f"`{part}` has no name; settings are written like `name=value`")
            main = part
        elif name in settings:
            raise plain.refuse(f"`{name}` is given twice")
        else:
            settings[name] = value
    return Specification(text, plain.kind, main, settings)


def write(kind: str, main: object = None, settings: dict[str, object] | None = None) -> str:
    """The text of a player; settings that are None are left out.

    Example:
        >>> write("uct", 800, {"exploration": 1.4, "rave": None})
        'uct:800,exploration=1.4'
    """
    parts = [] if main is None else [str(main)]
    for name, value in (settings or {}).items():
        if value is not None:
            parts.append(f"{name}={_written(value)}")
    return f"{kind}:{','.join(parts)}" if parts else kind


def _written(value: object) -> str:
    """A value, as short as it can be read again."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and float(f"{value:g}") == value:
        return f"{value:g}"
    return str(value)


def refuse_code(texts: Iterable[str], where: str, allow: str) -> None:
    """Refuse players that would run a Python file which a file names, not the user.

    Args:
        texts: players, as the file names them.
        where: the file.
        allow: how the user can name such a player, the end of the message.
    """
    for text in texts:
        if text.partition(":")[0].strip().lower() == "python":
            raise LudoportError(f"{where}: the player `{text[:200]}` would run a Python file; {allow}")


def near(name: str, known: Sequence[str], otherwise: str) -> str:
    """The end of a sentence about an unknown name: what was perhaps meant, or all that is known."""
    found = difflib.get_close_matches(name.lower(), known, 2, 0.5)
    if found:
        return f"; did you mean {' or '.join(f'`{other}`' for other in found)}?"
    return f"; {otherwise} {', '.join(f'`{other}`' for other in sorted(known))}" if known else ""


def _guess(text: str) -> object:
    """A value of the type that it looks like."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text
