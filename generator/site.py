"""The site: everything put together under build/, made by MkDocs in a side folder, and swapped in when it is whole.

An interrupted or failed build leaves the last good site in place. The same input gives the same bytes.
"""

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from calculators import render
from calculators.rulebook import Rulebook
from generator import bundle, exports, navigation, offline, pages, policy, shell, texts, tree, typography
from generator.compendium import open_project
from generator.compendium import rules as compendium_rules
from generator.records import Project

try:
    import fcntl
except ImportError:  # Windows has no such lock; two builds at once are then the author's affair
    fcntl = None  # type: ignore[assignment]

STAGES = 5
EXPORTS = "api"  # where the site offers the published files, as the export names their folder
SCRIPTS = Path(render.__file__).parent / "web"
BROWSER = "assets/calculators"  # where the scripts of the calculators look for what they run
OVERRIDES = "overrides"
SEARCH = "assets/javascripts/lunr/min/lunr.fr.min.js"
FOLDING = Path(__file__).parent / "templates" / "fold-fr.js"
# MkDocs dates the site map; without a date from outside, the start of the zip calendar stands for "no date".
NO_DATE = "315532800"
EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2)
HERE = -100  # AT_FDCWD


class SiteError(Exception):
    """The site cannot be made: *code* is a key of the texts `site.errors`, *facts* fill it."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(f"{code} {facts}")
        self.code, self.facts = code, facts


class Built(NamedTuple):
    """What a build did: pages and files under build/docs, what was rewritten or removed there, and where the site is."""

    pages: int
    files: int
    changes: tree.Changes
    site: Path


def build(root: Path, *, runtime: bool = True, progress: Callable[[], None] = lambda: None) -> Built:
    """Make the site of the project in *root*, in its folder ``site``; the project must have been checked before.

    Without *runtime* the calculators keep their printed answers and nothing is made for the browser to run.
    *progress* is called after each of STAGES stages.
    Raises SiteError, pages.PageError or chapters.PlaceError; the last good site is then untouched.
    """
    work, site = root / "build", root / "site"
    with _alone(work):
        project = open_project(root)
        rules = compendium_rules(project, texts.read())
        progress()
        exports.write(project, work / "export")
        progress()
        folders = {EXPORTS: work / "export" / EXPORTS, BROWSER: SCRIPTS}
        if runtime:
            bundle.build(rules, work / "browser", work / "cache")
            folders[BROWSER] = work / "browser"
        progress()
        rulebook = Rulebook(rules)
        files = assemble(project, lambda name: render.calculator(rulebook, name), folders)
        changes = tree.write(work / "docs", files)
        tree.write(work / OVERRIDES, _overrides(root))
        _write_settings(work, project, files, runtime)
        progress()
        side = work / "next"
        shutil.rmtree(side, ignore_errors=True)
        _run_builder(work / "mkdocs.yml", side)
        _guard(side)
        offline.write(side, {game.id: typography.french(game.info["title"]) for game in project.games.values()})
        progress()
        _swap(side, site)
        return Built(sum(name.endswith(".md") for name in files), len(files), changes, site)


def assemble(project: Project, calculator: Callable[[str], str], folders: Mapping[str, Path]) -> dict[str, tree.Content]:
    """Gather every file of the site's sources: {path: bytes, or the file to copy}.

    *calculator* gives the HTML of "game/calculator"; *folders* maps a path of the site to a folder copied there.
    """
    sources = {path: file for path, file in shell.sources(project.root).items() if not path.startswith(OVERRIDES + "/")}
    told = {f"{game.id}/{name}.md" for game in project.games.values() for name in game.chapters}
    prose = {path: source.read_text(encoding="utf-8") for path, source in sources.items() if path.endswith(".md") and path not in told}
    files: dict[str, tree.Content] = {path: source for path, source in sources.items() if not path.endswith(".md")}
    for path, folder in folders.items():
        files |= {f"{path}/{name}": source for name, source in tree.read(folder).items()}
    made = pages.render(project.games, texts.read()["site"], calculator, prose)
    return files | {path: text.encode() for path, text in made.items()}


def _overrides(root: Path) -> dict[str, tree.Content]:
    """Gather what replaces parts of the theme: ours, and its French search with accents and plurals folded."""
    files: dict[str, tree.Content] = {
        path.removeprefix(OVERRIDES + "/"): file for path, file in shell.sources(root).items() if path.startswith(OVERRIDES + "/")
    }
    spec = find_spec("material")
    if spec is None or spec.origin is None:
        raise SiteError("theme")
    original = Path(spec.origin).parent / "templates" / SEARCH
    return files | {SEARCH: original.read_bytes() + b"\n" + FOLDING.read_bytes()}


def _write_settings(work: Path, project: Project, files: Mapping[str, Any], runtime: bool) -> None:
    """Write the builder's settings that depend on the data; JSON is YAML."""
    words = texts.read()
    settings = {
        "INHERIT": str(shell.settings(project.root)) if shell.is_lent(project.root) else f"../{shell.SETTINGS}",
        "docs_dir": "docs",
        "site_dir": "next",
        "theme": {"custom_dir": OVERRIDES},
        "nav": navigation.menu(project.games, words["site"]["nav"], files),
        "extra": {"words": words["site"]["script"] | words["offline"]["script"], "browser": words["browser"], "runtime": runtime},
    }
    text = json.dumps(settings, ensure_ascii=False, indent=1) + "\n"
    path = work / "mkdocs.yml"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _run_builder(settings: Path, side: Path) -> None:
    """Run MkDocs on its own, so that nothing of it (logging, plugins, working folder) stays with us."""
    environment = {"SOURCE_DATE_EPOCH": NO_DATE} | os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(settings), "--site-dir", str(side)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).splitlines()
        raise SiteError("builder", output="\n".join(line for line in said if not line.startswith("INFO")))


def _guard(side: Path) -> None:
    """Give every page the content security policy, the same for all: instant navigation mixes their scripts."""
    found = {path: path.read_text(encoding="utf-8") for path in sorted(side.rglob("*.html"))}
    rule = policy.policy(code for html in found.values() for code in policy.inline_scripts(html))
    for path, html in found.items():
        path.write_text(policy.guarded(html, rule), encoding="utf-8")


def _swap(side: Path, site: Path) -> None:
    """Put *side* in the place of *site* in one step where the system can, in two otherwise."""
    if site.is_dir() and not _exchange(side, site):
        old = side.with_name("old")
        shutil.rmtree(old, ignore_errors=True)
        os.replace(site, old)
        os.replace(side, site)
        shutil.rmtree(old, ignore_errors=True)
    elif site.is_dir():
        shutil.rmtree(side, ignore_errors=True)  # it holds the old site now
    else:
        os.replace(side, site)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; False where the system has no such call or refuses it."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    return rename(HERE, os.fsencode(one), HERE, os.fsencode(other), EXCHANGE) == 0


@contextmanager
def _alone(work: Path) -> Iterator[None]:
    """Hold the build folder for one build; the system frees it if the build dies."""
    work.mkdir(parents=True, exist_ok=True)
    with open(work / ".lock", "w", encoding="ascii") as lock:
        if fcntl:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise SiteError("locked") from None
        yield
