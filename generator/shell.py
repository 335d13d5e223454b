"""Shell: what a site has besides its games (settings, look, home page, help), lent by ours to a project without settings."""

from collections.abc import Mapping
from pathlib import Path

from generator import tree

OURS = Path(__file__).parent.parent
SETTINGS = "mkdocs.yml"
SOURCES = "site_src"
GAMES = "data"
EMBLEMS = "assets/emblems/"


def is_lent(root: Path) -> bool:
    """Say whether the project in *root* has no settings of its own: all that it lacks of a shell is then ours."""
    return not (root / SETTINGS).is_file()


def settings(root: Path) -> Path:
    """Return the settings of the project in *root*, or ours."""
    return (OURS if is_lent(root) else root) / SETTINGS


def sources(root: Path) -> Mapping[str, Path]:
    """Return {path: file} of all that stands in the sources of the project in *root*, what is lent included."""
    own = tree.read(root / SOURCES)
    return {path: file for path, file in tree.read(OURS / SOURCES).items() if not _is_of_a_game(path)} | own if is_lent(root) else own


def _is_of_a_game(path: str) -> bool:
    """Say whether a source of ours belongs to one of our games."""
    name = path.removeprefix(EMBLEMS).removesuffix(".svg") if path.startswith(EMBLEMS) else path.partition("/")[0]
    return (OURS / GAMES / name).is_dir()
