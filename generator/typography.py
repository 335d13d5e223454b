"""French typography: the spaces, quotes and apostrophes of printed French, and numbers as French reads them.

Every function is pure and leaves text that is already right as it is.
"""

import re
import unicodedata
from fractions import Fraction

NARROW = "\u202f"  # narrow no-break space: before ; ! ? % and inside quotes, between thousands
WIDE = "\u00a0"  # no-break space: before a colon
APOSTROPHE = "\u2019"
MINUS = "\u2212"

_SPACE = "[ \u00a0\u202f\u2009]"
_RULES = (
    (re.compile(r"(?<=[^\W\d_])'(?=\w|«)"), APOSTROPHE),
    (re.compile(rf"«{_SPACE}*(?=\S)"), "«" + NARROW),
    (re.compile(rf"(?<=\S){_SPACE}*»"), NARROW + "»"),
    (re.compile(rf"(?<=\S){_SPACE}+(?=[;!?%])"), NARROW),
    (re.compile(rf"(?<=[\w»)\]}}*%’\ue000]){_SPACE}+:(?=\s|$)"), WIDE + ":"),
    (re.compile(rf"(?<=\d){_SPACE}(?=\d{{3}}(?!\d))"), NARROW),
)

# What a machine reads in a chapter: code, link targets, attribute lists, places, headings of admonitions, tags.
_MACHINE = re.compile(
    r"^ *(?:```|~~~).*?^ *(?:```|~~~) *$"
    r"|`+[^`]*`+|\]\((?:[^()]|\([^()]*\))*+\)|\{:[^{}]*\}|^:::[^\n]*$|^ *!!! \S+|^ *\|[-:| ]+\|? *$|<[^<>]*>",
    re.MULTILINE | re.DOTALL,
)
_KEPT = "\ue000"  # stands for what a machine reads; private, so no text needs it


def french(text: str) -> str:
    """Give *text* the spaces and apostrophes of printed French; only spaces that are there already are changed.

    >>> french("L'arme : « rouillée » !") == "L’arme\\u00a0: «\\u202frouillée\\u202f»\\u202f!"
    True
    """
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text


def prose(markdown: str) -> str:
    """Do the same in a Markdown text, leaving code, link targets, attributes and places untouched."""
    markdown = markdown.replace(_KEPT, "")
    kept = iter(_MACHINE.findall(markdown))
    return re.sub(_KEPT, lambda match: next(kept), french(_MACHINE.sub(_KEPT, markdown)))


def number(value: int | Fraction) -> str:
    """Write an exact number in French: thin spaces between thousands, decimal comma, a true minus sign.

    A fraction without finite decimals stays a fraction.

    >>> number(12500) == "12\\u202f500", number(Fraction(-5, 2)), number(Fraction(1, 3))
    (True, '−2,5', '1/3')
    """
    value = Fraction(value)
    sign = MINUS if value < 0 else ""
    value = abs(value)
    if value.denominator == 1:
        return sign + _grouped(str(value.numerator))
    digits = _decimals(value.denominator)
    if digits is None:
        return f"{sign}{_grouped(str(value.numerator))}/{_grouped(str(value.denominator))}"
    scaled = str(value.numerator * 10**digits // value.denominator).rjust(digits + 1, "0")
    return f"{sign}{_grouped(scaled[:-digits])},{scaled[-digits:]}"


def fold(text: str) -> str:
    """Return *text* in lower case without accents or ligatures, for sorting and comparing."""
    flat = unicodedata.normalize("NFD", text.lower().replace("œ", "oe").replace("æ", "ae"))
    return "".join(c for c in flat if not unicodedata.combining(c))


def _grouped(digits: str) -> str:
    return f"{int(digits):,}".replace(",", NARROW)


def _decimals(denominator: int) -> int | None:
    """Count the decimals a fraction needs; None when they never end."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None
