"""Questions from outside: whatever comes on the command line or in a batch is answered, refused, or told as wrong usage."""

import json

import pytest
from click.testing import CliRunner

from calculators import batch
from calculators.numbers import dumps, loads
from generator import bundle, cli, site

ROLL = "auberge/roll-result"
GIVEN = '{"dice": [3, 4], "trait": 1}'
RIGHT = f'{{"id": 1, "question": "{ROLL}", "inputs": {GIVEN}}}'


@pytest.fixture
def run(small):
    def runner(*arguments, given=None):
        return CliRunner().invoke(cli.main, [arguments[0], "--project", str(small.root), *arguments[1:]], input=given)

    return runner


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        ((), 0, "Lire un jet"),
        ((ROLL,), 0, "Trait"),
        ((ROLL, "dice=3,4"), 0, "Tout juste"),
        ((ROLL, "--json", GIVEN, "--format", "json"), 0, '"total": 8'),
        ((ROLL, "dice=3"), 1, "nombre de valeurs attendu\u00a0: 2"),
        ((ROLL, "dice=3,4", "trait="), 1, "not-an-integer"),
        ((ROLL, "dice=3,4", "=1"), 1, "unknown-input"),
        ((ROLL, "dice=3,three"), 1, "entrez un nombre entier"),
        ((ROLL, "--json", '{"dice": 3}'), 1, "Écrivez-la entre crochets, comme [3, 4]"),
        ((ROLL, "--json", "null"), 1, "wrong-kind"),
        ((ROLL, "--json", "[1]"), 1, "wrong-kind"),
        ((ROLL, "--json", '{"dice": NaN}'), 1, "wrong-kind"),
        ((ROLL, "--json", '{"dice": [1e400, 1]}'), 1, "not-an-integer"),
        ((ROLL, "dice=3,\udcff"), 1, "not-an-integer"),
        ((ROLL, "dice"), 2, "clé=valeur"),
        ((ROLL, "--json", "{"), 2, "caractère 2"),
        ((ROLL, "--json", "[" * 100_000), 2, "caractère 1"),
        ((ROLL, "--json", "{}", "trait=1"), 2, "pas les deux"),
        (("auberge/rol",), 2, ROLL),
        (("\x1b[31mrol",), 2, "\ufffd[31mrol"),
        ((ROLL, "dice=3,\x1b[31m"), 1, "\ufffd[31m"),
        ((ROLL, "\x1b[31m"), 2, "\ufffd[31m"),
        ((ROLL, "--batch", "-"), 2, "--batch"),
        (("--json", "{}", "--batch", "-"), 2, "--batch"),
        (("--batch", "absent.jsonl"), 2, "absent.jsonl"),
    ],
)
def test_one_question(run, arguments, status, told):
    result = run("ask", *arguments)

    assert result.exit_code == status, result.output
    assert told in result.output.replace("\u202f", " ")
    assert "Traceback" not in result.output


# Words of the command-line library that a French sentence has not.
ENGLISH = ("Usage:", "Error", "Try ", "such", "exit", "Invalid", "valid", "Missing", "default", "does not", "file", "Directory", "range", "mean")


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("--help",), 0, "Affiche cette aide"),
        (("ask", "--help"), 0, "par défaut : text"),
        (("serve", "--help"), 0, "par défaut : 8000"),
        (("chek",), 2, "Vouliez-vous écrire 'check'"),
        (("--project", ".", "check"), 2, "L’option « --project » n’existe pas ici."),
        (("check", "too", "many"), 2, "too many"),
        (("check", "--project"), 2, "attend une valeur"),
        (("check", "--project", "/absent"), 2, "« /absent » n’existe pas"),
        (("check", "--project", __file__), 2, "est un fichier ; donnez un dossier"),
        (("serve", "--port", "x"), 2, "n’est pas un nombre entier"),
        (("serve", "--port", "70000"), 2, "hors bornes"),
        (("ask", "--format", "xml"), 2, "'text', 'json'"),
        (("ask", "--formt", "json"), 2, "'--format'"),
        (("ask", "--batch", "absent.jsonl"), 2, "« absent.jsonl » ne peut pas être lu : introuvable"),
        (("build", "--no-runtime=1"), 2, "ne prend pas de valeur"),
    ],
)
def test_wrong_usage_is_told_in_french(arguments, status, told):
    result = CliRunner().invoke(cli.main, arguments, prog_name="rolotheque")
    output = " ".join(result.output.replace("\u202f", " ").replace("\u00a0", " ").split())

    assert result.exit_code == status, result.output
    assert told in output
    assert [word for word in ENGLISH if word in output.replace(__file__, "").replace("--no-runtime", "")] == []


def test_questions_are_described_to_a_program(run):
    listed = json.loads(run("ask", "--format", "json").output)
    described = json.loads(run("ask", ROLL, "--format", "json").output)

    assert listed == {"questions": [{"question": ROLL, "title": "Lire un jet", "summary": "Quel palier ce total atteint-il ?"}]}
    assert described["inputs"].keys() == {"dice", "trait"}
    assert described["outputs"]["tier"] == {"label": "Palier", "kind": "choice", "table": "tiers"}
    assert described["example"] == json.loads(GIVEN)


