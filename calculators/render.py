"""An answer and its calculator as HTML: the only place where rules become markup, for the build and for the browser."""

from html import escape

from . import chart
from .calculator import WAITS, Calculator, spread_words, summary, worked_out
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
    pairs = tool.answer(start)
    sections = "".join(_section(question, inside) for (question, _), inside in zip(pairs, answers(rulebook, pairs), strict=True))
    summary_text = f'<p class="rc-summary">{escape(tool.spec["summary"])}</p>' if tool.spec.get("summary") else ""
    return (
        f'<rule-calculator id="{escape(tool.name)}" data-calculator="{escape(identifier)}">'
        f'<p class="rc-title">{escape(tool.title)}</p>{summary_text}{form(tool, start, words)}'
        f'<div class="rc-answers">{sections}</div>'
        f'<section class="rc-log" hidden aria-label="{escape(words["history"])}"><p class="rc-log-title">{escape(words["history"])}</p>'
        f'<ol class="rc-history"></ol></section>'
        f"<noscript><p>{escape(words['noscript'])}</p></noscript></rule-calculator>"
    )


def _section(question, inside):
    return f'<section class="rc-answer" role="group" data-question="{escape(question.id)}" aria-label="{escape(question.title)}">{inside}</section>'


def answers(rulebook, pairs):
    """Return the inside of each answer's section; a refusal told by one before is told again in a low voice."""
    told, inside = set(), []
    for question, result in pairs:
        message = rulebook.error(question, result.refusal)["message"] if result.refusal is not None else None
        inside.append(answer(rulebook, question, result, message in told or (result.refusal is not None and result.refusal.template == WAITS)))
        told.add(message)
    return inside


def answer(rulebook, question, result, low=False):
    """Return the inside of an answer's section: dice, outputs, notes, readings, explanation; or the refusal, in a *low* voice or not."""
    heading = f'<p class="rc-question">{escape(question.title)}</p>'
    if result.refusal is not None:
        error = rulebook.error(question, result.refusal)
        style = "rc-waits" if low else "rc-refusal"
        return f'{heading}<p class="{style}" data-code="{escape(error["code"])}">{escape(error["message"])}</p>'
    told, words = rulebook.tell(question, result), rulebook.texts["answer"]
    parts = [heading, _dice(question, result), _outputs(question, result, rulebook), _notes(told), _readings(told, words), _steps(question, told, words)]
    return "".join(parts)


def _dice(question, result):
    """Draw the dice that were given or rolled, each input's on a line of its own under its name."""
    lines = []
    for part in question.inputs.values():
        if "roll" in part.spec:
            sides, values = worked_out(part.roll.get("sides"), result.work), _faces(result.work.get(part.name))
            kept = worked_out(part.kept, result.work)
            kept = values if kept is None else _faces(kept)
            drawn = "".join(_die(value, sides, out) for value, out in _left_out(values, kept))
            if drawn:
                lines.append(f'<p class="rc-dice"><span class="rc-dice-label">{escape(part.label)}</span> {drawn}</p>')
    return "".join(lines)


def _left_out(values, kept):
    """Yield (face, whether it is left out) of each die; of equal faces the first are the *kept* ones."""
    left = list(kept)
    for value in values:
        if value in left:
            left.remove(value)
            yield value, False
        else:
            yield value, True


def _die(value, sides, out=False):
    name = "s" if out else "span"
    sides = sides if isinstance(sides, int) else ""
    return f'<{name} class="rc-die" data-sides="{sides}" data-value="{value}">{value}</{name}>'


def _faces(value):
    """Return the whole numbers among the faces of dice: nothing else of the data is drawn."""
    return [face for face in (value if isinstance(value, list) else [value]) if isinstance(face, int)]


def _outputs(question, result, rulebook):
    """Return short outputs as lists of terms, the main ones first, then those of each group; then distributions and grids, each as a table."""
    teller, words = Teller(question, rulebook.texts), rulebook.texts["answer"]
    wanted = question.main_outputs(result)
    lists, tables = {True: [], "": []}, []
    for name, output in question.outputs.items():
        head = output.spec.get("rows", words["outcome"])
        if name in result.spreads:
            tables.append(chart.chances(output.label, spread_words(question, output, result.spreads[name]), words, head))
        elif name in result.outputs:
            value = result.outputs[name]
            if output.kind == "grid":
                tables.append(chart.grid(output.label, value))
            elif _is_distribution(output, value):
                names = output.spec.get("labels") or [french(place) for place in range(len(value))]
                tables.append(chart.chances(output.label, list(zip(names, value, strict=False)), words, head))
            else:
                place = name in wanted or output.spec.get("group", "")
                lists.setdefault(place, []).append(_term(output, value, teller, name in wanted))
    lists[""] = lists.pop(True) + lists[""]
    return "".join(_terms(group, terms) for group, terms in lists.items() if terms) + "".join(tables)


def _term(output, value, teller, main):
    mark = " data-main" if main else ""
    told = f"<dt>{escape(output.label)}</dt><dd>{_value(output, value, teller)}</dd>"
    return f'<div class="rc-output" data-kind="{escape(_shape(output, value))}"{mark}>{told}</div>'


def _terms(group, terms):
    title = f'<p class="rc-group">{escape(group)}</p>' if group else ""
    return f'{title}<dl class="rc-outputs">{"".join(terms)}</dl>'


def _shape(output, value):
    """Return how an output is laid out: as its kind is, or in lines for a list of records."""
    return "lines" if isinstance(value, list) and value and output.spec.get("items", {}).get("kind") == "record" else output.kind


def _is_distribution(output, value):
    return isinstance(value, list) and bool(value) and output.spec.get("items", {}).get("kind") in CHANCE_KINDS and all(map(is_number, value))


def _value(output, value, teller):
    """Return one output: a chance with its fraction, a list of records one a line, anything else in words."""
    if is_number(value) and output.kind in CHANCE_KINDS:
        return chart.chance(value)
    if _shape(output, value) == "lines":
        return f"<ul>{''.join(f'<li>{escape(teller.output(output, [item]))}</li>' for item in value)}</ul>"
    if is_number(value):
        return chart.exactly(*teller.number(output.name, value))
    return escape(teller.output(output, value))


def _notes(told):
    notes = "".join(f"<li>{escape(note)}</li>" for note in told.get("notes", []))
    return f'<ul class="rc-notes">{notes}</ul>' if notes else ""


def _readings(told, words):
    lines = []
    for used in told.get("readings", []):
        address = f"../interpretations/#{used['id'].lower()}"
        lines.append(f'<li>{escape(fill(words["reading"], used, {}))} <a href="{escape(address)}">{escape(used["id"])}</a></li>')
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
    head = f"{step['label']}{NBSP}:"
    rest, marked = step["text"].removeprefix(head), [f'<span class="rc-step-label">{escape(head)}</span>']
    # What is the result itself is written once.
    formula, values = ("" if step[key] == step["shown"] else step[key] for key in ("formula", "values"))
    for style, part in (("formula", formula), ("values", values if values != formula else ""), ("result", step["shown"])):
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
    """Return what is said of the answers in a breath: the main outputs of the first one, or its refusal."""
    question, result = pairs[0]
    return summary(rulebook, question, result, question.main_outputs(result))
