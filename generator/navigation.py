"""The menu: the home page, the calculators, the games with their chapters, then the other pages."""

from collections.abc import Collection, Mapping
from typing import Any

from markupsafe import escape

from generator import typography
from generator.records import Game

FIRST = {"index.md": "home", "calculateurs.md": "calculators"}


def menu(games: Mapping[str, Game], words: Mapping[str, str], files: Collection[str]) -> list[Any]:
    """Write the menu as MkDocs reads it: pages, {title: page} and {title: [pages]}.

    A page of the root is in the menu of its own right; pages in the folder ``aide`` share one entry.
    """
    others = sorted(path for path in files if path.endswith(".md") and _folder(path) not in games and path not in FIRST)
    items: list[Any] = [{words[word]: path} for path, word in FIRST.items() if path in files]
    items += [{_title(game.info["short"]): _game(game, words)} for game in games.values()]
    folders: dict[str, list[str]] = {}
    for path in others:
        if "/" in path:
            folders.setdefault(_folder(path), []).append(path)
    items += [{words.get(folder, folder): paths} for folder, paths in folders.items()]
    items += [path for path in others if "/" not in path]
    return items


def _game(game: Game, words: Mapping[str, str]) -> list[Any]:
    chapters = [{_title(info["title"]): f"{game.id}/{info['id']}.md"} for info in game.info["chapters"]]
    tables, readings = f"{game.id}/tables.md", f"{game.id}/interpretations.md"
    sheets = [{_title(described["title"]): f"{game.id}/{name}.md"} for name, described in game.handouts.items()]
    printed = [{words["handouts"]: sheets}] if sheets else []
    return [f"{game.id}/index.md", *chapters, {words["tables"]: tables}, {words["readings"]: readings}, *printed]


def _title(text: str) -> str:
    """Write a title as HTML: the theme sets the menu without escaping it."""
    return str(escape(typography.french(text)))


def _folder(path: str) -> str:
    return path.partition("/")[0] if "/" in path else ""
