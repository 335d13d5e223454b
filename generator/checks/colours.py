"""Colours: a game's accent stays legible on white."""

from collections.abc import Iterator
from typing import Any

from generator import problems
from generator.problems import Problem
from generator.records import Project

name = "colours"

# Figures of WCAG 2.2: contrast of normal text (1.4.3), relative luminance of sRGB.
LEGIBLE = 4.5
WEIGHTS = (0.2126, 0.7152, 0.0722)


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the accents too pale to be read on a white page."""
    for game in project.games.values():
        colour = game.info.get("colour")
        if colour and contrast_on_white(colour) < LEGIBLE:
            found = f"{contrast_on_white(colour):.1f}".replace(".", ",")
            yield problems.make(game.documents["game.yaml"], ("colour",), "pale-colour", colour=colour, found=found)


def contrast_on_white(colour: str) -> float:
    """Return the WCAG contrast ratio of *colour* (#rrggbb) with white.

    >>> round(contrast_on_white("#000000"))
    21
    """
    shares = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    light = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 1.05 / (sum(weight * part for weight, part in zip(WEIGHTS, light, strict=True)) + 0.05)
