"""Texts: every French sentence that the machine itself says, kept in templates/texts.yaml."""

from functools import cache
from pathlib import Path
from typing import Any

from generator import load

TEMPLATES = Path(__file__).parent / "templates"


class TextsError(Exception):
    """The texts file of the generator itself is wrong: a bug of ours, not of an author."""


@cache
def read() -> dict[str, Any]:
    """Return the sections of texts.yaml: {section: {code: sentence with {facts}}}."""
    document = load.read(TEMPLATES / "texts.yaml", TEMPLATES)
    if document.faults or not isinstance(document.value, dict):
        raise TextsError(*document.faults)
    return document.value
