"""The command line: the only file that prints or exits. Exit 0 done, 1 refused or problems found, 2 wrong usage."""

import io
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from calculators import batch
from calculators.inputs import from_text
from calculators.numbers import dumps, loads
from calculators.rulebook import Rulebook, UnknownQuestion
from generator import checks, compendium, speech, telling, texts
from generator.records import Project

WORDS = texts.read()["cli"]
REFUSED, USAGE = 1, 2
# Before the first command is declared: its help is written then.
speech.teach(WORDS["library"])


def _help(command: str) -> dict[str, str]:
    """Return the help of a command and its example, kept with the other texts."""
    return {"help": WORDS[command]["help"], "short_help": WORDS[command]["short"], "epilog": "\b\n" + WORDS[command]["example"]}


def _project_option(function: Any) -> Any:
    kind = click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path)
    return click.option("--project", "root", default=".", type=kind, metavar="DIR", help=WORDS["project"])(function)


@click.group(help=WORDS["help"], epilog="\b\n" + WORDS["example"], context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rolotheque")
def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        # What is read by a program is UTF-8 everywhere; what a terminal cannot show must not stop the rest.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


@main.command(**_help("check"))
@_project_option
def check(root: Path) -> None:
    project = _proved(root)
    click.echo(telling.proved(project, WORDS))


@main.command(**_help("build"))
@_project_option
@click.option("--no-runtime", is_flag=True, help=WORDS["no-runtime"])
def build(root: Path, no_runtime: bool) -> None:
    _proved(root)
    _build(root, runtime=not no_runtime)
    click.echo(WORDS["built"].format(path=root / "site"))


@main.command(**_help("serve"))
@_project_option
@click.option("--port", default=8000, show_default=True, metavar="PORT", type=click.IntRange(0, 65535), help=WORDS["port"])
@click.option("--no-watch", is_flag=True, help=WORDS["no-watch"])
def serve(root: Path, port: int, no_watch: bool) -> None:
    from generator import server

    _proved(root)
    _build(root)
    try:
        listening = server.Server(root / "site", port)
    except OSError as error:
        raise _refused(WORDS["port-taken"].format(port=port, error=error)) from None
    click.echo(WORDS["serving"].format(address=listening.address))
    stop = threading.Event()
    if not no_watch:
        threading.Thread(target=server.watch, args=(root, lambda: _rebuild(root), stop), daemon=True).start()
    try:
        listening.serve_forever()
    except KeyboardInterrupt:
        click.echo(WORDS["stopped"])
    finally:
        stop.set()
        listening.server_close()


def _build(root: Path, runtime: bool = True) -> Any:
    """Build the site with its progress on the error output; what the builder refuses is told, never a traceback."""
    from generator import bundle, chapters, pages, site

    try:
        with click.progressbar(length=site.STAGES, label=WORDS["building"], file=sys.stderr) as bar:
            return site.build(root, runtime=runtime, progress=lambda: bar.update(1))
    except (site.SiteError, pages.PageError, chapters.PlaceError) as error:
        raise _refused(telling.failure(error, texts.read()["site"])) from None
    except bundle.BundleError as error:
        raise _refused(telling.failure(error, {"errors": texts.read()["browser"]["build"]})) from None
    except OSError as error:
        raise _refused(telling.system(error, texts.read())) from None


def _rebuild(root: Path) -> None:
    """Build again after a change; wrong data is told and the last good site stays."""
    try:
        _proved(root)
        built = _build(root)
    except SystemExit:
        return
    click.echo(WORDS["rebuilt"].format(count=built.changes.written))


@main.command(**_help("export"))
@_project_option
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=None, help=WORDS["out"])
def export(root: Path, out: Path | None) -> None:
    from generator import exports

    project = _proved(root)
    folder = out or root / "build" / "export"
    try:
        written = exports.write(project, folder)
    except OSError as error:
        raise _refused(telling.system(error, texts.read())) from None
    click.echo(WORDS["exported"].format(files=written, path=folder))


