"""Values in French words: numbers as a formula shows them, dice, lists, mappings, durations, counted chances."""

import re

from .dice import Dice, Distribution, Event
from .numbers import fixed, french, is_number, percent, whole
from .refusal import readable

NBSP = "\u00a0"
# A list longer than this is shown by its beginning.
MOST_SHOWN = 20
# Chances longer than this too: a pool of five six-sided dice is shown whole.
MOST_COUNTED = 26
# More rolls than these are not counted for a reader.
MOST_ROLLS = 10**12
# A fraction longer than this is shown by its first decimals.
LONGEST_FRACTION = 9
DECIMALS = 4
_PLACE = re.compile(r"\{(\d)\}")


def word(words, key, *parts):
    """Return the template *key* of *words* with its places filled; what fills them is never read as a template."""
    return _PLACE.sub(lambda place: parts[int(place[1])] if int(place[1]) < len(parts) else place[0], words.get(key, key))


def renamed(value, names):
    """Return *value* with its slugs, or the keys of a mapping, replaced by their *names*."""
    if not names:
        return value
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    if isinstance(value, dict):
        return {names.get(key, key): item for key, item in value.items()}
    return names.get(value, value) if isinstance(value, str) else value


def duration(value, plurals, names, words):
    """Return {"amount", "unit"} in words; an amount of nothing is at once, no amount leaves the unit alone."""
    amount, unit = value.get("amount"), value.get("unit")
    if amount == 0:
        return words["at-once"]
    if amount is None:
        return names.get(unit, unit)
    return f"{french(amount)}{NBSP}{(plurals if amount >= 2 else names).get(unit, unit)}"


def brief(value):
    """Return a number as it is put into a formula: a long fraction by its first decimals, followed by an ellipsis.

    >>> brief(Fraction(5, 36)), brief(Fraction(949003, 1600000))
    ('5/36', '0,5931…')
    """
    written = french(value)
    if "/" not in written or len(written) <= LONGEST_FRACTION:
        return written
    scaled = abs(value.numerator) * 10**DECIMALS // value.denominator
    return ("−" if value < 0 else "") + fixed(whole(type(value)(scaled, 10**DECIMALS)), DECIMALS) + "…"


def fraction(value):
    """Return *value* as its fraction, or nothing for a whole number and for a fraction too long to be read.

    >>> fraction(Fraction(5, 36)), fraction(Fraction(949003, 1600000)), fraction(3)
    ('5/36', '', '')
    """
    written = f"{value.numerator}/{value.denominator}"
    return written if value.denominator > 1 and len(written) <= LONGEST_FRACTION else ""


def figure(value, words):
    """Return *value* as a formula shows it: shown(), with brief() numbers."""
    return shown(value, words, brief)


def shown(value, words, number=french):
    """Return *value* as words: distributions by their bounds, long lists by their beginning, *number* for numbers."""
    if is_number(value):
        return number(value)
    if isinstance(value, Distribution):
        return word(words, "distribution", french(value.lowest()), french(value.highest()))
    if isinstance(value, Event):
        return f"{french(value.weight)}/{french(value.total)}"
    if isinstance(value, Dice):
        return value.french()
    if isinstance(value, (list, dict)):
        return _several(value, words, number)
    return readable(value, words)


def _several(value, words, number):
    def inner(item):
        text = shown(item, words, number)
        return f"({text})" if isinstance(item, (list, dict)) else text

    if isinstance(value, list):
        told = [inner(item) for item in value[:MOST_SHOWN]]
    else:
        told = [f"{key_words(key, {})}{NBSP}: {inner(item)}" for key, item in list(value.items())[:MOST_SHOWN]]
    return listed(told, words) + ("…" if len(value) > MOST_SHOWN else "")


def listed(texts, words):
    """Join *texts*; decimals or brackets separated by commas would not be read."""
    return words["record-separator" if any("," in text or "(" in text for text in texts) else "separator"].join(texts) or words["nothing"]


def key_words(key, names):
    """Return the words of a key: its name, or the number that its text stands for."""
    key = str(key)
    return names.get(key, key).replace("-", "−") if key.lstrip("-").isdigit() else names.get(key, key)


def counted(chances, total, names, words):
    """Return how many of the *total* rolls give each outcome of {outcome: chance}, with their percentage."""
    told = []
    for key, chance in list(chances.items())[:MOST_COUNTED]:
        few = total <= MOST_ROLLS
        told.append(word(words, "counted" if few else "weighed", key_words(key, names), french(whole(chance * total)), french(total), percent(chance)))
    return words["record-separator"].join(told) + ("…" if len(chances) > MOST_COUNTED else "")
