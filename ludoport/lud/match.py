"""Matching nodes to signatures, with backtracking, into the bound tree."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from ludoport.errors import LudError
from ludoport.lud.reader import Node
from ludoport.lud.signatures import (
    BOOL_TYPES,
    FLOAT_TYPES,
    INT_TYPES,
    INT_WORDS,
    Alternative,
    Language,
    Parameter,
    Signature,
    language,
)
from ludoport.lud.spelling import did_you_mean, nearest
from ludoport.lud.text import Sources
from ludoport.lud.tree import Ludeme, Text, Value, Word

LARGEST = 2**31 - 1
"""Most that a number in a game file can be."""

Number = TypeVar("Number", int, float)

_INT = re.compile(r"-?\d{1,400}\Z")
_MARKER = re.compile(r"<[A-Za-z]")
_FLOAT = re.compile(r"-?(?:\d+\.?\d*|\.\d+)\Z")


class _Failure:
    """The failure that got farthest in the text, with everything that was expected there."""

    def __init__(self) -> None:
        self.progress = -1
        self.origin = 0
        self.messages: list[str] = []
        self.hints: list[str] = []
        self.expected: list[tuple[Node, str, int]] = []

    def note(self, progress: int, origin: int, message: str) -> None:
        if self._reach(progress, origin) and message not in self.messages:
            self.messages.append(message)

    def hint(self, progress: int, origin: int, message: str) -> None:
        """Like `note`, for a message that names the right spelling and so is worth more than any other."""
        if self._reach(progress, origin) and message not in self.hints:
            self.hints.append(message)

    def expect(self, node: Node, type_: str, lists: int) -> None:
        if self._reach(node.start, node.origin):
            self.expected.append((node, type_, lists))

    def _reach(self, progress: int, origin: int) -> bool:
        if progress > self.progress:
            self.progress, self.origin = progress, origin
            self.messages.clear()
            self.hints.clear()
            self.expected.clear()
        return progress == self.progress


class Matcher:
    """Binds nodes to signatures.

    Args:
        sources: where the nodes come from.
        macros: names of the macros in reach, to help with misspelt ones.
    """

    def __init__(self, sources: Sources, macros: Iterable[str] = ()) -> None:
        self._sources = sources
        self._macros = macros
        self._language: Language = language()
        self._failure = _Failure()
        # A node is tried for the same parameter type by many alternatives; its meaning depends on nothing else.
        self._known: dict[tuple[int, str, int], Value | None] = {}

    def match(self, node: Node, type_: str) -> Ludeme:
        """Bind a whole text.

        Args:
            node: the outermost node.
            type_: what it must fit, ``Game`` or ``Match``.

        Raises:
            LudError: something in it is misspelt or does not fit.
        """
        self._check_keywords(node)
        value = self._value(node, type_, 0)
        if isinstance(value, Ludeme):
            return value
        raise self._explain()

    # -- keywords ------------------------------------------------------------------------------------------------

    def _check_keywords(self, root: Node) -> None:
        """Find misspelt keywords first: with one of those no alternative could say anything helpful."""
        stack = [root]
        while stack:
            node = stack.pop()
            if node.shape == "(":
                self._check_keyword(node)
            elif node.shape == "w" and _MARKER.match(node.text):
                raise self._sources.error(f"no option fills the marker `{node.text}`", node.origin)
            stack.extend(reversed(node.children))

    def _check_keyword(self, node: Node) -> None:
        head = node.children[0]
        if head.shape == '"':
            hint = did_you_mean(head.text, self._macros)
            raise self._sources.error(f'there is no macro "{head.text}"{hint}', head.origin)
        if head.shape != "w" or head.label is not None:
            raise self._sources.error("a keyword must follow this parenthesis", node.origin)
        if head.text not in self._language.heads:
            hint = did_you_mean(head.text, self._language.heads)
            raise self._sources.error(f"unknown ludeme `{head.text}`{hint}", head.origin)

    # -- values --------------------------------------------------------------------------------------------------

    def _value(self, node: Node, type_: str, lists: int) -> Value | None:
        """The meaning of a node as a parameter of a type, or None if it has none."""
        key = (id(node), type_, lists)
        if key in self._known:
            return self._known[key]
        if lists:
            value = self._list(node, type_, lists)
        elif node.shape == "(":
            value = self._ludeme(node, type_)
        else:
            value = self._atom(node, type_)
            if value is None:
                self._failure.expect(node, type_, 0)
        self._known[key] = value
        return value

    def _list(self, node: Node, type_: str, lists: int) -> Value | None:
        if node.shape != "{":
            self._failure.expect(node, type_, lists)
            return None
        values: list[Value] = []
        for child in node.children:
            if child.label is not None:
                self._failure.note(child.start, child.label_origin, f"`{child.label}:` has no place in a list")
                return None
            value = self._value(child, type_, lists - 1)
            if value is None:
                return None
            values.append(value)
        return values

    def _atom(self, node: Node, type_: str) -> Value | None:
        text = node.text
        if node.shape == '"':
            return Text(text, self._sources.source(node.origin)) if type_ == "String" else None
        if node.shape != "w":
            return None
        if type_ in INT_TYPES:
            return self._within(int(text), node) if _INT.match(text) else INT_WORDS.get(text)
        if type_ in FLOAT_TYPES:
            return self._within(float(text), node) if _FLOAT.match(text) else INT_WORDS.get(text)
        if type_ in BOOL_TYPES:
            return {"true": True, "false": False}.get(text.lower())
        enum = self._language.enum_of(type_, text)
        return Word(text, enum, self._sources.source(node.origin)) if enum else None

    def _within(self, value: Number, node: Node) -> Number:
        """A number, if it is one of the language: its integers have 32 bits."""
        if not abs(value) <= LARGEST:
            raise self._sources.error(f"the number `{node.text[:40]}` is beyond {LARGEST:,}", node.origin)
        return value

    # -- ludemes -------------------------------------------------------------------------------------------------

    def _ludeme(self, node: Node, type_: str) -> Ludeme | None:
        head = node.children[0].text
        fitting = False
        second = node.children[1] if len(node.children) > 1 else None
        if second is not None and second.shape == "w" and second.label is None:
            # `(forEach piece)` is read like `(forEach Piece)`.
            word = second.text[0].upper() + second.text[1:]
            for signature in self._language.by_keyword.get(f"{head} {word}", ()):
                if type_ in signature.fits:
                    fitting = True
                    found = self._signature(node, signature, 2)
                    if found is not None:
                        return found
        for signature in self._language.by_keyword.get(head, ()):
            if type_ in signature.fits:
                fitting = True
                found = self._signature(node, signature, 1)
                if found is not None:
                    return found
        self._note_second(node, head, second, type_, fitting)
        return None

    def _note_second(self, node: Node, head: str, second: Node | None, type_: str, fitting: bool) -> None:
        """Say whether the second word is wrong, or the ludeme is of another kind than wanted."""
        words = [
            word
            for word in self._language.heads[head]
            if any(type_ in signature.fits for signature in self._language.by_keyword[f"{head} {word}"])
        ]
        if second is not None and second.shape == "w" and second.label is None:
            near = nearest(second.text, words)
            if words and near != second.text and (near or not fitting):
                note = self._failure.hint if near else self._failure.note
                tail = f"; did you mean `{near}`?" if near else ""
                note(second.start, second.origin, f"`{head}` has no `{second.text}`{tail}")
        elif words and not fitting:
            self._failure.note(node.start + 1, node.origin, f"`{head}` needs a second word such as `{words[0]}`")
        if not words and not fitting:
            self._failure.expect(node, type_, 0)

    def _signature(self, node: Node, signature: Signature, skip: int) -> Ludeme | None:
        arguments = node.children[skip:]
        for alternative in signature.alternatives:
            chosen = self._fit(node, arguments, alternative, signature)
            if chosen is None:
                continue
            args: dict[str, Value] = {}
            for argument, parameter in zip(arguments, chosen, strict=True):
                value = self._value(argument, parameter.type, parameter.lists)
                assert value is not None
                args[parameter.name] = value
            source = self._sources.source(node.origin)
            return Ludeme(signature.kind, signature.keyword, args, source, alternative.index)
        return None

    def _fit(
        self, node: Node, arguments: list[Node], alternative: Alternative, signature: Signature
    ) -> list[Parameter] | None:
        """The parameters that the arguments fill, earliest slots first, or None.

        An explicit stack of slots stands for the recursion: the search goes back when an argument finds no slot.
        """
        parameters = alternative.parameters
        slots: list[int] = []
        slot = 0
        while True:
            if len(slots) == len(arguments):
                if self._complete(node, slots, alternative, signature):
                    return [parameters[index] for index in slots]
                found = -1
            else:
                found = self._next_slot(arguments[len(slots)], parameters, slots, slot)
            if found >= 0:
                slots.append(found)
                slot = found + 1
                continue
            if len(slots) < len(arguments):
                self._note_unplaced(node, arguments[len(slots)], parameters, signature)
            if not slots:
                return None
            slot = slots.pop() + 1

    def _next_slot(self, argument: Node, parameters: tuple[Parameter, ...], slots: list[int], slot: int) -> int:
        """The first slot from ``slot`` on that can take the argument, or -1."""
        # Passing over a parameter that must be given is never allowed, not even on the way back.
        first = slots[-1] + 1 if slots else 0
        if any(not parameter.skippable for parameter in parameters[first:slot]):
            return -1
        taken = {parameters[index].group for index in slots}
        for index in range(slot, len(parameters)):
            parameter = parameters[index]
            label = parameter.name if parameter.named else None
            if (
                argument.label == label
                and (parameter.group == 0 or parameter.group not in taken)
                and self._value(argument, parameter.type, parameter.lists) is not None
            ):
                return index
            if not parameter.skippable:
                return -1
        return -1

    def _complete(self, node: Node, slots: list[int], alternative: Alternative, signature: Signature) -> bool:
        """Whether nothing that must be given is missing."""
        given = set(slots)
        groups = {alternative.parameters[index].group for index in slots}
        for index, parameter in enumerate(alternative.parameters):
            if index in given or parameter.optional or (parameter.group and parameter.group in groups):
                continue
            wanted = self._language.spoken(parameter.type, parameter.lists)
            name = f"`{parameter.name}:` ({wanted})" if parameter.named else f"{wanted} ({parameter.name})"
            self._failure.note(node.end - 1, node.origin, f"`{signature.keyword}` lacks {name}")
            return False
        return True

    def _note_unplaced(
        self, node: Node, argument: Node, parameters: tuple[Parameter, ...], signature: Signature
    ) -> None:
        """Say why an argument has no slot, if its label or its mere presence is the reason."""
        labels = [parameter.name for parameter in parameters if parameter.named]
        keyword = signature.keyword
        if argument.label is not None and argument.label not in labels:
            near = nearest(argument.label, (parameter.name for parameter in parameters))
            hint = f"; did you mean `{near}{':' if near in labels else ''}`?" if near else ""
            if near and near not in labels:
                hint = f"; `{near}` is written without its name"
            self._failure.note(
                argument.start, argument.label_origin, f"`{keyword}` takes no argument `{argument.label}:`{hint}"
            )
        elif argument.label is not None and not self._tried(argument, parameters):
            self._failure.note(
                argument.start, argument.label_origin, f"`{argument.label}:` stands at the wrong place in `{keyword}`"
            )
        elif argument.label is None and all(parameter.named for parameter in parameters):
            what = "only arguments with a label" if parameters else "no arguments"
            self._failure.note(argument.start, argument.origin, f"`{keyword}` takes {what}")
        elif self._fits_some(argument, parameters):
            self._failure.note(argument.start, argument.origin, f"`{keyword}` cannot take this argument here")

    def _tried(self, argument: Node, parameters: tuple[Parameter, ...]) -> bool:
        return any(
            (id(argument), parameter.type, parameter.lists) in self._known
            for parameter in parameters
            if parameter.named and parameter.name == argument.label
        )

    def _fits_some(self, argument: Node, parameters: tuple[Parameter, ...]) -> bool:
        return any(
            argument.label == (parameter.name if parameter.named else None)
            and self._known.get((id(argument), parameter.type, parameter.lists)) is not None
            for parameter in parameters
        )

    # -- what went wrong -----------------------------------------------------------------------------------------

    def _explain(self) -> LudError:
        failure = self._failure
        if failure.hints:
            message = failure.hints[0]
        elif failure.expected:
            message = self._explain_expected(failure.expected)
        else:
            message = ", or ".join(failure.messages[:3]) or "this does not fit"
        return self._sources.error(message, failure.origin)

    def _explain_expected(self, expected: list[tuple[Node, str, int]]) -> str:
        node = expected[0][0]
        names: dict[str, None] = {}
        words: list[str] = []
        for _, type_, lists in expected:
            names.setdefault(self._language.spoken(type_, lists))
            words.extend(self._language.words_of(type_))
        shown = {"(": f"`({node.children[0].text} ...)`" if node.children else "`()`", "{": "a list `{...}`"}
        found = shown.get(node.shape) or (f'"{node.text}"' if node.shape == '"' else f"`{node.text}`")
        hint = ""
        if node.shape == "w" and node.text[0].isalpha() and node.text not in words:
            hint = did_you_mean(node.text, words)
        wanted = list(names)
        listing = ", ".join(wanted[:-1]) + " or " + wanted[-1] if len(wanted) > 1 else wanted[0]
        return f"expected {listing}, found {found}{hint}"
