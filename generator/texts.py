"""Texts: every French sentence that the machine itself says, kept in templates/texts.yaml."""

from functools import cache
from pathlib import Path
from typing import Any

from generator import load, typography

TEMPLATES = Path(__file__).parent / "templates"


class TextsError(Exception):
    """The texts file of the generator itself is wrong: a bug of ours, not of an author."""


@cache
def read() -> dict[str, Any]:
    """Return the sections of texts.yaml: {section: {code: sentence with {facts}}}."""
    document = load.read(TEMPLATES / "texts.yaml", TEMPLATES)
    if document.faults or not isinstance(document.value, dict):
        raise TextsError(*document.faults)
    return _french(document.value)


def _french(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _french(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_french(item) for item in value]
    return typography.french(value) if isinstance(value, str) else value
