"""Fair prices, EV, Kelly stakes and arbitrages of generated books, written from the formulas alone.

Reads a JSON list of markets: {"clock": milliseconds, "quotes": [{"book", "prices", "line", "at"}]}. Prints a JSON list
of {"line", "fair", "books", "offers", "arbitrages"}: offers by outcome are {book: [gap, ev_pct, kelly]}, arbitrages
{line: [profit_pct, stakes]}. Whatever is rounded is rounded from exact fractions.
"""

import json
import math
import sys
from fractions import Fraction

WEIGHTS = {"pinnacle": 3, "circa": 2, "betonline": 1, "lowvig": 1, "consensus": 1}


def decimal(price):
    return 1 + (Fraction(price, 100) if price > 0 else Fraction(100, -price))


def half_away(value, decimals):
    scaled = abs(value) * 10**decimals
    whole = math.floor(scaled + Fraction(1, 2))
    return float(Fraction(whole if value >= 0 else -whole, 10**decimals))


def without_vig(prices):
    """Odds ratio, by halves on the logarithm of the factor for any number of outcomes."""
    implied = [float(1 / decimal(price)) for price in prices]
    logits = [math.log(r / (1 - r)) for r in implied]
    low, high = -5.0, 5.0
    for _ in range(200):
        middle = (low + high) / 2
        if sum(1 / (1 + math.exp(middle - logit)) for logit in logits) > 1:
            low = middle
        else:
            high = middle
    return [1 / (1 + math.exp(low - logit)) for logit in logits]


def published(probabilities):
    parts = [min(999900, max(100, math.floor(p * 1e6 + 0.5))) for p in probabilities]
    largest = parts.index(max(parts))
    parts[largest] = 1000000 - sum(part for i, part in enumerate(parts) if i != largest)
    return [Fraction(part, 1000000) for part in parts]


def eligible(quote):
    total = sum(1 / decimal(price) for price in quote["prices"])
    return 1 <= total <= (Fraction(6, 5) if len(quote["prices"]) == 3 else Fraction(23, 20))


def main_line(quotes, weight):
    totals = {}
    for quote in quotes:
        totals[quote["line"]] = totals.get(quote["line"], 0) + weight(quote["book"])
    return min(totals, key=lambda line: (-totals[line], abs(line or 0), line or 0))


def judge(market):
    clock = market["clock"]
    quotes = [quote for quote in market["quotes"] if clock - quote["at"] <= 4500 * 1000]
    good = [quote for quote in quotes if eligible(quote)]
    sharp = [quote for quote in good if quote["book"] in WEIGHTS]
    used, weight = (sharp, WEIGHTS.get) if sharp else ([q for q in good if q["book"] not in WEIGHTS], lambda _: 1)
    result = {"line": None, "fair": None, "books": None, "offers": None}
    if used:
        line = main_line(used, weight)
        result["line"] = line
        used = sorted((q for q in used if q["line"] == line), key=lambda q: (-weight(q["book"]), q["book"]))
        if sharp or len(used) >= 3:
            views = [without_vig(quote["prices"]) for quote in used]
            total = sum(weight(quote["book"]) for quote in used)
            means = [
                math.prod(view[i] ** (weight(quote["book"]) / total) for view, quote in zip(views, used))
                for i in range(len(views[0]))
            ]
            fair = published([mean / sum(means) for mean in means])
            result["fair"] = [float(p) for p in fair]
            result["books"] = [quote["book"] for quote in used]
            if sharp:
                result["offers"] = [
                    {
                        quote["book"]: [
                            half_away(p - 1 / decimal(quote["prices"][i]), 6),
                            half_away(100 * (p * decimal(quote["prices"][i]) - 1), 2),
                            half_away(
                                min(1, (p * decimal(quote["prices"][i]) - 1) / (decimal(quote["prices"][i]) - 1)), 4
                            ),
                        ]
                        for quote in quotes
                        if quote["line"] == line and quote["book"] not in WEIGHTS
                    }
                    for i, p in enumerate(fair)
                ]
    result["arbitrages"] = arbitrages([q for q in quotes if clock - q["at"] <= 900 * 1000])
    return result


def arbitrages(quotes):
    found = {}
    offers = [quote for quote in quotes if quote["book"] != "consensus"]
    for line in {quote["line"] for quote in offers}:
        there = [quote for quote in offers if quote["line"] == line]
        best = [
            min(there, key=lambda q: (-decimal(q["prices"][i]), -q["at"], q["book"]))
            for i in range(len(there[0]["prices"]))
        ]
        implied = [1 / decimal(quote["prices"][i]) for i, quote in enumerate(best)]
        profit = half_away(100 * (1 / sum(implied) - 1), 2)
        if len({quote["book"] for quote in best}) >= 2 and 0 < profit <= 25:
            found[json.dumps(line)] = [profit, [half_away(100 * r / sum(implied), 2) for r in implied]]
    return found


json.dump([judge(market) for market in json.load(sys.stdin)], sys.stdout)
