"""Chances and grids as HTML tables: bars for the eye, figures for everyone."""

from html import escape

from .numbers import is_number, percent
from .phrases import fraction

# How finely a bar is drawn: steps of a hundredth of its cell.
BAR_STEPS = 100
BAR = '<svg class="rc-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect width="{width}" height="8"></rect></svg>'
ORIGIN = "✦"


def chance(value):
    """Return one chance: its percentage, and the exact fraction for who wants it."""
    return exactly(percent(value), fraction(value), "rc-percent")


def exactly(words, exact, style="rc-number"):
    """Return a number in *words*, then the *exact* fraction when there is one."""
    told = f'<span class="{style}">{escape(words)}</span>'
    return f'{told} <span class="rc-fraction">{exact}</span>' if exact else told


def chances(label, pairs, words, head):
    """Return [(name, chance)] as a table with bars, *head* over the names; for numbers, the chance to reach each or more is a column too."""
    pairs = [(str(name), value) for name, value in pairs if is_number(value)]
    cumulated = len(pairs) > 2 and all(name.lstrip("-−").isdigit() for name, _ in pairs)
    most = max((value for _, value in pairs), default=1) or 1
    left, rows = 1, []
    for name, value in pairs:
        cells = [
            f'<th scope="row">{escape(name)}</th>',
            f'<td class="rc-bar-cell">{BAR.format(width=int(value * BAR_STEPS / most))}</td>',
            f"<td>{chance(value)}</td>",
        ]
        if cumulated:
            cells.append(f'<td class="rc-cumulated">{percent(left)}</td>')
        left -= value
        rows.append(f"<tr>{''.join(cells)}</tr>")
    heads = [f'<th scope="col">{escape(head)}</th>', "<td></td>", f'<th scope="col">{escape(words["chance"])}</th>']
    if cumulated:
        heads.append(f'<th scope="col" class="rc-cumulated">{escape(words["at_least"])}</th>')
    return f'<table class="rc-chart"><caption>{escape(label)}</caption><thead><tr>{"".join(heads)}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def grid(label, cells):
    """Return a grid of distances; the origin is a star, each cell tells its distance to the style sheet."""
    rows = "".join("<tr>" + "".join(f'<td data-distance="{distance}">{distance or ORIGIN}</td>' for distance in row) + "</tr>" for row in cells)
    name = escape(label)
    return (
        f'<div class="rc-grid-wrap" tabindex="0" role="region" aria-label="{name}">'
        f'<table class="rc-grid"><caption>{name}</caption><tbody>{rows}</tbody></table></div>'
    )
