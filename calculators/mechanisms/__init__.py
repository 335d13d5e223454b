"""The mechanisms a step may name: what no formula can say, generic, with every figure given by data.

Each module has `parameters` {name: kind of parameter} and `run(arguments, scope)`. It may have `gives`, the names of its
results, `written(arguments, tables)`, the formulas it reads in tables, and `malformed(arguments, tables)`, what it would
make nothing of.
"""

from . import bands, chain, cheapest_mix, cheapest_packs, expectation, matching, odds, pairing, point_buy, race, ranking, sequence

MECHANISMS = {
    "bands": bands,
    "chain": chain,
    "cheapest-mix": cheapest_mix,
    "cheapest-packs": cheapest_packs,
    "expectation": expectation,
    "matching": matching,
    "odds": odds,
    "pairing": pairing,
    "point-buy": point_buy,
    "race": race,
    "ranking": ranking,
    "sequence": sequence,
}
