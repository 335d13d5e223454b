"""The site: builds repeat, fail safely, never mix, and every page they make is whole."""

import json
import shutil
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from generator import navigation, policy, shell, site, texts, tree

ROOT = Path(__file__).parent.parent


# --- a folder kept equal to what it should hold


def test_only_what_changed_is_written_and_orphans_go(tmp_path):
    folder, source = tmp_path / "out", tmp_path / "source.bin"
    source.write_bytes(b"12")
    assert tree.write(folder, {"a.txt": b"a", "deep/b.txt": b"b", "deep/c.bin": source}) == (3, 0)
    dates = {path: path.stat().st_mtime_ns for path in folder.rglob("*.txt")}

    assert tree.write(folder, {"a.txt": b"a", "deep/b.txt": b"B", "deep/c.bin": source}) == (1, 0)
    assert dates[folder / "a.txt"] == (folder / "a.txt").stat().st_mtime_ns
    source.write_bytes(b"34")
    assert tree.write(folder, {"a.txt": b"a", "deep/c.bin": source}) == (1, 1)
    assert tree.write(folder, {"a.txt": b"a"}) == (0, 1)
    assert sorted(path.name for path in folder.rglob("*")) == ["a.txt"]


def test_a_folder_where_a_file_should_be_gives_way(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_bytes(b"")
    tree.write(tmp_path, {"a": b"file"})

    assert (tmp_path / "a").read_bytes() == b"file"


def test_links_and_hidden_files_are_not_read(tmp_path):
    (tmp_path / "a.md").write_bytes(b"")
    (tmp_path / ".b").write_bytes(b"")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "c").write_bytes(b"")
    (tmp_path / "d.md").symlink_to("/etc/passwd")

    assert list(tree.read(tmp_path)) == ["a.md"]


# --- what is lent to a project that has games alone


def test_a_project_without_settings_is_lent_ours_and_none_of_our_games(small):
    small.write("site_src/credits.md", "# Qui a écrit\n")
    found = shell.sources(small.root)

    assert {"index.md", "aide/contribuer.md", "assets/css/site.css", "assets/emblems/rolotheque.svg", "auberge/jets.md", "overrides/main.html"} <= set(found)
    assert found["credits.md"] == small.root / "site_src" / "credits.md"
    assert {path.split("/")[0] for path in found if path.endswith(".md") and "/" in path} == {"aide", "auberge"}
    assert not [path for path in found if "poisons" in path]


def test_a_project_with_settings_is_lent_nothing(small):
    small.write("mkdocs.yml", "site_name: Auberge\n")

    assert set(shell.sources(small.root)) == set(tree.read(small.root / "site_src"))
    assert shell.settings(small.root) == small.root / "mkdocs.yml"


# --- the content security policy


def test_the_policy_names_the_scripts_inside_the_page_and_no_other():
    html = '<head><meta charset="utf-8"><script>run()</script><script src="x.js"></script><script id="w" type="application/json">{"a":1}</script></head>'
    rule = policy.policy(policy.inline_scripts(html))

    assert policy.inline_scripts(html) == ["run()"]
    assert rule.count("sha256-") == 1
    assert "'unsafe-inline'" not in rule.split("style-src")[0]
    assert policy.guarded(html, rule).startswith('<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"')


# --- the menu


def test_the_menu_lists_games_and_leaves_no_page_out(small):
    files = ["index.md", "calculateurs.md", "credits.md", "aide/a.md", "auberge/index.md", "auberge/jets.md", "auberge/tiers/rate.md"]
    menu = navigation.menu(small.open().games, texts.read()["site"]["nav"], files)

    assert menu == [
        {"Accueil": "index.md"},
        {"Calculateurs": "calculateurs.md"},
        {
            "Auberge": [
                "auberge/index.md",
                {"Les jets": "auberge/jets.md"},
                {"La salle": "auberge/salle.md"},
                {"Tables": "auberge/tables.md"},
                {"Interprétations": "auberge/interpretations.md"},
            ]
        },
        {"Aide": ["aide/a.md"]},
        "credits.md",
    ]


# --- whole builds


@pytest.fixture
def inn(small):
    """The small project, dressed like the real one."""
    for name in ("assets", "overrides", "aide", "index.md", "calculateurs.md", "credits.md"):
        source = ROOT / "site_src" / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, small.root / "site_src" / name, **({"dirs_exist_ok": True} if source.is_dir() else {}))
    shutil.copy(ROOT / "mkdocs.yml", small.root)
    return small


