"""Offline: what lets the finished site be installed as an app and read without a network.

    service-worker.js                      answers for the site; it holds the digest of every file of this build
    manifest.webmanifest                   the app: name, icons, shortcuts
    assets/offline/<game>/<digest>.pack    every page of a game in one small file

The same site gives the same bytes, and a file that changed gives another worker.
"""

import gzip
import hashlib
import html
import json
import re
import shutil
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from generator import tree

WORKER = "service-worker.js"
MANIFEST = "manifest.webmanifest"
PACKS = "assets/offline"
SCRIPT = "assets/js/offline.js"  # registers the worker; a project without it has no use for one
FALLBACK = "aide/hors-ligne/"  # the page shown in the place of one that is not kept
SOURCE = Path(__file__).parent / "templates" / "offline" / WORKER

RUNTIME = "assets/calculators"
SNAPSHOT = "snapshot.bin"  # a faster start that the calculators keep by themselves once they are used
PAPER = "#fbf8f1"
ICONS = {
    "assets/icons/icon-192.png": {"sizes": "192x192", "type": "image/png"},
    "assets/icons/icon-512.png": {"sizes": "512x512", "type": "image/png"},
    "assets/icons/icon-maskable-512.png": {"sizes": "512x512", "type": "image/png", "purpose": "maskable"},
}
SHORTCUTS = 4  # what a launcher shows at most

# What any page may ask for, besides the pages that belong to no game; of all the theme's languages, ours.
_FRAME = ("assets/*.css", "assets/*.js", "assets/*.json", "assets/*.svg", "search/search_index.json", "sitemap.xml", MANIFEST)
_LANGUAGES = "assets/javascripts/lunr/*"
_SPOKEN = ("assets/javascripts/lunr/min/lunr.stemmer.support.min.js", "assets/javascripts/lunr/min/lunr.fr.min.js")
_PICTURE = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico")
# Enough to tell two builds apart: what comes from the site itself needs no proof against forgers.
_DIGITS = 16


def write(site: Path, games: Mapping[str, str]) -> None:
    """Add these files to the folder of a finished *site*; *games* gives the title of each game by its folder.

    The pages must not change afterwards. Called again, it replaces what it wrote.
    """
    shutil.rmtree(site / PACKS, ignore_errors=True)
    for name in (WORKER, MANIFEST):
        (site / name).unlink(missing_ok=True)
    if not (site / SCRIPT).is_file():
        return
    (site / MANIFEST).write_text(_json(manifest(site, games), indent=1) + "\n", encoding="utf-8")
    files = {name: path.read_bytes() for name, path in tree.read(site).items() if not name.endswith(".map")}
    told: dict[str, Any] = {"fallback": FALLBACK if f"{FALLBACK}index.html" in files else "", "games": {}, "runtime": _runtime(files)}
    for game, title in games.items():
        pages = {_address(name.removeprefix(f"{game}/")): content for name, content in files.items() if _is_page(name, game)}
        if pages:
            told["games"][game] = {"title": title} | _packed(site, game, pages)
    told["shell"] = {_address(name): _digest(files[name]) for name in shell(files, games)}
    code = SOURCE.read_text(encoding="utf-8")
    told["version"] = _digest((_json(told) + code).encode())
    (site / WORKER).write_text(f"const SITE = {_json(told)};\n\n{code}", encoding="utf-8")


def manifest(site: Path, games: Mapping[str, str]) -> dict[str, Any]:
    """Describe the app, which bears the name of the home page. Every address is relative: the site may stand anywhere."""
    home = (site / "index.html").read_text(encoding="utf-8")
    shortcuts = [{"name": title, "url": f"{game}/"} for game, title in games.items()]
    return {
        "name": _found(r"<title>(.*?)</title>", home),
        "description": _found(r'<meta name="description" content="([^"]*)"', home),
        "lang": _found(r'<html lang="([^"]*)"', home),
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [{"src": name} | facts for name, facts in ICONS.items() if (site / name).is_file()],
        "shortcuts": shortcuts[:SHORTCUTS],
    }


def shell(files: Mapping[str, bytes], games: Iterable[str]) -> list[str]:
    """List what is fetched at the first visit: the frame of every page, the pages of no game, the search."""
    games = tuple(games)
    pages = [name for name in files if name.endswith(".html") and not any(_is_page(name, game) for game in games)]
    seen = b"\0".join(files[name] for name in pages)
    pictures = [name for name in files if name.endswith(_PICTURE) and PurePosixPath(name).name.encode() in seen]
    return sorted({*pages, *pictures, *filter(_is_frame, files)})


def pack(pages: Mapping[str, str]) -> bytes:
    """Put *pages* ({address: HTML}) into one file: each different line once, each page as the numbers of its lines.

    The pages of a game share most of their lines, too far apart for gzip to see it.
    """
    numbers: dict[str, int] = {}
    told = {name: [numbers.setdefault(line, len(numbers)) for line in text.split("\n")] for name, text in sorted(pages.items())}
    return gzip.compress(_json({"lines": list(numbers), "pages": told}).encode(), compresslevel=9, mtime=0)


def _packed(site: Path, game: str, pages: Mapping[str, bytes]) -> dict[str, Any]:
    content = pack({name: page.decode() for name, page in pages.items()})
    digest = _digest(content)
    name = f"{PACKS}/{game}/{digest}.pack"
    (site / name).parent.mkdir(parents=True)
    (site / name).write_bytes(content)
    kept = {address: _digest(page) for address, page in pages.items()}
    return {"pack": name, "size": len(content), "digest": digest, "pages": kept}


def _runtime(files: Mapping[str, bytes]) -> dict[str, Any] | None:
    """Tell what the calculators need to start, from the list they start by; None in a site without it."""
    current = files.get(f"{RUNTIME}/current.json")
    if current is None:
        return None
    told = json.loads(current)
    kept = {name: {"size": file["size"], "digest": file["sha256"][:_DIGITS]} for name, file in told["files"].items() if name != SNAPSHOT}
    return {"at": f"{RUNTIME}/", "folder": told["folder"], "files": kept}


def _is_frame(name: str) -> bool:
    if fnmatchcase(name, _LANGUAGES):
        return name in _SPOKEN
    return any(fnmatchcase(name, pattern) for pattern in _FRAME) and not fnmatchcase(name, f"{RUNTIME}/*/*")


def _is_page(name: str, game: str) -> bool:
    return name.startswith(f"{game}/") and name.endswith(".html")


def _address(name: str) -> str:
    """Give the address of a file: a folder answers with its index."""
    return re.sub(r"(^|/)index\.html$", r"\1", name)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGITS]


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.DOTALL)
    return html.unescape(match[1]).strip() if match else ""


def _json(value: Any, indent: int | None = None) -> str:
    separators = None if indent else (",", ":")
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
