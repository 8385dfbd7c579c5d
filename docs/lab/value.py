"""Value against the consensus: bets a moneyline that pays more than all bookmakers together think it is worth."""

import json
import sys

EDGE = 1.02
prices = {}  # {event: {bookmaker: {outcome: decimal price}}}
done = set()


def say(line):
    print(json.dumps(line), flush=True)


def decimal(american):
    return 1 + (american / 100 if american > 0 else 100 / -american)


for text in sys.stdin:
    change = json.loads(text)["change"]
    data = change["data"]
    if change["type"] == "line_move" and data["market_key"] == "h2h":
        event, outcome = change["event_id"], data["outcome"]
        books = prices.setdefault(event, {})
        books.setdefault(data["bookmaker"], {})[outcome] = decimal(data["price_to"])
        whole = [book for book in books.values() if len(book) == 2 and outcome in book]
        if len(whole) >= 3 and event not in done:
            # Each bookmaker's chance without its margin, then the mean of all.
            fair = sum(1 / book[outcome] / sum(1 / price for price in book.values()) for book in whole) / len(whole)
            if decimal(data["price_to"]) * fair > EDGE:
                done.add(event)
                say({"bet": {"event_id": event, "market": "h2h", "outcome": outcome, "point": None, "stake": 10,
                             "min_price": data["price_to"]}})
    say({"next": True})
