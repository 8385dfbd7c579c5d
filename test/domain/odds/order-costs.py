"""What orders get at exchanges, computed anew from the description in docs/exchanges.md, with exact fractions.

Standard input: a JSON list of {asks, stake, fee, fair}. Standard output: one list a case, of what the order pays and
gets back, its decimal price, and its expected value in percent at the probability `fair`; null if the asks end before
the stake. Only the Python standard library is used, and no code of the server.
"""

import json
import math
import sys
from fractions import Fraction


def exact(number):
    return Fraction(str(number))


def curve(model, rate, exponent, price):
    if model == "p(1-p)":
        spread = price * (1 - price)
        if exponent == int(exponent):
            return rate * spread ** int(exponent)
        return rate * Fraction(float(spread) ** float(exponent))
    if model == "notional":
        return rate * price
    return rate * (1 - price)


def order(asks, stake, fee, fair):
    stake = exact(stake)
    rest = stake
    fills = []
    for price, money in sorted((exact(price), exact(money)) for price, money in asks):
        charge = Fraction(0)
        if fee:
            charge = curve(fee["model"], exact(fee["rate"]), fee.get("exponent", 1), price)
        outlay = price if fee and fee["model"] == "winnings" else price + charge
        count = min(money / price, rest / outlay)
        fills.append((count, price, charge))
        rest -= count * outlay
        if rest == 0:
            break
    if rest > 0:
        return None
    contracts = sum(count for count, _, _ in fills)
    cost = sum(count * price for count, price, _ in fills)
    total = sum(count * charge for count, _, charge in fills)
    if fee and fee.get("rounding"):
        unit = exact(fee["rounding"])
        # A cent that is there to a billionth is no further cent.
        total = math.ceil(total / unit - Fraction(1, 10**9)) * unit
    if fee and fee["model"] == "winnings":
        paid, returned = cost, contracts - total
    else:
        paid, returned = cost + total, contracts
    decimal = returned / paid
    value = 100 * (exact(fair) * decimal - 1)
    return [float(paid), float(returned), float(decimal), float(value)]


print(json.dumps([order(**case) for case in json.load(sys.stdin)]))
