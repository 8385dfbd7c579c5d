#!/usr/bin/env python3
"""Counts what files of Action Network hold, by its own reading of the rules and without the importer's code.

    count-json.py [--no-starts] FILE...

Prints one JSON object: {file: {events, finals, odds_messages, prices, splits_messages, splits_markets}}.
Scoreboards are JSON, game lines are CSV; both may be gzipped. With --no-starts nothing tells when the games of a
CSV file begin, so that the opening prices (book 30) cannot be placed and do not count.
"""
import csv
import gzip
import io
import json
import os
import sys
from collections import defaultdict

NFL = set(
    "ARI ATL BAL BUF CAR CHI CIN CLE DAL DEN DET GB HOU IND JAX JAC KC LAC SD LAR LA STL LV OAK "
    "MIA MIN NE NO NYG NYJ PHI PIT SEA SF TB TEN WAS WSH".split()
)
PERIODS = {"event", "firsthalf"}
TWO_SIDED = {"moneyline": ("home", "away"), "spread": ("home", "away"), "total": ("over", "under")}


def content(path):
    with open(path, "rb") as handle:
        raw = handle.read()
    return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")


def is_price(odds):
    return odds is not None and abs(odds) >= 100


def count_rows(rows, openings):
    """rows: (event, book, type, period, side, team, value, odds, tickets, money), team None when unknown."""
    outcomes = set()
    sides = defaultdict(list)
    for event, book, kind, period, side, team, value, odds, tickets, money in rows:
        if kind in TWO_SIDED and period == "event" and book != "30" and tickets is not None and money is not None:
            sides[event, book, kind].append((side, tickets, money))
        if period not in PERIODS or not is_price(odds) or (book == "30" and not openings):
            continue
        if kind == "core_bet_type_6_team_score":
            if side in ("over", "under") and team is not None and value is not None:
                outcomes.add((event, book, kind, period, side, team))
        elif kind == "total" or kind == "spread":
            if side in TWO_SIDED[kind] and value is not None:
                outcomes.add((event, book, kind, period, side, None))
        elif kind == "moneyline" and side in ("home", "away", "draw"):
            outcomes.add((event, book, kind, period, side, None))
    markets = set()
    for (event, book, kind), given in sides.items():
        tickets = sum(one[1] for one in given)
        money = sum(one[2] for one in given)
        # A sum of 0 is no data, of the bets as well as of the money; a market needs both of both sides.
        if tickets == 0 or money == 0:
            continue
        if set(TWO_SIDED[kind]) <= {one[0] for one in given}:
            markets.add((event, book, kind))
    return {
        "odds_messages": len({one[:2] for one in outcomes}),
        "prices": len(outcomes),
        "splits_messages": len({one[:2] for one in markets}),
        "splits_markets": len(markets),
    }


def count_scoreboard(document):
    games = document["games"]
    rows = []
    for game in games:
        teams = {game["home_team_id"]: "home", game["away_team_id"]: "away"}
        for book, periods in (game.get("markets") or {}).items():
            for period, kinds in periods.items():
                for kind, listed in kinds.items():
                    for row in listed:
                        if row.get("is_live"):
                            continue
                        info = row.get("bet_info") or {}
                        tickets = (info.get("tickets") or {}).get("percent")
                        money = (info.get("money") or {}).get("percent")
                        team = teams.get(row.get("team_id"))
                        rows.append(
                            (game["id"], str(row.get("book_id", book)), kind, period, row["side"], team)
                            + (row.get("value"), row.get("odds"), tickets, money)
                        )
    finals = sum(1 for game in games if game["status"] == "complete")
    return {"events": len(games), "finals": finals, **count_rows(rows, True)}


def number(cell):
    return float(cell) if cell not in ("", None) else None


def count_game_lines(text, openings):
    given = list(csv.DictReader(io.StringIO(text)))
    teams = defaultdict(dict)
    for row in given:
        if row["side"] in ("home", "away") and row["team"]:
            teams[row["event_id"]].setdefault(row["side"], row["team"])
    known = {
        event for event, pair in teams.items() if len(pair) == 2 and all(code in NFL for code in pair.values())
    }
    rows = []
    for row in given:
        event = row["event_id"]
        if event not in known:
            continue
        team = next((side for side, code in teams[event].items() if code == row["team"]), None)
        rows.append(
            (event, row["book_id"], row["line_type"], row["period"], row["side"], team)
            + tuple(number(row[name]) for name in ("value", "odds", "tickets_percent", "money_percent"))
        )
    return {"events": len(known), "finals": 0, **count_rows(rows, openings)}


def main(arguments):
    openings = "--no-starts" not in arguments
    counts = {}
    for path in (one for one in arguments if not one.startswith("--")):
        text = content(path)
        is_csv = path.removesuffix(".gz").endswith(".csv")
        counts[os.path.basename(path)] = (
            count_game_lines(text, openings) if is_csv else count_scoreboard(json.loads(text))
        )
    print(json.dumps(counts, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
