"""Slips: a formula written as elsewhere (2d6, 1,5, ≥, a spreadsheet's semicolon) as the language would have it."""

import re

from calculators.expression import Expression, ExpressionError

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_SIGNS = {"×": "*", "÷": "/", "−": "-", "≥": ">=", "≤": "<=", "≠": "!=", "&&": "and", "||": "or", ";": ",", "=>": ">=", "=<": "<="}
_OPERAND = r"([\w.]+|\w*\([^()]*\))"
# What is written elsewhere, and what it means here; each is tried alone, then after those before it.
_FORMS = (
    (re.compile(r"^\s*=\s*"), ""),
    (re.compile(r"(?<![\w.])(\d+)\s*%(?=\s*(?:[-+*/,)\]]|$))"), r"\1 / 100"),
    (re.compile(" ?(" + "|".join(map(re.escape, _SIGNS)) + ") ?"), lambda found: found[0].replace(found[1], _SIGNS[found[1]])),
    (re.compile(r"(?<![=<>!])=(?![=<>])"), "=="),
    (re.compile(r"\b(\d+)[dD](\d+)\b"), r"dice(\1, \2)"),
    (re.compile(r"(?<![\w.,])(\d+),(\d+)(?![\w,])"), r"\1.\2"),
    (re.compile(_OPERAND + r"\s*(?:\*\*|\^)\s*" + _OPERAND), r"power(\1, \2)"),
    (re.compile(r"\b([^\W\d]\w*)\.([^\W\d]\w*)\b(?!\()"), r"\1['\2']"),
)
_CURLY = str.maketrans("‘’“”", "''\"\"")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def mended(formula: str, words: dict[str, str]) -> str | None:
    """Return what the author of *formula*, which cannot be read, most likely meant, or None.

    *words* says in the language what an author may say in another: {"et": "and"}.

    >>> mended("total = 2d6", {})
    'total == dice(2, 6)'
    """
    straight = formula.translate(_CURLY)
    spoken = re.compile(r"\b(?:" + "|".join(map(re.escape, words)) + r")\b", re.IGNORECASE) if words else None
    forms = [*(((spoken, lambda found: words[found[0].lower()]),) if spoken else ()), *_FORMS]
    alone = [_outside(straight, *form) for form in forms]
    together = straight
    for form in forms:
        together = _outside(together, *form)
    for tried in (straight, *alone, together):
        for candidate in (tried, tried + _missing(tried)):
            if candidate != formula and _reads(candidate):
                return candidate
    return None


def _outside(formula, pattern, replacement):
    """Replace *pattern* in what stands outside the texts of a formula."""
    end, parts = 0, []
    for quoted in _QUOTED.finditer(formula):
        parts += pattern.sub(replacement, formula[end : quoted.start()]), quoted[0]
        end = quoted.end()
    return "".join([*parts, pattern.sub(replacement, formula[end:])])


def _missing(formula: str) -> str:
    """Return the brackets that are opened and not closed, closed."""
    open_: list[str] = []
    for character in _QUOTED.sub("", formula):
        if character in _CLOSING:
            open_.append(_CLOSING[character])
        elif open_ and character == open_[-1]:
            open_.pop()
    return "".join(reversed(open_))


def _reads(formula: str) -> bool:
    try:
        Expression(formula)
    except ExpressionError:
        return False
    return True
