"""What makes the finished site an app: every page in its pack, little at once, the same bytes each time."""

import gzip
import json
import re
import struct
from pathlib import Path

import pytest

from generator import offline, texts

ROOT = Path(__file__).parent.parent
GAMES = {"auberge": "L’Auberge", "foire": "La Foire", "vide": "Rien encore"}
CURRENT = {"folder": "1.0-abc", "files": {"app.zip": {"size": 3, "sha256": "a" * 64}, "snapshot.bin": {"size": 9, "sha256": "b" * 64}}}

FILES = {
    "index.html": '<html lang="fr"><head><title>Jeux &amp; règles</title><meta name="description" content="Des jeux."></head>\n<img src="assets/plan.png">',
    "404.html": "<p>Perdu</p>",
    "aide/hors-ligne/index.html": "<p>Sans réseau</p>",
    "auberge/index.html": "<title>Auberge</title>\n<nav>menu</nav>\r\n<p>Entrez.</p>\n",
    "auberge/salle/index.html": "<title>Salle</title>\n<nav>menu</nav>\r\n<p>Asseyez-vous.</p>\n",
    "foire/index.html": "<p>Foire</p>",
    "assets/plan.png": "seen",
    "assets/unseen.png": "unseen",
    "assets/icons/icon-192.png": "icon",
    "assets/css/site.css": "p {}",
    "assets/css/site.css.map": "{}",
    "assets/js/offline.js": "start()",
    "assets/javascripts/lunr/min/lunr.fr.min.js": "fr",
    "assets/javascripts/lunr/min/lunr.de.min.js": "de",
    "assets/javascripts/lunr/wordcut.js": "th",
    "assets/calculators/current.json": json.dumps(CURRENT),
    "assets/calculators/rules-engine.js": "engine",
    "assets/calculators/1.0-abc/rules-worker.js": "worker",
    "assets/calculators/1.0-abc/app.zip": "app",
    "search/search_index.json": "{}",
    "api/v1/index.json": "{}",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return tmp_path / "site"


def told(site: Path) -> dict:
    """Read what the worker knows of the build."""
    line = (site / offline.WORKER).read_text("utf-8").partition("\n")[0]
    return json.loads(line.removeprefix("const SITE = ").removesuffix(";"))


def contents(site: Path) -> dict[str, bytes]:
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


def test_a_pack_holds_each_page_byte_for_byte(site: Path) -> None:
    offline.write(site, GAMES)
    game = told(site)["games"]["auberge"]
    content = (site / game["pack"]).read_bytes()
    pack = json.loads(gzip.decompress(content))
    pages = {name: "\n".join(pack["lines"][number] for number in numbers).encode() for name, numbers in pack["pages"].items()}

    assert pages == {"": FILES["auberge/index.html"].encode(), "salle/": FILES["auberge/salle/index.html"].encode()}
    assert len(pack["lines"]) == len(set(pack["lines"]))
    assert (game["title"], game["size"]) == ("L’Auberge", len(content))
    assert list(told(site)["games"]) == ["auberge", "foire"], "a game without a page has no pack"


def test_what_is_fetched_at_once_is_the_frame_and_the_pages_of_no_game(site: Path) -> None:
    offline.write(site, GAMES)

    assert sorted(told(site)["shell"]) == [
        "",
        "404.html",
        "aide/hors-ligne/",
        "assets/calculators/current.json",
        "assets/calculators/rules-engine.js",
        "assets/css/site.css",
        "assets/javascripts/lunr/min/lunr.fr.min.js",
        "assets/js/offline.js",
        "assets/plan.png",
        "manifest.webmanifest",
        "search/search_index.json",
    ]


def test_the_runtime_is_told_without_the_snapshot(site: Path) -> None:
    offline.write(site, GAMES)

    assert told(site)["runtime"] == {"at": "assets/calculators/", "folder": "1.0-abc", "files": {"app.zip": {"size": 3, "digest": "a" * 16}}}


def test_a_site_without_the_runtime_or_the_help_page_does_without(site: Path) -> None:
    (site / "assets/calculators/current.json").unlink()
    (site / "aide/hors-ligne/index.html").unlink()
    offline.write(site, GAMES)

    assert (told(site)["runtime"], told(site)["fallback"]) == (None, "")


def test_a_site_that_does_not_register_the_worker_gets_none(site: Path) -> None:
    (site / offline.SCRIPT).unlink()
    before = contents(site)
    offline.write(site, GAMES)

    assert contents(site) == before


def test_written_again_it_is_the_same(site: Path) -> None:
    offline.write(site, GAMES)
    first = contents(site)
    offline.write(site, GAMES)

    assert contents(site) == first


@pytest.mark.parametrize("name", ["index.html", "auberge/salle/index.html", "assets/css/site.css", "assets/calculators/current.json"])
def test_any_change_gives_another_worker(name: str, site: Path) -> None:
    offline.write(site, GAMES)
    before, worker = told(site), (site / offline.WORKER).read_bytes()
    path = site / name
    path.write_text(path.read_text("utf-8") + " ", "utf-8")
    offline.write(site, GAMES)

    assert (site / offline.WORKER).read_bytes() != worker
    assert told(site)["version"] != before["version"]
    same = name.startswith("auberge/")
    assert (told(site)["games"]["auberge"] != before["games"]["auberge"]) is same, "a game that did not change is not fetched again"
    assert len(list(site.glob("assets/offline/auberge/*.pack"))) == 1


def test_the_app_bears_the_name_of_the_home_page_and_stands_anywhere(site: Path) -> None:
    offline.write(site, GAMES)
    manifest = json.loads((site / offline.MANIFEST).read_text("utf-8"))
    addresses = [manifest["start_url"], manifest["scope"], *(item["src"] for item in manifest["icons"]), *(item["url"] for item in manifest["shortcuts"])]

    assert (manifest["name"], manifest["description"], manifest["lang"]) == ("Jeux & règles", "Des jeux.", "fr")
    assert [item["src"] for item in manifest["icons"]] == ["assets/icons/icon-192.png"]
    assert [item["name"] for item in manifest["shortcuts"]] == list(GAMES.values())
    assert not [address for address in addresses if address.startswith(("/", "http"))]


@pytest.mark.parametrize("name", offline.ICONS)
def test_the_icons_are_of_the_size_they_say(name: str) -> None:
    content = (ROOT / "site_src" / name).read_bytes()
    width, height = struct.unpack(">II", content[16:24])

    assert content.startswith(b"\x89PNG")
    assert f"{width}x{height}" == offline.ICONS[name]["sizes"]
    assert len(content) < 32_000


def test_every_word_of_the_script_is_told_and_none_is_left_over() -> None:
    words = texts.read()["offline"]["script"]
    script = (ROOT / "site_src" / offline.SCRIPT).read_text("utf-8")
    worker = offline.SOURCE.read_text("utf-8")
    used = set(re.findall(r"'(offline_\w+)'", script)) | {f"offline_{reason}" for reason in re.findall(r"return '(\w+)';", worker)}

    assert used == set(words)
    assert not set(words) & set(texts.read()["site"]["script"])