def content(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.slow
def test_a_build_repeats_and_a_failed_one_leaves_the_last(inn):
    stages = []
    built = site.build(inn.root, runtime=False, progress=lambda: stages.append(1))
    first = content(built.site)

    assert len(stages) == site.STAGES
    assert {"index.html", "auberge/jets/index.html", "sitemap.xml.gz", "search/search_index.json"} <= set(first)
    again = site.build(inn.root, runtime=False)
    assert (again.changes, content(again.site)) == ((0, 0), first)

    inn.edit("site_src/auberge/index.md", "pour essayer.", "pour [essayer](nulle-part.md).")
    with pytest.raises(site.SiteError) as raised:
        site.build(inn.root, runtime=False)
    assert raised.value.code == "builder"
    assert "nulle-part.md" in str(raised.value.facts["output"])
    assert content(built.site) == first


@pytest.mark.slow
def test_games_alone_make_a_whole_site(small):
    built = site.build(small.root, runtime=False).site

    assert {"index.html", "assets/css/site.css", "aide/contribuer/index.html", "auberge/jets/index.html"} <= set(content(built))


@pytest.mark.slow
def test_two_builds_at_once_are_refused(inn):
    with site._alone(inn.root / "build"), pytest.raises(site.SiteError) as raised:
        site.build(inn.root, runtime=False)

    assert raised.value.code == "locked"
    assert not (inn.root / "site").exists()


def test_swapping_works_without_the_system_call(tmp_path, monkeypatch):
    monkeypatch.setattr(site, "_exchange", lambda one, other: False)
    for name in ("site", "next"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page").write_text(name)
    site._swap(tmp_path / "next", tmp_path / "site")

    assert [path.name for path in tmp_path.iterdir()] == ["site"]
    assert (tmp_path / "site" / "page").read_text() == "next"


class Html(HTMLParser):
    """What a page must hold together: ids, links, references to ids, its language and its policy."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.references, self.language, self.guarded, self.images = [], [], [], None, False, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "html":
            self.language = found.get("lang")
        if found.get("http-equiv") == "Content-Security-Policy":
            self.guarded = True
        self.links += [found[name] for name in ("href", "src") if found.get(name)]
        for name in ("popovertarget", "for", "aria-describedby", "aria-labelledby"):
            self.references += [target for target in (found.get(name) or "").split() if not target.startswith("__")]


def faults(folder):
    """List what is broken in a built site: double ids, dead links and anchors, pages without language or policy."""
    pages = {path: Html(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(folder).as_posix()
        yield from (f"{name}: id {found} twice" for found, count in Counter(page.ids).items() if count > 1)
        yield from (f"{name}: no id {target}" for target in page.references if target not in page.ids)
        if page.language != "fr" or not page.guarded:
            yield f"{name}: language {page.language}, policy {page.guarded}"
        for link in page.links:
            url = urlsplit(urljoin(f"http://localhost:8000/{name}", link))
            if url.netloc != "localhost:8000":
                if url.scheme in ("http", "https"):
                    yield f"{name}: outside link {link}"
                continue
            target = folder / unquote(url.path).lstrip("/")
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{name}: dead link {link}"
            elif url.fragment and target in pages and unquote(url.fragment) not in pages[target].ids:
                yield f"{name}: dead anchor {link}"


@pytest.mark.slow
def test_every_page_is_whole(inn):
    built = site.build(inn.root, runtime=False)

    assert list(faults(built.site)) == []


SIGNS = """</title><i>" lang="xx &lt;i&gt;"""


@pytest.mark.slow
def test_no_title_of_the_data_is_markup_in_what_the_theme_writes(inn):
    """The checks refuse tags, not a quotation mark; the menu and the head must not need them."""
    for path, text in [
        ("game.yaml", "short: Auberge"),
        ("game.yaml", "summary: Une soirée de jeu dans une auberge, pour essayer le générateur."),
        ("game.yaml", "title: Les jets"),
        ("game.yaml", "summary: Deux dés et trois paliers."),
        ("tiers.yaml", "name: Raté"),
        ("tiers.yaml", "answer: Non"),
    ]:
        key, value = text.split(": ")
        inn.edit(f"data/auberge/{path}", text, f"{key}: '{value} {SIGNS}'")
    built = site.build(inn.root, runtime=False)

    for page in built.site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        assert "<i>" not in html and 'lang="xx' not in html, page
    index = json.loads((built.site / "search/search_index.json").read_text(encoding="utf-8"))
    assert not [entry for entry in index["docs"] if "<i>" in entry["title"]]


@pytest.mark.slow
def test_the_search_finds_records_and_one_entry_a_section(inn):
    built = site.build(inn.root, runtime=False)
    index = json.loads((built.site / "search/search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"]: entry for entry in index["docs"]}

    assert found["auberge/tiers/tout-juste/"]["title"] == "Tout juste"
    assert found["auberge/jets/#jeter"]["title"] == "Jeter les dés"
    assert "auberge/interpretations/#aub-a01" in found
    # What has a page of its own is not found twice, and forms are not found at all.
    assert "Oui, mais" not in found["auberge/jets/#paliers"]["text"]
    assert not [location for location in found if "tables/" in location or "cite-par" in location]
    assert "Revenir au départ" not in "".join(entry["text"] for entry in index["docs"])
    assert b"fold-fr" in (built.site / "assets/javascripts/lunr/min/lunr.fr.min.js").read_bytes()
