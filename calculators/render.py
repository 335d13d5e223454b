"""An answer and its calculator as HTML: the only place where rules become markup, for the build and for the browser."""

from html import escape

from . import chart
from .calculator import Calculator, spread_words, summary
from .explanation import Teller
from .form import form
from .names import CHANCE_KINDS
from .numbers import french, is_number
from .refusal import fill

NBSP = "\u00a0"


def calculator(rulebook, identifier):
    """Return the whole ``<rule-calculator>``: its form with the start inputs and the answers for them."""
    tool = Calculator(rulebook, identifier)
    start, words = tool.start(), rulebook.texts["form"]
    answers = "".join(_section(rulebook, question, result, start) for question, result in tool.answer(start))
    summary_text = f'<p class="rc-summary">{escape(tool.spec["summary"])}</p>' if tool.spec.get("summary") else ""
    return (
        f'<rule-calculator id="{escape(tool.name)}" data-calculator="{escape(identifier)}">'
        f'<p class="rc-title">{escape(tool.title)}</p>{summary_text}{form(tool, start, words)}'
        f'<div class="rc-answers">{answers}</div>'
        f'<section class="rc-log" hidden aria-label="{escape(words["history"])}"><p class="rc-log-title">{escape(words["history"])}</p>'
        f'<ol class="rc-history"></ol></section>'
        f"<noscript><p>{escape(words['noscript'])}</p></noscript></rule-calculator>"
    )


def _section(rulebook, question, result, given):
    inside = answer(rulebook, question, result, given)
    return f'<section class="rc-answer" role="group" data-question="{escape(question.id)}" aria-label="{escape(question.title)}">{inside}</section>'


def answer(rulebook, question, result, given):
    """Return the inside of an answer's section: dice, outputs, notes, readings, explanation; or the refusal."""
    heading = f'<p class="rc-question">{escape(question.title)}</p>'
    if result.refusal is not None:
        error = rulebook.error(question, result.refusal)
        return f'{heading}<p class="rc-refusal" data-code="{escape(error["code"])}">{escape(error["message"])}</p>'
    told, words = rulebook.tell(question, result), rulebook.texts["answer"]
    parts = [heading, _dice(question, given), _outputs(question, result, rulebook), _notes(told), _readings(told, words), _steps(question, told, words)]
    return "".join(parts)


def _dice(question, given):
    """Draw the dice that were given or rolled."""
    faces = []
    for name, part in question.inputs.items():
        values = given.get(name)
        if "roll" in part.spec and values is not None:
            sides = part.spec["roll"].get("sides")
            faces += [_die(value, sides if isinstance(sides, int) else "") for value in _listed(values) if isinstance(value, int)]
    return f'<p class="rc-dice">{"".join(faces)}</p>' if faces else ""


def _die(value, sides):
    return f'<span class="rc-die" data-sides="{sides}" data-value="{value}">{value}</span>'


def _listed(value):
    return value if isinstance(value, list) else [value]


def _outputs(question, result, rulebook):
    """Return short outputs as a list of terms, then distributions and grids, each as a table."""
    teller, words = Teller(question, rulebook.texts), rulebook.texts["answer"]
    terms, tables = [], []
    for name, output in question.outputs.items():
        if name in result.spreads:
            tables.append(chart.chances(output.label, spread_words(question, output, result.spreads[name]), words))
        elif name in result.outputs:
            value = result.outputs[name]
            if output.kind == "grid":
                tables.append(chart.grid(output.label, value))
            elif _is_distribution(output, value):
                names = output.spec.get("labels") or [french(place) for place in range(len(value))]
                tables.append(chart.chances(output.label, list(zip(names, value, strict=False)), words))
            else:
                told = f"<dt>{escape(output.label)}</dt><dd>{_value(output, value, teller)}</dd>"
                terms.append(f'<div class="rc-output" data-kind="{escape(output.kind)}">{told}</div>')
    listing = f'<dl class="rc-outputs">{"".join(terms)}</dl>' if terms else ""
    return listing + "".join(tables)


def _is_distribution(output, value):
    return isinstance(value, list) and bool(value) and output.spec.get("items", {}).get("kind") in CHANCE_KINDS and all(map(is_number, value))


def _value(output, value, teller):
    """Return one output: a chance with its fraction, a list of records one a line, anything else in words."""
    if is_number(value) and output.kind in CHANCE_KINDS:
        return chart.chance(value)
    if isinstance(value, list) and output.spec.get("items", {}).get("kind") == "record":
        rows = "".join(f"<li>{escape(teller.output(output, [item]))}</li>" for item in value)
        return f"<ul>{rows}</ul>" if rows else escape(teller.words["nothing"])
    return escape(teller.output(output, value))


def _notes(told):
    notes = "".join(f"<li>{escape(note)}</li>" for note in told.get("notes", []))
    return f'<ul class="rc-notes">{notes}</ul>' if notes else ""


def _readings(told, words):
    lines = []
    for used in told.get("readings", []):
        address = f"../interpretations/#{used['id'].lower()}"
        lines.append(f'<li><a href="{escape(address)}">{escape(used["id"])}</a> — {escape(fill(words["reading"], used, {}))}</li>')
    return f'<ul class="rc-readings">{"".join(lines)}</ul>' if lines else ""


def _steps(question, told, words):
    """Return the explanation: for each step its formula, the figures put in, the result; then a link to the rule."""
    if not told["steps"]:
        return ""
    chapter = question.spec.get("chapter")
    steps = "".join(f"<li>{_step(step)}{_rule(step['rule'], words) if step.get('rule', chapter) != chapter else ''}</li>" for step in told["steps"])
    link = f'<p class="rc-rule">{_rule(chapter, words)}</p>' if chapter else ""
    return f'<details class="rc-steps"><summary>{escape(words["steps"])}</summary><ol>{steps}</ol>{link}</details>'


def _step(step):
    """Return the line of a step as it is told everywhere, its parts marked for the style sheet."""
    rest, marked = step["text"], []
    for style, part in (("step-label", step["label"]), ("formula", step["formula"]), ("values", step["values"]), ("result", step["shown"])):
        before, found, after = rest.partition(part) if part else (rest, "", "")
        if found:
            marked.append(f'{escape(before)}<span class="rc-{style}">{escape(part)}</span>')
            rest = after
    return "".join(marked) + escape(rest)


def _rule(chapter, words):
    return f'<a href="{escape(chapter_address(chapter))}">{escape(words["rule"])}</a>'


def chapter_address(chapter):
    """Return the address of ``chapter#anchor`` from another chapter page of the same game."""
    page, _, anchor = chapter.partition("#")
    return f"../{page}/" + (f"#{anchor}" if anchor else "")


def dice_roll(dice, faces, total):
    """Return the drawn dice of a roll and its total."""
    return f'<span class="rc-dice">{"".join(_die(face, dice.sides) for face in faces)}</span> <strong class="rc-total">{french(total)}</strong>'


def spoken(rulebook, pairs):
    """Return what a screen reader says of the answers: the first one, or its refusal."""
    return summary(rulebook, *pairs[0]) if pairs else ""
