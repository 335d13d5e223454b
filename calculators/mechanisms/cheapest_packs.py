"""The cheapest packs: reach an amount exactly with packs of several sizes, each as often as one likes."""

from .parameter import FORMULA, Parameter

MOST_AMOUNT = 10_000
# What it costs to weigh one pack against the others.
WAY = 10

parameters = {"amount": Parameter(FORMULA), "sizes": Parameter(FORMULA), "prices": Parameter(FORMULA)}
gives = ("price", "packs")


def run(arguments, scope):
    """Return {"price", "packs"}: the least price of exactly *amount*, and how many packs of each size as {size: count}.

    *sizes* and *prices* are lists that go together; among equal prices the larger packs are taken.
    """
    amount = arguments["amount"].evaluate(scope)
    sizes, prices = arguments["sizes"].evaluate(scope), arguments["prices"].evaluate(scope)
    if not 0 <= amount <= MOST_AMOUNT or any(size < 1 for size in sizes):
        raise ValueError("packs")
    scope.spend(amount * len(sizes) * WAY)
    packs = sorted(zip(sizes, prices, strict=True), reverse=True)
    best = [(0, None)]
    for reached in range(1, amount + 1):
        ways = [(best[reached - size][0] + price, size) for size, price in packs if size <= reached and best[reached - size] is not None]
        best.append(min(ways, key=lambda way: way[0]) if ways else None)
    if best[amount] is None:
        raise ValueError("packs")
    counts, left = {}, amount
    while left:
        size = best[left][1]
        counts[str(size)] = counts.get(str(size), 0) + 1
        left -= size
    return {"price": best[amount][0], "packs": counts}
