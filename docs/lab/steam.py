"""Steam follower: two bookmakers move a spread the same way within ten minutes; it bets at a third that has not moved."""

import json
import sys
from datetime import datetime

WITHIN = 600
points = {}  # {(event, outcome): {bookmaker: point}}
moves = {}  # {(event, outcome): [(time, bookmaker)]}
done = set()


def say(line):
    print(json.dumps(line), flush=True)


def seconds(time):
    return datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()


for text in sys.stdin:
    line = json.loads(text)
    now, change = seconds(line["now"]), line["change"]
    data = change["data"]
    if change["type"] == "line_move" and data["market_key"] == "spreads":
        key, book = (change["event_id"], data["outcome"]), data["bookmaker"]
        points.setdefault(key, {})[book] = data["point_to"]
        if data["point_from"] is not None and data["point_to"] < data["point_from"]:
            # A lower point: this side is thought to be stronger than before.
            recent = [move for move in moves.get(key, []) if now - move[0] <= WITHIN] + [(now, book)]
            moves[key] = recent
            movers = {mover for _, mover in recent}
            left = [(point, name) for name, point in points[key].items()
                    if name not in movers and point > data["point_to"]]
            if len(movers) >= 2 and left and key not in done:
                done.add(key)
                point, name = max(left)
                say({"bet": {"event_id": key[0], "market": "spreads", "outcome": key[1], "point": point, "stake": 10,
                             "min_price": -120, "book": name}})
    say({"next": True})
