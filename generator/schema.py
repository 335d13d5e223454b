"""Schemas: what a file may say, checked with JSON Schema and reported in French at the place of the mistake.

The only file that knows jsonschema. The records of a table are checked with a schema made from its columns.
"""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator, ValidationError
from referencing import Registry, Resource

from generator import problems, typography
from generator.load import Document
from generator.problems import Problem

FOLDER = Path(__file__).parent.parent / "schemas"
KINDS = ("game", "table", "interpretations", "entries", "questions", "calculators", "handouts")
COMMON = "common.schema.json#/$defs/"

type Path_ = tuple[str | int, ...]

# Column kind -> what its value looks like; choice, list and mapping depend on the column.
_PLAIN = {
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "percent": {"type": "number"},
    "fraction": {"$ref": COMMON + "fraction"},
    "boolean": {"type": "boolean"},
    "text": {"$ref": COMMON + "text"},
    "prose": {"$ref": COMMON + "prose"},
    "dice": {"$ref": COMMON + "dice"},
    "reference": {"$ref": COMMON + "slug"},
}
# What is wrong in a file beyond this is told another time.
MOST_FOUND = 500
# How much of a word an author must have written for it to be known.
LEAST_BEGUN = 3
MOST_NAMED = 20
UNKNOWN = frozenset({"unknown-key", "unknown-keys", "undeclared-column"})
MISSING = frozenset({"missing-key", "missing-keys"})
MISSPELT = frozenset({"not-a-choice", "column-misspelt"})
_SAID = re.compile(r"([\w-]+) \(([^()]*)\)")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_FRACTION = re.compile(r"-?\d+/\d+")
_WITH_UNIT = re.compile(r"(-?\d+(?:[.,]\d+)?)[ \u00a0\u202f]*(?:%|[^\W\d]+)")
_FRENCH_DECIMAL = re.compile(r"-?\d+,\d+")
_YES_NO = {"oui": "true", "yes": "true", "on": "true", "vrai": "true", "non": "false", "no": "false", "off": "false", "faux": "false"}


class Finding(NamedTuple):
    """A problem, with the *path* inside the document of the value it is about.

    *meant* is the key, the identifier or the value that the author probably wanted to write there.
    """

    path: Path_
    problem: Problem
    meant: str | None = None

    @property
    def is_mended(self) -> bool:
        """Say whether the document can be read on in spite of it: the key is known no more, or what was meant is."""
        return self.problem.code in UNKNOWN or (self.meant is not None and self.problem.code in MISSPELT)


@cache
def read(name: str) -> dict[str, Any]:
    """Return the schema *name* (`table`, `game`…) as JSON gives it."""
    return json.loads((FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))