def test_an_input_is_described_with_its_parts(run):
    output = run("ask", ROLL).output.replace("\u202f", " ")

    assert "\n      chaque élément (nombre entier ; au moins 1 ; au plus 6)\n" in output


def test_an_input_given_twice_is_wrong_usage(run):
    result = run("ask", ROLL, "dice=3,4", "dice=4,4")

    assert result.exit_code == 2
    assert "« dice » est donnée deux fois" in result.output.replace("\u202f", " ")


def test_a_wrong_formula_is_told_with_its_place(run, small):
    small.edit("data/auberge/questions/jets.yaml", "sum(dice) + trait", "sum(dice + trait")

    result = run("ask", ROLL, "dice=3,4")

    assert result.exit_code == 1
    assert "data/auberge/questions/jets.yaml:10:39: " in result.output


LINES = {
    b"": None,
    b"  \t\r": None,
    b"\xef\xbb\xbf": None,
    RIGHT.encode(): (1, None),
    b"\xef\xbb\xbf" + RIGHT.encode(): (1, None),
    RIGHT.encode() + b"\r": (1, None),
    RIGHT.replace("1,", '"\\ud800",', 1).encode(): ("\ud800", None),
    RIGHT.replace("1,", "1.5,", 1).encode(): (1.5, None),
    RIGHT.replace("1,", "[1, null],", 1).encode(): ([1, None], None),
    RIGHT.replace("[3, 4]", "[3, 4, 5]").encode(): (1, "wrong-count"),
    RIGHT.replace("[3, 4]", '"' + "x" * 900_000 + '"').encode(): (1, "wrong-kind"),
    RIGHT.replace(GIVEN, "null").encode(): (1, "wrong-kind"),
    RIGHT.replace(GIVEN, "[" * 50 + "]" * 50).encode(): (1, "wrong-kind"),
    RIGHT.replace("roll", "rol").encode(): (1, "unknown-question"),
    RIGHT.replace(f'"{ROLL}"', "[1]").encode(): (1, "unknown-question"),
    b"{}": (None, "unknown-question"),
    RIGHT.replace(GIVEN, "[" * 1000 + "]" * 1000).encode(): (None, "bad-line"),
    b"[" * 100_000: (None, "bad-line"),
    b"[" * 100_000 + b"]" * 100_000: (None, "bad-line"),
    b'"' + b"x" * 2_000_000 + b'"': (None, "bad-line"),
    b"{": (None, "bad-line"),
    b"null": (None, "bad-line"),
    RIGHT.encode() + b"\xff": (None, "bad-line"),
    RIGHT.encode("utf-16"): (None, "bad-line"),
    bytes(byte for byte in range(256) if byte != 10): (None, "bad-line"),
}


def test_a_batch_gives_one_line_for_each_line_in_order(run, tmp_path):
    expected = [answer for answer in LINES.values() if answer is not None]
    (tmp_path / "questions.jsonl").write_bytes(b"\n".join(LINES))

    result = run("ask", "--batch", str(tmp_path / "questions.jsonl"))
    answers = [json.loads(line) for line in result.stdout_bytes.decode().split("\n")[:-1]]

    assert result.exit_code == 0
    assert [(answer["id"], answer.get("error", {}).get("code")) for answer in answers] == expected
    assert all(len(dumps(answer)) < 5000 for answer in answers)
    assert result.stdout.splitlines() == result.stdout.split("\n")[:-1]


def test_a_batch_line_without_a_question_says_so(run):
    assert "« question » manque" in run("ask", "--batch", "-", given=b"{}").output.replace("\u202f", " ")


def test_a_batch_from_the_standard_input(run):
    assert run("ask", "--batch", "-", given=b"").output == ""
    assert json.loads(run("ask", "--batch", "-", given=RIGHT.encode()).output)["outputs"] == {"total": 8, "tier": "tout-juste"}


def test_a_batch_takes_text_too(rulebook):
    assert json.loads(next(batch.answer_lines(rulebook, ["[]"])))["error"]["code"] == "bad-line"


@pytest.mark.parametrize("text", ["\u2028", "\u0085", "\x7f", "\ud800"])
def test_a_line_of_json_is_one_line_for_every_reader(text):
    line = dumps({"a": text})

    assert line.isascii()
    assert loads(line) == {"a": text}


@pytest.mark.parametrize("arguments", [("export", "--out", "{root}/taken/out"), ("build", "--no-runtime")])
def test_what_cannot_be_written_is_told(run, small, arguments):
    small.write("taken", "x")
    small.write("build", "x")

    result = run(*(argument.format(root=small.root) for argument in arguments))

    assert result.exit_code == 1
    assert "Impossible d’écrire" in result.output
    assert isinstance(result.exception, SystemExit)


def test_a_build_without_node_is_told(run, small, monkeypatch):
    def build(*_, **__):
        raise bundle.BundleError("node-missing")

    monkeypatch.setattr(site, "build", build)

    result = run("build")

    assert (result.exit_code, "Node.js" in result.output) == (1, True)
