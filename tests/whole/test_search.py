"""French search as people type it: sixty queries in the real search box, and where each must lead."""

from collections import Counter
from pathlib import Path

import pytest

from generator import load

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HERE = Path(__file__).parent
QUERIES = load.read(HERE / "search-queries.yaml", HERE).value
FIRST, ENOUGH = 3, 57
PATIENCE, SETTLE_MS = 12, 150


def addresses(page):
    """Return the addresses of the first results, as the box lists them now."""
    return page.locator("a.md-search-result__link").evaluate_all(f"links => links.slice(0, {FIRST}).map((link) => link.href)")


def results(page, query):
    """Type *query* and return the addresses of its first results, once the list has changed and come to rest."""
    box, before = page.locator(".md-search__input"), addresses(page)
    box.press("Control+a")
    box.press_sequentially(query)
    last = None
    for _ in range(PATIENCE):
        page.wait_for_timeout(SETTLE_MS)
        now = addresses(page)
        if now == last and now != before:
            break
        last = now
    return last


def test_sixty_queries_lead_where_they_should(visit):
    page = visit.open("")
    page.locator(".md-search__input").click()
    # The theme listens to keys, not to what is put in the box.
    page.locator(".md-search__input").press_sequentially("code")
    page.locator("a.md-search-result__link").first.wait_for(state="attached", timeout=60_000)
    ranks, missed = Counter(), []
    for asked in QUERIES:
        found = results(page, asked["query"])
        rank = next((place for place, address in enumerate(found, 1) if any(part in address for part in asked["to"])), None)
        ranks[rank] += 1
        if rank is None:
            missed.append((asked["query"], found))
    print(f"rank of the target of {len(QUERIES)} queries: {dict(ranks)}; missed {missed}")

    assert len(QUERIES) == 60
    assert len(QUERIES) - len(missed) >= ENOUGH, missed
