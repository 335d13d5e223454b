"""Documents: a YAML file as plain values that remember their line and column.

The only file that knows ruamel. It reads a plain subset of YAML (mappings, lists, text, exact
numbers, booleans, null) event by event, so that a hostile file is refused before it costs anything
and every mistake of a file is found in one reading.
A mistake is a `Fault`: a code and facts at a place; `problems` turns it into a French sentence.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML, events
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from generator import syntax
from generator.files import CONTROL, Fault, read_text

type Value = dict[str, Value] | list[Value] | str | int | Fraction | bool | None

MAX_DEPTH = 30
MAX_DIGITS = 30
# A file that holds more values than this is split; so that none is long to check.
MAX_VALUES = 50_000
# A file with more faults than this is not read further.
MAX_FAULTS = 500

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\.[0-9]+")
# What YAML readers take for a number in ways that surprise an author: 010, 1e3, 0x1F, 1_000, .5, .inf
ODD_NUMBER = re.compile(
    r"[-+]?(?:0[0-9]+(?:\.[0-9]*)?|\.[0-9]+|[0-9]+\.|[0-9]*\.?[0-9]+[eE][-+]?[0-9]+|0[xXoObB][0-9a-fA-F]+"
    r"|[0-9]+(?:_[0-9]+)+(?:\.[0-9]+)?|\.(?:inf|Inf|INF|nan|NaN|NAN))"
)
# An unbreakable space in a key, which shows nowhere.
HARD_SPACE = re.compile(r"[\u00a0\u202f]")
STARTS_NUMBER = frozenset("+-.0123456789")


class Mark(NamedTuple):
    """Where a value starts, counted from 0, and where what it holds and its keys start."""

    line: int
    column: int
    inside: Any = None
    keys: dict[str, tuple[int, int]] | None = None


START = Mark(0, 0)


@dataclass(frozen=True, slots=True)
class Document:
    """What one file says: *value* is None when it cannot be read; *faults* says why or what else is wrong.

    *refused* holds the paths of what the reader did not take as it is written, *doubled* those of keys written twice.
    """

    path: str
    value: Value = None
    mark: Mark = START
    source: str = field(default="", repr=False)
    faults: tuple[Fault, ...] = ()
    refused: frozenset[tuple[str | int, ...]] = frozenset()
    doubled: frozenset[tuple[str | int, ...]] = frozenset()

    def at(self, *path: str | int) -> tuple[int, int]:
        """Give the line and column, from 1, of the value at *path*, or of the nearest value above it."""
        mark = self._mark(path)
        return mark.line + 1, mark.column + 1

    def key_at(self, *path: str | int) -> tuple[int, int]:
        """Give the line and column, from 1, of the key that ends *path*, or of what is nearest above it."""
        while path:
            above = self._mark(path[:-1])
            if above.keys and path[-1] in above.keys:
                line, column = above.keys[path[-1]]
                return line + 1, column + 1
            if above.inside and not above.keys and path[-1] in range(len(above.inside)):
                break
            path = path[:-1]
        return self.at(*path)

    def inside(self, path: tuple[str | int, ...], offset: int) -> tuple[int, int]:
        """Give the line and column, from 1, of the character *offset* of the text at *path*.

        The text is followed through the source, past quotes, folds and block markers;
        where an escape hides the characters, the start of the text is given.
        """
        text = self.value_at(path)
        if not isinstance(text, str):
            return self.key_at(*path)
        mark = self._mark(path)
        return syntax.follow(self.source, mark.line, mark.column, text, offset)

    def rename(self, path: tuple[str | int, ...], name: str) -> None:
        """Read on as if the last key of *path* were *name*; its place stays."""
        mark = self._mark(path[:-1])
        for held in (self.value_at(path[:-1]), mark.inside, mark.keys):
            items = [(name if key == path[-1] else key, item) for key, item in held.items()]
            held.clear()
            held.update(items)

    def replace(self, path: tuple[str | int, ...], value: Value) -> None:
        """Read on as if *value* stood at *path*."""
        self.value_at(path[:-1])[path[-1]] = value

    def remove(self, path: tuple[str | int, ...]) -> None:
        """Read on as if nothing stood at *path*."""
        for held in (self.value_at(path[:-1]), self._mark(path[:-1]).inside):
            if isinstance(held, dict):
                held.pop(path[-1], None)
            elif isinstance(held, list):
                del held[path[-1]]

    def value_at(self, path: tuple[str | int, ...]) -> Any:
        """Give the value at *path*, or None when nothing stands there."""
        value: Any = self.value
        for step in path:
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return None
        return value

    def _mark(self, path: tuple[str | int, ...]) -> Mark:
        mark = self.mark
        for step in path:
            try:
                mark = mark.inside[step]
            except (KeyError, IndexError, TypeError):
                break
        return mark


def read(path: Path, root: Path) -> Document:
    """Read the YAML file *path* of the folder *root*; what is wrong with it is in `faults`, nothing is raised."""
    name = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
    text, faults = read_text(path, root)
    if faults:
        return Document(name, source=text, faults=faults)
    reader = _Reader()
    try:
        reader.read(text)
    except _Stop:
        return Document(name, source=text, faults=tuple(reader.faults))
    except MarkedYAMLError as error:
        fault = Fault(*syntax.explain(text, _place(error.context_mark), _place(error.problem_mark), error.context or "", error.problem or ""))
        # The reader may have met it before the parser was lost.
        met = any(other[:3] == fault[:3] for other in reader.faults)
        return Document(name, source=text, faults=tuple(reader.faults) if met else (*reader.faults, fault))
    except YAMLError:
        return Document(name, source=text, faults=(*reader.faults, Fault(1, 1, "yaml-syntax", {"found": ""})))
    return Document(name, reader.value, reader.mark, text, tuple(reader.faults), frozenset(reader.refused), frozenset(reader.doubled))


def _place(mark: Any) -> tuple[int, int] | None:
    return (mark.line, mark.column) if mark else None


class _Stop(Exception):
    """The file is refused as a whole; its fault is already noted."""


class _Reader:
    """Values and marks built from parser events with a stack of our own, so that depth is ours to bound."""

    def __init__(self) -> None:
        self.value: Value = None
        self.mark = START
        self.faults: list[Fault] = []
        self.refused: list[tuple[str | int, ...]] = []
        self.doubled: list[tuple[str | int, ...]] = []
        # One entry per open collection: its value, its marks, its keys' marks (None for a list), flow style, waiting key, path.
        self.stack: list[list[Any]] = []

    def fault(self, mark: Any, code: str, **facts: Any) -> None:
        """Note a fault of the value being read, or of the mapping whose key is being read."""
        self._note(mark, code, facts)
        self.refused.append(self._path())

    def _note(self, mark: Any, code: str, facts: dict[str, Any]) -> None:
        if len(self.faults) == MAX_FAULTS:
            self.faults.append(Fault(mark.line + 1, mark.column + 1, "too-many", {"most": MAX_FAULTS}))
            raise _Stop
        self.faults.append(Fault(mark.line + 1, mark.column + 1, code, facts))

    def _path(self) -> tuple[str | int, ...]:
        if not self.stack:
            return ()
        value, _, keys, _, waiting, above = self.stack[-1]
        return (*above, len(value)) if keys is None else (*above, waiting) if isinstance(waiting, str) else above

    def read(self, text: str) -> None:
        documents = 0
        stack = self.stack
        top: list[Any] | None = None
        values = 0
        skipped = 0  # how deep we are inside something already refused (a complex key, a duplicate)
        for event in YAML(typ="safe").parse(text):
            kind = type(event)
            values += 1
            if values > MAX_VALUES:
                self.fault(event.start_mark, "too-many-values", most=MAX_VALUES)
                raise _Stop
            if kind is events.ScalarEvent:
                if skipped:
                    continue
                if top is not None and top[2] is not None and top[4] is None:
                    top[4] = self._key(event, top)
                    continue
                value = self._scalar(event, top)
                self._add(top, value, Mark(event.start_mark.line, event.start_mark.column))
            elif kind is events.MappingStartEvent or kind is events.SequenceStartEvent:
                self._plain(event)
                if len(stack) + skipped >= MAX_DEPTH:
                    self.fault(event.start_mark, "too-deep", depth=MAX_DEPTH)
                    raise _Stop
                if skipped or (top is not None and top[2] is not None and top[4] is None):
                    if not skipped:
                        self.fault(event.start_mark, "key-not-text", found="…")
                    skipped += 1
                    continue
                value, inside, keys = ({}, {}, {}) if kind is events.MappingStartEvent else ([], [], None)
                path = self._path()
                self._add(top, value, Mark(event.start_mark.line, event.start_mark.column, inside, keys))
                top = [value, inside, keys, event.flow_style, None, path]
                stack.append(top)
            elif kind is events.MappingEndEvent or kind is events.SequenceEndEvent:
                if skipped:
                    skipped -= 1
                    if not skipped and top is not None:
                        top[4] = _REFUSED
                    continue
                stack.pop()
                top = stack[-1] if stack else None
            elif kind is events.AliasEvent:
                self.fault(event.start_mark, "yaml-alias", name=event.anchor)
                if not skipped:
                    if top is not None and top[2] is not None and top[4] is None:
                        top[4] = _REFUSED
                    else:
                        self._add(top, None, Mark(event.start_mark.line, event.start_mark.column))
            elif kind is events.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    self.fault(event.start_mark, "yaml-documents")
                    raise _Stop
        if documents == 0:
            self.faults.append(Fault(1, 1, "empty-file", {}))

    def _plain(self, event: Any) -> None:
        if event.anchor is not None:
            self.fault(event.start_mark, "yaml-anchor", name=event.anchor)
        if event.tag is not None:
            self.fault(event.start_mark, "yaml-tag", name=event.tag.replace("tag:yaml.org,2002:", "!!"))

    def _key(self, event: Any, top: list[Any]) -> Any:
        self._plain(event)
        text, mark = event.value, event.start_mark
        if event.implicit[0]:
            hard = HARD_SPACE.search(text)
            if hard:
                self.fault(Mark(mark.line, mark.column + hard.start()), "yaml-hard-space")
                return _REFUSED
            if text == "<<":
                self.fault(mark, "yaml-merge")
                return _REFUSED
            if not isinstance(self._resolve(text, mark), str):
                start = self._whole_before(mark, top) if text.isdecimal() else None
                if start is None:
                    self.fault(mark, "key-not-text", found=text)
                else:
                    whole = next(reversed(top[0].values()))
                    self.fault(start, "decimal-comma", found=f"{whole},{text}", number=f"{whole}.{text}")
                return _REFUSED
        if text in top[2]:
            self._note(mark, "duplicate-key", {"key": text, "line": top[2][text][0] + 1})
            # A key written again because nothing stood after the first is not also without a value.
            (self.refused if top[0].get(text) is None else self.doubled).append((*top[5], text))
            return _REFUSED
        top[2][text] = (mark.line, mark.column)
        return text

    def _whole_before(self, mark: Any, top: list[Any]) -> Mark | None:
        """Return where the whole number starts that ends just before the comma before *mark*: in 12,5 YAML reads two values."""
        value, start = next(reversed(top[0].values()), None), next(reversed(top[1].values()), START)
        touches = type(value) is int and start.line == mark.line and start.column + len(str(value)) + 1 == mark.column
        return start if touches else None

    def _add(self, top: list[Any] | None, value: Value, mark: Mark) -> None:
        if top is None:
            self.value, self.mark = value, mark
        elif top[2] is None:
            top[0].append(value)
            top[1].append(mark)
        else:
            key, top[4] = top[4], None
            if key is not _REFUSED:
                top[0][key] = value
                top[1][key] = mark

    def _scalar(self, event: Any, top: list[Any] | None) -> Value:
        if event.anchor is not None or event.tag is not None:
            self._plain(event)
        text = event.value
        if not event.implicit[0]:
            if event.style == '"' and CONTROL.search(text):
                # An escape such as "\u0000" brings in what the file itself may not hold.
                found = CONTROL.search(text)
                self.fault(event.start_mark, "control-character", character=f"U+{ord(found[0]):04X}")
                return ""
            return text
        if text == "" and top is not None and top[3] and isinstance(top[4], str):
            line, column = top[2][top[4]]
            key, word = top[4], top[4].partition(" ")[0]
            if word not in top[2]:
                # In "name Boutiques" it is most likely the colon that is missing, and not the key.
                top[2][word] = top[2].pop(key)
                top[4] = word
            self.fault(Mark(line, column), "key-without-value", key=key)
        return self._resolve(text, event.start_mark)

    def _resolve(self, text: str, mark: Any) -> Value:
        if text in NULLS:
            return None
        if text in BOOLEANS:
            return BOOLEANS[text]
        if text[0] not in STARTS_NUMBER:
            return text
        if WHOLE.fullmatch(text) or DECIMAL.fullmatch(text):
            if len(text) > MAX_DIGITS:
                self.fault(mark, "huge-number", digits=MAX_DIGITS)
                return 0
            number = Fraction(text)
            return number.numerator if number.denominator == 1 else number
        # On a very long text this pattern would try every way to cut it.
        if len(text) <= 2 * MAX_DIGITS and ODD_NUMBER.fullmatch(text):
            self.fault(mark, "odd-number", found=text)
            return 0
        return text


_REFUSED = object()