def record_schema(columns: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of one record of a table with these *columns*: what every record may carry, and the columns."""
    return {
        "type": "object",
        "required": ["name", *(name for name, column in columns.items() if not column.get("optional"))],
        "additionalProperties": False,
        "properties": _carried() | {name: _cell(column) | {"title": column.get("label", "")} for name, column in columns.items()},
    }


def check(kind: str, document: Document) -> list[Finding]:
    """List what is wrong with *document* as a file of this *kind*; a table's records are checked with its columns.

    After an unknown key, or a word whose right spelling is plain, the *document* is read on as if it had been written right,
    or not at all: what else is wrong is found in the same run, and what was only misspelt is not also missing.
    """
    lost = _lost_line(kind, document)
    if lost:
        return [lost]
    found = _columns(document) if kind == "table" else []
    while True:
        rest = list(islice(_check(kind, document), MOST_FOUND))
        if len(found) + len(rest) >= MOST_FOUND:
            return [*found, *rest, Finding((), problems.make(document, (), "too-many", most=MOST_FOUND))]
        mended = [finding for finding in rest if finding.is_mended]
        if not mended:
            return found + rest
        found += mended
        for finding in mended:
            if finding.meant is None:
                document.remove(finding.path)
            elif finding.problem.code == "unknown-key":
                document.rename(finding.path, finding.meant)
            else:
                document.replace(finding.path, finding.meant)


def _lost_line(kind: str, document: Document) -> Finding | None:
    """Find the line that holds nothing but a name, when it is missing and all that stood under it is taken for something else."""
    value = document.value
    if not isinstance(value, dict):
        return None
    if kind == "table":
        columns = value.get("columns")
        rows = [name for name, row in columns.items() if isinstance(row, dict) and "name" in row and "kind" not in row] if isinstance(columns, dict) else []
        path: Path_ = ("columns", *rows[:1])
        return Finding((), problems.make(document, path, "no-records", key=True, name=rows[0])) if rows and "records" not in value else None
    item = read(kind).get("additionalProperties")
    known = [name for name in value if isinstance(item, dict) and name in item.get("properties", {})]
    return Finding((), problems.make(document, (known[0],), "no-identifier", key=True, key_found=known[0])) if len(known) > 1 else None


def _columns(document: Document) -> list[Finding]:
    """Tell once, not for each record, the names that all the records of a table write otherwise than its columns do."""
    columns, rows = document.value_at(("columns",)), document.value_at(("records",))
    if not isinstance(columns, dict) or not isinstance(rows, dict) or len(rows) < 2 or not all(isinstance(row, dict) for row in rows.values()):
        return []
    found: list[Finding] = []

    def tell(path: Path_, code: str, meant: str | None = None, **facts: Any) -> None:
        found.append(Finding(path, problems.make(document, path, code, key=True, count=len(rows), **facts), meant))

    shared = set.intersection(*(set(row) for row in rows.values()))
    written = set.union(*(set(row) for row in rows.values()))
    first = next(iter(rows))
    for name in [name for name in rows[first] if name in shared - columns.keys() - _carried().keys()][:MOST_NAMED]:
        column = problems.nearest(name, [column for column in columns if column not in written])
        if column:
            tell(("columns", column), "column-misspelt", name, name=name, column=column)
            document.rename(("columns", column), name)
        elif problems.nearest(name, _carried()) is None:
            tell(("records", first, name), "undeclared-column", name=name)
            for slug in rows:
                document.remove(("records", slug, name))
    for name, column in list(columns.items())[:MOST_FOUND]:
        if name not in written and isinstance(column, dict) and not column.get("optional"):
            tell(("columns", name), "column-empty", name=name)
            document.replace(("columns", name, "optional"), True)
    return found


def _carried() -> dict[str, Any]:
    """Return what every record may carry besides its columns."""
    return read("table")["$defs"]["record"]["properties"]


def _check(kind: str, document: Document) -> Iterator[Finding]:
    value = document.value
    bad_columns = False
    for finding in _findings(_validator(kind), value, document, ()):
        bad_columns |= finding.path[:1] == ("columns",)
        yield finding
    if kind != "table" or bad_columns or not isinstance(value, dict):
        return
    columns, records = value.get("columns"), value.get("records")
    if isinstance(columns, dict) and isinstance(records, dict):
        described = record_schema(columns)
        schema = {"propertyNames": {"$ref": COMMON + "slug"}, "additionalProperties": described}
        yield from _findings(_compile(schema), records, document, ("records",))


@cache
def _registry() -> Registry:
    names = ("common", *KINDS)
    return Registry().with_resources((f"{name}.schema.json", Resource.from_contents(read(name))) for name in names)


def _compile(schema: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator(_inline(schema), registry=_registry())


@cache
def _validator(kind: str) -> Draft202012Validator:
    schema = read(kind)
    if kind == "table":
        # The records have their own pass, with the columns; here they only have to be there.
        records = {**schema["properties"]["records"], "additionalProperties": True, "propertyNames": True}
        schema = {**schema, "properties": {**schema["properties"], "records": records}}
    return _compile(schema)


def _inline(schema: Any) -> Any:
    """Put the small shared definitions in place of their references: following one costs more than checking it."""
    if isinstance(schema, list):
        return [_inline(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inlined = {key: _inline(part) for key, part in schema.items() if key != "$ref"}
    reference = schema.get("$ref", "")
    if reference.startswith(COMMON):
        shared = _inline(_local(read("common")["$defs"][reference.removeprefix(COMMON)]))
        # The title says what the author is writing; the description of the shared definition, what form it takes.
        return shared | {key: part for key, part in inlined.items() if key != "description"}
    return inlined | ({"$ref": reference} if reference else {})


def _local(schema: Any) -> Any:
    """Make the references between shared definitions absolute, so that they mean the same elsewhere."""
    if isinstance(schema, list):
        return [_local(part) for part in schema]
    if isinstance(schema, dict):
        return {key: "common.schema.json" + part if key == "$ref" and part.startswith("#") else _local(part) for key, part in schema.items()}
    return schema


def _cell(column: dict[str, Any]) -> dict[str, Any]:
    kind = column["kind"]
    if kind == "choice":
        choices = list(column["choices"])
        return {"enum": [*choices, None] if column.get("optional") else choices}
    if kind == "list":
        described: dict[str, Any] = {"type": "array", "items": _cell(column["items"])}
    elif kind == "mapping":
        described = {"type": "object", "additionalProperties": _cell(column["items"]) if "items" in column else True}
    else:
        described = _PLAIN[kind]
    if not column.get("optional"):
        return described
    described = _inline(described)
    types = described["type"]
    return described | {"type": [*([types] if isinstance(types, str) else types), "null"]}


def _findings(validator: Draft202012Validator, value: Any, document: Document, above: Path_) -> Iterator[Finding]:
    told = dict.fromkeys(finding for error in islice(validator.iter_errors(value), MOST_FOUND) for finding in _translate(error, document, above))
    # What is asked for in so many words is not also asked for as one of several.
    missing = {finding.path for finding in told if finding.problem.code in MISSING}
    yield from (finding for finding in told if finding.problem.code != "need-one" or finding.path not in missing)


def _translate(error: ValidationError, document: Document, above: Path_) -> Iterator[Finding]:
    path = (*above, *error.absolute_path)

    def found(code: str, at: Path_ = path, key: bool = False, meant: str | None = None, **facts: Any) -> Finding:
        return Finding(at, problems.make(document, at, code, key=key, **facts), meant)

    schema, value, limit = error.schema, error.instance, error.validator_value
    if "propertyNames" in error.relative_schema_path:
        meant = _spelling(value, schema)
        hint = problems.sentence("word-suggestion", name=meant) if meant else ""
        yield found("bad-key", (*path, value), key=True, meant=meant, key_found=value, expected=_meaning(schema), hint=hint)
        return
    match error.validator:
        case "required":
            # jsonschema tells one error per key: the first tells them all, the others say the same again.
            named = [_named(name, schema.get("properties", {})) for name in limit if name not in value]
            code = "missing-key" if len(named) == 1 else "missing-keys"
            yield found(code, key=True, names=problems.listed(named), inside=_inside(path))
        case "additionalProperties" if limit is False:
            known = list(schema.get("properties", {}))
            # What is asked for comes first, it is most likely what was meant.
            free = sorted((name for name in known if name not in value), key=lambda name: name not in schema.get("required", ()))
            strange: list[str] = []
            for name in value:
                if len(strange) == MOST_FOUND:
                    break
                if name in known or any(re.search(pattern, name) for pattern in schema.get("patternProperties", {})):
                    continue
                meant = _titled(name, free, schema["properties"]) or problems.nearest(name, free)
                if meant or ":" in name:
                    hint = problems.sentence("word-suggestion", name=meant) if meant else problems.sentence("hint-space", name=name.partition(":")[0])
                    yield found("unknown-key", (*path, name), key=True, meant=meant, name=name, hint=hint)
                    free = [other for other in free if other != meant]
                else:
                    strange.append(name)
            if strange:
                # Several are one problem, told at the first.
                code = "unknown-key" if len(strange) == 1 else "unknown-keys"
                names, hint = problems.quoted(strange[:MOST_NAMED], "word-and"), problems.suggestion(strange[0], free or known)
                first = found(code, (*path, strange[0]), key=True, name=strange[0], names=names, hint=hint)
                yield from (first._replace(path=(*path, name)) for name in strange)
        case "type":
            expected = [limit] if isinstance(limit, str) else limit
            hint = _comment_hint(document, path) if value is None else ""
            yield found("wrong-type", expected=_types(expected), found=problems.shown(value), hint=hint or _type_hint(expected, value, schema))
        case "enum" | "const":
            allowed = [one for one in (limit if error.validator == "enum" else [limit]) if one is not None]
            meant = _translated(value, allowed, _meaning(schema)) or problems.nearest(value, allowed) if isinstance(value, str) else None
            hint = problems.sentence("word-suggestion", name=meant) if meant else problems.suggestion(value, allowed)
            yield found("not-a-choice", meant=meant, found=problems.shown(value), hint=hint)
        case "pattern":
            meant = _spelling(value, schema)
            hint = problems.sentence("word-suggestion", name=meant) if meant else ""
            yield found("bad-form", meant=meant, found=problems.shown(value), expected=_meaning(schema), hint=hint)
        case "minimum" | "exclusiveMinimum":
            yield found("too-small", found=problems.shown(value), limit=problems.shown(limit))
        case "maximum" | "exclusiveMaximum":
            yield found("too-large", found=problems.shown(value), limit=problems.shown(limit))
        case "minItems" | "minProperties" | "minLength":
            yield found("too-empty", limit=limit, found=len(value))
        case "maxItems" | "maxProperties" | "maxLength":
            yield found("too-full", limit=limit, found=len(value))
        case "uniqueItems":
            twice = next(index for index, item in enumerate(value) if item in value[:index])
            yield found("said-twice", (*path, twice), found=problems.shown(value[twice]))
        case "oneOf" if all(list(one) == ["required"] for one in limit):
            if not isinstance(value, dict):
                return  # that it is no block is told already
            # An unknown key is most likely the one that is asked for, misspelt: that is told already.
            names = [one["required"][0] for one in limit]
            said = [name for name in names if name in value]
            if said:
                yield found("only-one", key=True, names=problems.quoted(said, "word-and"), inside=_inside(path))
            elif value.keys() <= schema.get("properties", value).keys():
                yield found("need-one", key=True, names=problems.quoted(names), inside=_inside(path))
        case "anyOf" | "oneOf" if error.context:
            yield from _closest(error, document, above)
        case _:
            yield found("bad-form", found=problems.shown(value), expected=_meaning(schema), hint="")


def _closest(error: ValidationError, document: Document, above: Path_) -> Iterator[Finding]:
    """Report only the alternative the author came nearest to: the one whose mistakes lie deepest, then are fewest."""
    alternatives: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        alternatives.setdefault(inner.relative_schema_path[0], []).append(inner)

    def distance(inner: list[ValidationError]) -> tuple[bool, int, int]:
        wrong_kind = any(one.validator in ("type", "const", "enum") and not one.relative_path for one in inner)
        return wrong_kind, -max(len(one.relative_path) for one in inner), len(inner)

    for inner in min(alternatives.values(), key=distance):
        yield from _translate(inner, document, above)


def _types(names: list[str]) -> str:
    words = [problems.sentence(f"word-type-{name}") for name in names if name != "null" or len(names) == 1]
    return problems.sentence("word-or", most=", ".join(words[:-1]), last=words[-1]) if len(words) > 1 else words[0]


def _titled(name: str, free: list[str], properties: dict[str, Any]) -> str | None:
    """Return the key, among those still *free*, whose French title the author wrote instead of it."""
    plain = typography.fold(name)
    return next((key for key in free if typography.fold(properties[key].get("title", "")) == plain), None)


def _translated(value: str, allowed: list[Any], meaning: str) -> str | None:
    """Return the *allowed* word that the author said in French, as the *meaning* of the schema does: integer (entier); or began."""
    plain = typography.fold(value)
    said = {word: typography.fold(french) for word, french in _SAID.findall(meaning)}
    words = [str(word) for word in allowed]
    exact = [word for word in words if said.get(word) == plain]
    among = [word for word in words if plain in re.split(r"\W+", said.get(word, ""))]
    begun = [word for word in words if len(plain) >= LEAST_BEGUN and word.startswith(plain)]
    return next(iter([*exact, *among, *begun]), None)


def _comment_hint(document: Document, path: Path_) -> str:
    """Say that a number sign made a comment of what was to be the value at *path*."""
    line, column = document.at(*path)
    rest = document.source.split("\n")[line - 1][column - 1 :] if document.source else ""
    return problems.sentence("hint-comment") if rest.lstrip().startswith("#") else ""


def _type_hint(expected: list[str], value: Any, schema: dict[str, Any]) -> str:
    if isinstance(value, Fraction) and expected[0] == "integer":
        return problems.sentence("hint-whole")
    if isinstance(value, dict) and "array" in expected:
        return problems.sentence("hint-dash")
    if isinstance(value, (str, int, list)) and expected[0] == "object":
        keys = value if isinstance(value, list) else schema.get("required", [])
        if value in schema.get("properties", {}).get("kind", {}).get("enum", ()):
            return problems.sentence("hint-keys", keys=f"kind: {problems.shortened(value)}")
        if keys and all(isinstance(key, dict) for key in keys):
            return problems.sentence("hint-no-dash")
        if keys and all(isinstance(key, str) and _NAME.fullmatch(key) for key in keys):
            return problems.sentence("hint-keys", keys=", ".join(f"{problems.shortened(key)}: …" for key in keys[:MOST_NAMED]))
    if isinstance(value, str) and {"number", "integer"} & set(expected):
        if with_unit := _WITH_UNIT.fullmatch(value):
            return problems.sentence("hint-number-only", number=with_unit[1].replace(",", "."))
        if _FRENCH_DECIMAL.fullmatch(value):
            return problems.sentence("hint-decimal", number=value.replace(",", "."))
        if _FRACTION.fullmatch(value):
            return problems.sentence("hint-fraction")
        if value.removeprefix("-").isdecimal():
            return problems.sentence("hint-unquote", value=value)
    if isinstance(value, str) and "boolean" in expected and value.lower() in _YES_NO:
        return problems.sentence("hint-write", value=_YES_NO[value.lower()])
    if "string" in expected and isinstance(value, list):
        return problems.sentence("hint-brackets")
    if "string" in expected and not isinstance(value, (dict, list, type(None))):
        return problems.sentence("hint-quote", value=problems.shown(value))
    if "array" in expected and isinstance(value, (str, int)):
        return problems.sentence("hint-list", value=str(value)[: problems.LONGEST_FOUND])
    if value is None:
        return problems.sentence("hint-nothing")
    return ""


def _spelling(value: Any, schema: dict[str, Any]) -> str | None:
    """Return the accent-free, hyphened form of *value* when its schema asks for an identifier, or None."""
    pattern = schema.get("pattern")
    if not isinstance(value, str) or pattern is None or re.search(pattern, "Un texte"):
        return None
    plain = typography.fold(value)
    for joint in "-_":
        candidate = re.sub(r"[^a-z0-9]+", joint, plain).strip(joint)
        if candidate and candidate != value and re.search(pattern, candidate):
            return candidate
    return None


def _meaning(schema: dict[str, Any]) -> str:
    return typography.french(schema.get("description", "")) if isinstance(schema, dict) else ""


def _named(name: str, properties: dict[str, Any]) -> str:
    title = properties.get(name, {}).get("title", "")
    return problems.sentence("word-titled", name=name, title=title) if title else problems.sentence("word-quoted", text=name)


def _inside(path: Path_) -> str:
    names = [str(step) for step in path if isinstance(step, str)]
    return problems.sentence("word-inside", name=names[-1]) if names else ""