def _questions(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a question's name; bad data completes nothing rather than failing in the shell."""
    project = compendium.open_project(Path(context.params.get("root") or "."))
    found = []
    for game in project.games.values():
        for name, question in game.questions.items():
            if f"{game.id}/{name}".startswith(incomplete):
                found.append(CompletionItem(f"{game.id}/{name}", help=question.get("title", "")))
    return found


class _Lines(click.File):
    """A file of questions, or the standard input; one that cannot be read is told with the reason."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            if value != "-":
                open(value, "rb").close()
        except OSError as error:
            reason = telling.reason(error, texts.read())
            raise click.UsageError(WORDS["batch-file"].format(path=telling.visible(value), reason=reason), ctx) from None
        return super().convert(value, param, ctx)


@main.command(**_help("ask"))
@_project_option
@click.argument("question", required=False, shell_complete=_questions)
@click.argument("inputs", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--json", "as_json", metavar="JSON", help=WORDS["json"])
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help=WORDS["format"])
@click.option("--batch", "lines", type=_Lines("rb"), metavar="FILE", help=WORDS["batch"])
def ask(root: Path, question: str | None, inputs: tuple[str, ...], as_json: str | None, form: str, lines: Iterable[bytes] | None) -> None:
    if lines is not None and (question is not None or as_json is not None):
        raise click.UsageError(WORDS["batch-alone"])
    rulebook = _rulebook(root)
    if lines is not None:
        for line in batch.answer_lines(rulebook, lines):
            click.echo(line)
        return
    if question is None:
        click.echo(dumps(telling.listing(rulebook)) if form == "json" else telling.questions(rulebook, WORDS))
        return
    try:
        asked = rulebook.question(question)
    except UnknownQuestion:
        raise click.UsageError(telling.unknown(rulebook, question, WORDS)) from None
    if as_json is None and not inputs:
        click.echo(dumps(telling.signature(asked)) if form == "json" else telling.described(rulebook, asked, WORDS))
        return
    result = asked.answer(_given(asked, inputs, as_json))
    answer = rulebook.tell(asked, result)
    click.echo(dumps(answer) if form == "json" else telling.answer(rulebook, asked, result, answer, WORDS))
    if result.refusal is not None:
        raise SystemExit(REFUSED)


def _given(asked: Any, inputs: tuple[str, ...], as_json: str | None) -> Any:
    """Return the inputs of the command line."""
    if as_json is not None and inputs:
        raise click.UsageError(WORDS["json-alone"])
    if as_json is not None:
        try:
            return loads(as_json)
        except ValueError as error:
            raise click.UsageError(WORDS["bad-json"].format(place=getattr(error, "pos", 0) + 1)) from None
    given: dict[str, Any] = {}
    for text in inputs:
        name, separator, value = text.partition("=")
        if not separator:
            raise click.UsageError(WORDS["bad-pair"].format(given=telling.visible(text)))
        if name in given:
            raise click.UsageError(WORDS["given-twice"].format(name=telling.visible(name)))
        given[name] = from_text(asked.inputs.get(name), value)
    return given


def _rulebook(root: Path) -> Rulebook:
    """Return the rulebook of *root*; a project that cannot be read, or a formula of it, is refused with all its problems."""
    project = compendium.open_project(root)
    rulebook = Rulebook(compendium.rules(project, texts.read()))
    if project.problems or any(rulebook.faults(question) for question in rulebook.questions()):
        _report(checks.run(project, texts.read()))
    return rulebook


def _proved(root: Path) -> Project:
    """Return the project of *root* when nothing is wrong in it, else print every problem and stop."""
    project = compendium.open_project(root)
    problems = checks.run(project, texts.read())
    if problems:
        _report(problems)
    return project


def _report(problems: Iterable[Any]) -> None:
    problems = list(problems)
    for problem in problems:
        click.echo(str(problem))
    raise _refused(telling.counted(WORDS["problems"], len(problems)))


def _refused(message: str) -> SystemExit:
    click.echo(message, err=True)
    return SystemExit(REFUSED)
