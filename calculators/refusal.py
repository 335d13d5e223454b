"""A refusal: a stable code, the facts, and a sentence filled from data."""

import re

from .dice import Dice
from .numbers import french, is_number

PLACE = re.compile(r"\{(\w+)\}")
# A fact longer than this is cut in a sentence.
LONGEST_FACT = 4000


class Refusal(Exception):
    """Raised when a question cannot be answered: *code*, *facts* (raw values), *field* at fault, *template* of the sentence.

    *shown* holds readable words for facts that are slugs, *place* the steps from the field to its part at fault: the
    place of an item, the name of a part, the key of a map.
    """

    def __init__(self, code, facts=None, field=None, template=None, shown=None):
        super().__init__(code, facts)
        self.code, self.facts, self.field = code, facts or {}, field
        self.template, self.shown, self.place = template, shown or {}, []


def readable(value, words):
    """Return *value* as the words of a sentence; *words* gives yes, no, nothing and the list separator."""
    if value is None:
        return words.get("nothing", "")
    if isinstance(value, bool):
        return words.get("yes" if value else "no", str(value))
    if is_number(value):
        return french(value)
    if isinstance(value, Dice):
        return value.french()
    if isinstance(value, (list, tuple)):
        return words.get("separator", ", ").join(readable(item, words) for item in value) or words.get("nothing", "")
    if isinstance(value, dict):
        return words.get("separator", ", ").join(f"{key} {readable(item, words)}" for key, item in value.items())
    return str(value)


def fill(template, facts, words):
    """Return *template* with each ``{fact}`` replaced; an unknown place stays as it is written.

    Nothing of a fact is ever interpreted: no attribute, no format, one replacement.
    """
    return PLACE.sub(lambda place: shortened(readable(facts[place[1]], words), LONGEST_FACT) if place[1] in facts else place[0], template)


def shortened(text, most):
    """Return *text*, or its beginning when it is longer than *most* characters."""
    return text if len(text) <= most else text[: most - 1] + "…"
