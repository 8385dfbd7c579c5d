#!/usr/bin/env python3
"""Counts what the CSV files of nflverse, football-data and tennis-data hold, apart from the importers' code.

Usage: count-csv.py FOLDER        (the folder that LEDGERLINE_DATA names)

Prints one JSON object, {file: counts}, with the files named relative to FOLDER. What is counted:

  events         distinct sports events after the import: NFL game ids; soccer (league, day, home, away);
                 tennis (tour, tournament, day, round, the two players in whatever order)
  finals         events that end with status final (retirements included, walkovers not)
  retired        finals with result_type retired: Retired, Awarded, Disqualified, and misspelt ones
  walkovers      events with status walkover; they are no finals
  prices         one for each outcome with a price, of one bookmaker at one moment (opening, closing)
  odds_messages  (event, bookmaker, moment) with at least one price

A market with a decimal price of 1 or less, or with something that is no number, has no prices at all; a market with
an empty cell has the others. A handicap or total without its line has none. Only the Python library is needed.
"""
import csv
import datetime
import glob
import gzip
import io
import json
import os
import re
import sys
import unicodedata
from decimal import Decimal, InvalidOperation

NOTHING = {"", "-", "na", "n/a", "#n/a", "nan", "null"}
DIVISIONS = {"E0": "epl", "SP1": "la_liga", "D1": "bundesliga", "I1": "serie_a", "F1": "ligue_1"}
# One row per bookmaker: its slug, and the prefixes under which football-data has ever published prices of it.
SOCCER_BOOKS = {
    "pinnacle": ("PS", "P"), "bet365": ("B365",), "bwin": ("BW",), "interwetten": ("IW",), "williamhill": ("WH",),
    "betvictor": ("VC",), "gb": ("GB",), "lb": ("LB",), "sb": ("SB",), "sj": ("SJ",), "bs": ("BS",), "so": ("SO",),
    "sy": ("SY",), "bf": ("BF",), "bfd": ("BFD",), "bfe": ("BFE",), "bmgm": ("BMGM",), "bv": ("BV",), "cl": ("CL",),
    "1xb": ("1XB",),
}
TENNIS_BOOKS = ("B365", "EX", "LB", "PS", "SJ", "CB", "GB", "IW", "SB", "B&W", "UB", "BFE")


def rows_of(path):
    data = gzip.open(path).read() if path.endswith(".gz") else open(path, "rb").read()
    for row in csv.DictReader(io.StringIO(data.decode("utf-8-sig"))):
        yield {(k or "").strip(): (v or "").strip() for k, v in row.items() if k is not None}


def decimal(cell):
    try:
        value = Decimal(cell)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def whole(cell):
    value = decimal(cell)
    return int(value) if value is not None and value == value.to_integral_value() else None


def good_price(cell):
    value = decimal(cell)
    return value is not None and value > 1 and value <= 10001 and value >= Decimal("1.0001")


def market(row, columns):
    """How many outcomes of a market with decimal prices count."""
    cells = [row.get(c, "") for c in columns]
    cells = [c for c in cells if c.lower() not in NOTHING]
    return len(cells) if all(good_price(c) for c in cells) else 0


class Counts:
    def __init__(self):
        self.events = set()
        self.final = self.retired = self.walkover = self.prices = self.messages = 0

    def odds(self, prices):
        self.prices += prices
        self.messages += 1 if prices else 0

    def json(self):
        return {
            "events": len(self.events), "finals": self.final, "retired": self.retired, "walkovers": self.walkover,
            "prices": self.prices, "odds_messages": self.messages,
        }


def count_nfl(path):
    counts = Counts()
    for row in rows_of(path):
        row = {k: ("" if v == "NA" else v) for k, v in row.items()}
        counts.events.add(row["game_id"])
        if whole(row["home_score"]) is None or whole(row["away_score"]) is None:
            continue
        counts.final += 1
        prices = 0
        for line, pair in ((None, ("home_moneyline", "away_moneyline")),
                           ("spread_line", ("home_spread_odds", "away_spread_odds")),
                           ("total_line", ("over_odds", "under_odds"))):
            if line and decimal(row[line]) is None:
                continue
            given = [whole(row[c]) for c in pair if row[c] != ""]
            if all(v is not None and abs(v) >= 100 for v in given):
                prices += len(given)
        counts.odds(prices)
    return counts


