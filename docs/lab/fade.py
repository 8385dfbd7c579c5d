"""Fade of a late mover: a total that moves in the last two hours before the start is bet back the other way."""

import json
import sys
from datetime import datetime

LATE = 7200
starts = {}
done = set()


def say(line):
    print(json.dumps(line), flush=True)


def seconds(time):
    return datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()


def ask(path):
    say({"ask": {"path": path}})
    return json.loads(sys.stdin.readline())


while text := sys.stdin.readline():
    line = json.loads(text)
    now, change = seconds(line["now"]), line["change"]
    event, data = change["event_id"], change["data"]
    is_total = change["type"] == "line_move" and data["market_key"] == "totals" and data["outcome"] == "Over"
    if is_total and data["point_from"] not in (None, data["point_to"]) and event not in done:
        if event not in starts:
            starts[event] = seconds(ask(f"/v1/events/{event}")["starts_at"])
        if 0 < starts[event] - now <= LATE:
            done.add(event)
            outcome = "under" if data["point_to"] > data["point_from"] else "over"
            say({"bet": {"event_id": event, "market": "totals", "outcome": outcome, "point": data["point_to"],
                         "stake": 10, "min_price": -115}})
    say({"next": True})
