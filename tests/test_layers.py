"""The rooms: imports point one way, each outside library is known by one file, rules hold no figure and no name."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Lowest first: a module imports only from its own layer downwards.
CALCULATOR_LAYERS = [
    ["numbers", "strengths"],
    ["dice"],
    ["effort", "refusal", "tables", "mechanisms.parameter"],
    ["functions", "phrases"],
    ["expression"],
    ["inputs", "mechanisms"],
    ["step"],
    ["question"],
    ["names"],
    ["conditions", "lookups", "purchases"],
    ["calls"],
    ["notation"],
    ["mechanism_words"],
    ["explanation"],
    ["rulebook"],
    ["examples", "calculator", "batch"],
    ["form", "chart"],
    ["render"],
    ["browser"],
]
KNOWN_BY = {
    "ruamel": {"load.py"},
    "jsonschema": {"schema.py"},
    "referencing": {"schema.py"},
    "jinja2": {"pages.py"},
    "click": {"cli.py", "speech.py"},
}
# Numbers that are no figure of a game: 0, 1, 2, and a percent's hundred.
PLAIN_NUMBERS = {0, 1, 2}


def modules(package):
    return sorted((ROOT / package).rglob("*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = path.relative_to(ROOT).parent.parts
            prefix = ".".join(base[: len(base) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (prefix, node.module) if part)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def layer(name):
    for place, names in enumerate(CALCULATOR_LAYERS):
        if any(name == known or (known == "mechanisms" and name.startswith("mechanisms.")) for known in names):
            return place
    raise AssertionError(f"calculators/{name} stands in no layer")


def own_name(path):
    parts = path.relative_to(ROOT / "calculators").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def upward(path):
    name = own_name(path)
    for imported in imports(path):
        if imported.startswith("calculators."):
            target = imported.removeprefix("calculators.")
            while target and not (ROOT / "calculators" / (target.replace(".", "/") + ".py")).is_file() and target != "mechanisms":
                target = target.rpartition(".")[0]
            if target and target != name and layer(target) >= layer(name) and not (name.startswith("mechanisms") and target.startswith("mechanisms")):
                yield imported


def foreign(path):
    for imported in imports(path):
        top = imported.split(".")[0]
        if top not in sys.stdlib_module_names and top != "calculators":
            yield imported


@pytest.mark.parametrize("path", modules("calculators"), ids=str)
def test_calculators_import_downwards_and_nothing_but_the_standard_library(path):
    assert list(foreign(path)) == []
    if own_name(path):
        assert list(upward(path)) == []


def test_the_layer_check_can_fail(tmp_path, monkeypatch):
    package = tmp_path / "calculators"
    package.mkdir()
    for name in ("numbers", "question"):
        (package / f"{name}.py").write_text("")
    (package / "numbers.py").write_text("from . import question\nimport jsonschema\n")
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)

    assert list(upward(package / "numbers.py")) == ["calculators.question"]
    assert list(foreign(package / "numbers.py")) == ["jsonschema"]


@pytest.mark.parametrize("path", modules("generator"), ids=str)
def test_each_library_is_known_by_one_file(path):
    for imported in imports(path):
        known = KNOWN_BY.get(imported.split(".")[0])
        assert known is None or path.name in known, imported


def dotted(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_generator_has_no_cycle():
    paths = {dotted(path): path for path in modules("generator")}
    needs = {}
    for name, path in paths.items():
        top = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, (ast.Import, ast.ImportFrom))]
        named = {imported for node in top for imported in _named(node)}
        needs[name] = {imported for imported in named if imported in paths and imported not in (name, "generator")}

    def visit(name, trail):
        assert name not in trail, " → ".join([*trail, name])
        for other in needs[name]:
            visit(other, [*trail, name])

    for name in needs:
        visit(name, [])


def _named(node):
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    inner = [f"{node.module}.{alias.name}" for alias in node.names]
    # `from generator import load` needs the module load, not everything the package holds.
    return inner if node.module == "generator" else [*inner, node.module or ""]


def words_of_games():
    """Return the names a code file may not hold: games, and their records of several words."""
    names = set()
    for path in (ROOT / "data").glob("*/game.yaml"):
        names.add(path.parent.name)
    return names


def sentences_and_names(path):
    """Yield what a code file should not hold: French text, or the name of a game."""
    text = path.read_text(encoding="utf-8")
    for name in words_of_games():
        if re.search(rf"\b{re.escape(name)}\b", text):
            yield name
    if path.suffix == ".py":
        docstrings = {
            ast.get_docstring(node, clean=False) for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        }
        literals = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        literals = [literal for literal in literals if literal not in docstrings]
    else:
        literals = re.findall(r'"([^"\n]*)"|\'([^\'\n]*)\'|`([^`]*)`', re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", text, flags=re.S))
        literals = ["".join(parts) for parts in literals]
    for literal in literals:
        if re.search(r"[a-zà-ÿ]{2,}[’' ][a-zà-ÿ]+", literal) and re.search(r"[àâçéèêëîïôùûœ]", literal):
            yield literal


CODE = [*modules("calculators"), *modules("generator"), *sorted((ROOT / "calculators").rglob("*.js")), *sorted((ROOT / "site_src").rglob("*.js"))]


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_code_holds_no_french_sentence_and_no_game(path):
    assert list(sentences_and_names(path)) == []


def test_the_sentence_check_can_fail(tmp_path):
    (tmp_path / "a.py").write_text("print('Le dé est pipé, hélas')\n", encoding="utf-8")
    (tmp_path / "b.js").write_text("show(`Une réponse arrive`) // un commentaire égaré\n", encoding="utf-8")

    assert len(list(sentences_and_names(tmp_path / "a.py"))) == 1
    assert len(list(sentences_and_names(tmp_path / "b.js"))) == 1


def rule_figures(path):
    """Yield numbers in the mechanisms that no constant names: a figure of a rule would hide there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in PLAIN_NUMBERS and id(node) not in named:
            yield node.value, node.lineno


@pytest.mark.parametrize("path", modules("calculators/mechanisms"), ids=str)
def test_mechanisms_hold_no_figure(path):
    assert list(rule_figures(path)) == []


def test_the_figure_check_can_fail(tmp_path):
    (tmp_path / "a.py").write_text("def cap(level):\n    return level * 25\n")

    assert list(rule_figures(tmp_path / "a.py")) == [(25, 2)]
