"""Options and rulesets: parts of a game text that offer a choice, and the substitution of what was chosen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ludoport.errors import LudError
from ludoport.lud.brackets import STRING, closing, cut_blocks, outside_strings, skip_blanks
from ludoport.lud.spelling import did_you_mean
from ludoport.lud.text import Sources, Traced
from ludoport.lud.tree import Item, Option, Ruleset

_STRING = re.compile(STRING, re.DOTALL)
_STARS = re.compile(r"\s*(\**)")
_MAX_ROUNDS = 50
_MAX_LENGTH = 2_000_000


@dataclass(slots=True)
class _Category:
    """An option of the text: the public record, and the traced texts to substitute."""

    option: Option
    texts: list[list[Traced]]


class _Cursor:
    """Reads an option block from left to right."""

    def __init__(self, text: Traced, sources: Sources) -> None:
        self.text = text
        self.sources = sources
        self.position = 0

    def peek(self) -> str:
        self.position = skip_blanks(self.text.text, self.position)
        return self.text.text[self.position : self.position + 1]

    def expect(self, word: str) -> None:
        if self.peek() == "" or not self.text.text.startswith(word, self.position):
            raise self.error(f"expected `{word}` here")
        self.position += len(word)

    def string(self) -> str:
        self.peek()
        found = _STRING.match(self.text.text, self.position)
        if found is None:
            raise self.error("expected a quoted string here")
        self.position = found.end()
        return found[0][1:-1]

    def angle(self) -> Traced:
        """The text between ``<`` and the first ``>`` that is not directly after a parenthesis."""
        self.expect("<")
        start = end = self.position
        text = self.text.text
        while True:
            end = text.find(">", end)
            if end < 0:
                raise self.error("this `<` is never closed")
            if text[end - 1] != "(":
                break
            end += 1
        self.position = end + 1
        return self.text.cut(start, end).strip()

    def stars(self) -> int:
        found = _STARS.match(self.text.text, self.position)
        if found is None or not found[1]:
            return 0
        self.position = found.end()
        return len(found[1])

    def error(self, message: str) -> LudError:
        return self.sources.error(message, self.text.at[min(self.position, len(self.text) - 1)])


def _read_option(block: Traced, sources: Sources) -> _Category:
    cursor = _Cursor(block, sources)
    cursor.expect("(")
    cursor.expect("option")
    heading = cursor.string()
    tag = cursor.angle().text
    cursor.expect("args:")
    cursor.expect("{")
    names: list[str] = []
    while cursor.peek() == "<":
        names.append(cursor.angle().text)
    cursor.expect("}")
    cursor.expect("{")
    option = Option(heading, tag, names, [])
    texts: list[list[Traced]] = []
    while cursor.peek() == "(":
        item, values = _read_item(cursor)
        option.items.append(item)
        texts.append(values)
    cursor.expect("}")
    cursor.expect(")")
    if not option.items:
        raise sources.error(f'the option "{heading}" has no items', block.at[0])
    return _Category(option, texts)


def _read_item(cursor: _Cursor) -> tuple[Item, list[Traced]]:
    cursor.expect("(")
    cursor.expect("item")
    label = cursor.string()
    values: list[Traced] = []
    while cursor.peek() == "<":
        values.append(cursor.angle())
    description = cursor.string() if cursor.peek() == '"' else ""
    cursor.expect(")")
    return Item(label, [value.text for value in values], description, cursor.stars()), values


def _cut_options(text: Traced, sources: Sources) -> tuple[Traced, list[_Category]]:
    """Like `cut_blocks`, but reads each option to find its end: item texts need not balance."""
    rest: list[Traced] = []
    categories: list[_Category] = []
    start = 0
    for found in outside_strings(text.text, r"\(\s*option\b"):
        if found.start() < start:
            continue
        end = closing(text, found.start(), sources) + 1
        rest.append(text.cut(start, found.start()))
        categories.append(_read_option(text.cut(found.start(), end), sources))
        start = end
    rest.append(text.cut(start, len(text)))
    return Traced.join(rest), categories


def _read_rulesets(blocks: list[Traced], sources: Sources) -> list[Ruleset]:
    rulesets: list[Ruleset] = []
    for block in blocks:
        for found in outside_strings(block.text, r"\(\s*ruleset\b"):
            end = closing(block, found.start(), sources)
            stars = _STARS.match(block.text, end + 1)
            body = block.text[found.end() : end]
            # Variations list alternatives to the selection; they are not part of it.
            variations = re.search(r"variations\s*:", body)
            strings = [
                match[0][1:-1] for match in _STRING.finditer(body, 0, variations.start() if variations else len(body))
            ]
            if strings:
                rulesets.append(Ruleset(strings[0], strings[1:], len(stars[1]) if stars else 0))
    return rulesets


def _default(option: Option) -> int:
    best = max(item.priority for item in option.items)
    return next(index for index, item in enumerate(option.items) if item.priority == best)


def _select(categories: list[_Category], chosen: Sequence[str], weak: Sequence[str]) -> None:
    """Set the chosen item of every category; ``weak`` choices yield to ``chosen`` ones of the same category."""
    known = {
        f"{category.option.heading}/{item.label}": (number, index)
        for number, category in reversed(list(enumerate(categories)))
        for index, item in reversed(list(enumerate(category.option.items)))
    }
    for category in categories:
        category.option.chosen = _default(category.option)
    for strings in (weak, chosen):
        by_category: dict[int, str] = {}
        for string in strings:
            if string not in known:
                raise LudError(f'unknown option "{string}"{_hint(string, list(known), categories)}')
            number, index = known[string]
            earlier = by_category.setdefault(number, string)
            if earlier != string:
                raise LudError(f'the options "{earlier}" and "{string}" exclude each other')
            categories[number].option.chosen = index


def _hint(string: str, known: list[str], categories: list[_Category]) -> str:
    """What could be meant by an unknown option, or what there is."""
    if not known:
        return "; this game has no options"
    meant = [option for option in known if option.rpartition("/")[2].casefold() == string.casefold()]
    if meant:
        return f"; did you mean {' or '.join(f'`{option}`' for option in sorted(meant))}?"
    listed = "; ".join(
        f"{category.option.heading}/{', '.join(item.label for item in category.option.items)}"
        for category in categories
    )
    return did_you_mean(string, known) or f"; options are {listed}"


def _find_ruleset(rulesets: list[Ruleset], name: str) -> Ruleset:
    for ruleset in rulesets:
        if name in (ruleset.heading, ruleset.heading.removeprefix("Ruleset/")):
            if not ruleset.selections:
                raise LudError(f'the ruleset "{name}" is only named in this game text, not written out')
            return ruleset
    hint = did_you_mean(name, [ruleset.heading for ruleset in rulesets]) if rulesets else "; this game has no rulesets"
    raise LudError(f'unknown ruleset "{name}"{hint}')


def _substitute(text: Traced, categories: list[_Category], sources: Sources) -> Traced:
    fills: dict[str, Traced] = {}
    for category in categories:
        option = category.option
        values = category.texts[option.chosen]
        for index, value in enumerate(values[: len(option.argument_names)]):
            fills.setdefault(f"<{option.tag}:{option.argument_names[index]}>", value)
        if values:
            fills.setdefault(f"<{option.tag}>", values[0])
    if not fills:
        return text
    # A value may hold markers of other options, hence the rounds.
    pattern = re.compile("|".join(re.escape(marker) for marker in fills))
    for _ in range(_MAX_ROUNDS):
        parts: list[Traced] = []
        start = 0
        for found in pattern.finditer(text.text):
            parts += [text.cut(start, found.start()), fills[found[0]]]
            start = found.end()
        if not parts:
            return text
        parts.append(text.cut(start, len(text)))
        if sum(map(len, parts)) > _MAX_LENGTH:
            break
        text = Traced.join(parts)
    raise LudError("the options of this game text refer to each other without end")


def apply_options(
    text: Traced, chosen: Sequence[str], ruleset: str | None, sources: Sources
) -> tuple[Traced, list[Option], list[Ruleset], str | None]:
    """Take options and rulesets out of the text and put in what was chosen.

    Args:
        text: the text without comments.
        chosen: ``Category/Item`` strings; every other category takes its default.
        ruleset: the name of a ruleset, whose selections apply where ``chosen`` says nothing.
        sources: where the text comes from, for errors.

    Returns:
        The text, the options (``chosen`` set), the rulesets, and the heading of the ruleset in force, if any.

    Raises:
        LudError: an option or ruleset is unknown, or the blocks are written wrongly.
    """
    rest, categories = _cut_options(text, sources)
    rest, blocks = cut_blocks(rest, "rulesets", sources)
    rulesets = _read_rulesets(blocks, sources)
    picked = _find_ruleset(rulesets, ruleset) if ruleset is not None else None
    _select(categories, chosen, picked.selections if picked else ())
    options = [category.option for category in categories]
    active = {f"{option.heading}/{option.items[option.chosen].label}" for option in options}
    if picked is None:
        picked = next((r for r in rulesets if r.selections and active.issuperset(r.selections)), None)
    return _substitute(rest, categories, sources), options, rulesets, picked.heading if picked else None