def league_of_file(path):
    words = re.split(r"[^a-z0-9]+", os.path.basename(path).lower())
    found = {DIVISIONS[w.upper()] for w in words if w.upper() in DIVISIONS}
    found |= {"mls" for w in words if w in ("mls", "usa")} | {"ucl" for w in words if w in ("ucl", "champions")}
    return found.pop() if len(found) == 1 else None


def day_of(text):
    for form in ("%Y-%m-%d", "%d/%m/%Y", "%d/%m/%y"):
        try:
            return datetime.datetime.strptime(text, form).date()
        except ValueError:
            pass
    return None


def soccer_markets(row, prefixes, closing):
    """The prices of one bookmaker at one moment; the first of its prefixes that has a market's columns is taken."""
    c = "C" if closing else ""
    total = 0
    shapes = (
        ("h2h", [("H", "D", "A")]),
        ("ou", [(">2.5", "<2.5"), ("_2_5", "_2_5_1"), (".2.5", ".2.5.1")]),
        ("ah", [("AHH", "AHA")]),
    )
    for kind, spellings in shapes:
        choices = [tuple(p + c + suffix for suffix in s) for p in prefixes for s in spellings]
        columns = next((x for x in choices if all(name in row for name in x)), None)
        if columns is None:
            continue
        if kind == "ah":
            own = columns[0][:-1]
            line = own if own in row else ("AHCh" if closing else "AHh")
            if decimal(row.get(line, "")) is None:
                continue
        total += market(row, columns)
    return total


def count_soccer(path):
    counts = Counts()
    named = league_of_file(path)
    for row in rows_of(path):
        league = DIVISIONS.get(row.get("Div", "")) if row.get("Div") else named
        day = day_of(row["Date"])
        if league is None or day is None or not row["HomeTeam"] or not row["AwayTeam"]:
            continue
        counts.events.add((league, day, row["HomeTeam"], row["AwayTeam"]))
        if whole(row["FTHG"]) is not None and whole(row["FTAG"]) is not None:
            counts.final += 1
        for prefixes in SOCCER_BOOKS.values():
            for closing in (False, True):
                counts.odds(soccer_markets(row, prefixes, closing))
    return counts


def bare(name):
    letters = unicodedata.normalize("NFD", name).lower()
    return "".join(ch for ch in letters if ch.isalnum())


def count_tennis(path):
    counts = Counts()
    for row in rows_of(path):
        tour = "atp" if "ATP" in row else "wta"
        pair = frozenset((bare(row["Winner"]), bare(row["Loser"])))
        day = day_of(row["Date"][:10])
        if day is None or len(pair) < 2 or "" in pair:
            continue
        counts.events.add((tour, bare(row["Tournament"]), day, bare(row["Round"]), pair))
        for book in TENNIS_BOOKS:
            if book + "W" in row:
                counts.odds(market(row, (book + "W", book + "L")))
        word = row["Comment"].lower()
        if word.startswith("wal") or word in ("w/o", "wo"):
            counts.walkover += 1
        elif word.startswith(("ret", "aw", "dis", "def")):
            counts.final += 1
            counts.retired += 1
        elif word.startswith("com") or sets_won(row) >= (3 if row.get("Best of") == "5" else 2):
            counts.final += 1
    return counts


def sets_won(row):
    """Sets of the winner: by the games of each set, else by the number that the file states."""
    sets = [(whole(row.get(f"W{n}", "")), whole(row.get(f"L{n}", ""))) for n in range(1, 6)]
    sets = [(w, l) for w, l in sets if w is not None and l is not None]
    return sum(w > l for w, l in sets) if sets else (whole(row.get("Wsets", "")) or 0)


SOURCES = (
    ("nfl/nflverse_schedules*.csv*", count_nfl),
    ("soccer/football_data_*.csv*", count_soccer),
    ("soccer/gutormin_*.csv*", count_soccer),
    ("soccer/mls_*.csv*", count_soccer),
    ("soccer/ucl*.csv*", count_soccer),
    ("tennis/td_*.csv*", count_tennis),
)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: count-csv.py FOLDER")
    folder = sys.argv[1]
    result = {}
    for pattern, count in SOURCES:
        for path in sorted(glob.glob(os.path.join(folder, pattern))):
            result[os.path.relpath(path, folder)] = count(path).json()
    json.dump(result, sys.stdout, indent=1)
    print()


main()
