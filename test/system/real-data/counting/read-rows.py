#!/usr/bin/env python3
"""Reads random rows of files of results and tells what the server should answer for each, without the importers' code.

    read-rows.py FOLDER SEED COUNT        (FOLDER is what LEDGERLINE_DATA names)

Prints a JSON array. Each entry: {file, row, sport, league, starts_at, tbd, names, status, result_type, round, scores,
periods, winner, opening, closing, splits}. Of the pairs the first is home or player_1. `opening` is what stood between
the opening and the closing prices, `closing` what stood at the end: {bookmaker: {market: {outcome: [price, point]}}}.
Files are drawn evenly, then a row of the file. Only the Python library is needed.
"""
import csv
import datetime
import glob
import gzip
import io
import json
import math
import os
import random
import re
import sys
import unicodedata
from fractions import Fraction
from zoneinfo import ZoneInfo

UTC = datetime.timezone.utc
NOTHING = {"", "-", "na", "n/a", "#n/a", "nan", "null"}
SOCCER = {"E0": "epl", "SP1": "la_liga", "D1": "bundesliga", "I1": "serie_a", "F1": "ligue_1"}
SOCCER_BOOKS = {
    "pinnacle": ("PS", "P"), "bet365": ("B365",), "bwin": ("BW",), "interwetten": ("IW",), "williamhill": ("WH",),
    "betvictor": ("VC",), "gb": ("GB",), "lb": ("LB",), "sb": ("SB",), "sj": ("SJ",), "bs": ("BS",),
}
TENNIS_BOOKS = {"B365": "bet365", "PS": "pinnacle", "EX": "ex", "LB": "lb", "SJ": "sj"}
AN_BOOKS = {"15": "consensus", "30": "consensus", "68": "betmgm", "69": "caesars", "71": "betrivers"}
AN_MARKETS = {"moneyline": "h2h", "spread": "spreads", "total": "totals", "core_bet_type_6_team_score": "team_totals"}
AN_SCOPES = {"event": "match", "firsthalf": "1H"}
# The newest name of each franchise, and every code that a file has for it.
NFL = {
    "ARI": "Arizona Cardinals", "ATL": "Atlanta Falcons", "BAL": "Baltimore Ravens", "BUF": "Buffalo Bills",
    "CAR": "Carolina Panthers", "CHI": "Chicago Bears", "CIN": "Cincinnati Bengals", "CLE": "Cleveland Browns",
    "DAL": "Dallas Cowboys", "DEN": "Denver Broncos", "DET": "Detroit Lions", "GB": "Green Bay Packers",
    "HOU": "Houston Texans", "IND": "Indianapolis Colts", "JAX": "Jacksonville Jaguars", "KC": "Kansas City Chiefs",
    "LAC": "Los Angeles Chargers", "LA": "Los Angeles Rams", "LV": "Las Vegas Raiders", "MIA": "Miami Dolphins",
    "MIN": "Minnesota Vikings", "NE": "New England Patriots", "NO": "New Orleans Saints", "NYG": "New York Giants",
    "NYJ": "New York Jets", "PHI": "Philadelphia Eagles", "PIT": "Pittsburgh Steelers", "SEA": "Seattle Seahawks",
    "SF": "San Francisco 49ers", "TB": "Tampa Bay Buccaneers", "TEN": "Tennessee Titans",
    "WAS": "Washington Commanders",
}
SAME_CODE = {"JAC": "JAX", "SD": "LAC", "LAR": "LA", "STL": "LA", "OAK": "LV", "WSH": "WAS"}


def code_of(code):
    return SAME_CODE.get(code, code)


def text_of(path):
    data = open(path, "rb").read()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8-sig")


def table(path):
    rows = csv.DictReader(io.StringIO(text_of(path)))
    return [{(k or "").strip(): (v or "").strip() for k, v in row.items() if k is not None} for row in rows]


def fraction(cell):
    try:
        return Fraction(cell)
    except (ValueError, ZeroDivisionError, TypeError):
        return None


def whole(cell):
    value = fraction(cell)
    return int(value) if value is not None and value.denominator == 1 else None


def plain(value):
    """A number as JSON writes it: 3, not 3.0."""
    return int(value) if value == int(value) else float(value)


def away_from_zero(value):
    return int(math.floor(value + Fraction(1, 2))) if value >= 0 else -int(math.floor(-value + Fraction(1, 2)))


def american(cell):
    price = fraction(cell)
    if price is None or price <= 1:
        return None
    return away_from_zero((price - 1) * 100 if price >= 2 else -100 / (price - 1))


def decimal_market(row, columns, points):
    """{outcome: [price, point]}; None when a price says nothing, since then the whole market is dropped."""
    result = {}
    for outcome, column in columns.items():
        cell = row.get(column, "")
        if cell.lower() in NOTHING:
            continue
        price = american(cell)
        if price is None:
            return None
        result[outcome] = [price, points.get(outcome)]
    return result or None


def bare(name):
    letters = unicodedata.normalize("NFD", name).lower()
    return "".join(ch for ch in letters if ch.isalnum())


def start_of(day, clock, zone):
    for form in ("%Y-%m-%d", "%d/%m/%Y", "%d/%m/%y"):
        try:
            date = datetime.datetime.strptime(day[:10], form)
            break
        except ValueError:
            continue
    else:
        return None
    if not clock or clock == "NA":
        return date.strftime("%Y-%m-%dT%H:%M:%SZ"), True
    hour, minute = (int(part) for part in clock.split(":")[:2])
    local = date.replace(hour=hour, minute=minute, tzinfo=ZoneInfo(zone))
    return local.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), False


def fold(messages):
    """messages: [(bookmaker, {market: outcomes})] in order; a market that is named is replaced, the others stay."""
    books = {}
    for book, markets in messages:
        if markets:
            books.setdefault(book, {}).update(markets)
    return books


# Soccer

def soccer_markets(row, prefixes, closing):
    c = "C" if closing else ""
    found = {}
    for p in prefixes:
        p += c
        if "h2h" not in found and all(p + x in row for x in "HDA"):
            found["h2h"] = decimal_market(row, {"home": p + "H", "draw": p + "D", "away": p + "A"}, {})
        for over, under in ((">2.5", "<2.5"), ("_2_5", "_2_5_1")):
            if "totals" not in found and p + over in row and p + under in row:
                points = {"over": 2.5, "under": 2.5}
                found["totals"] = decimal_market(row, {"over": p + over, "under": p + under}, points)
        if "spreads" not in found and p + "AHH" in row and p + "AHA" in row:
            column = p + "AH" if p + "AH" in row else ("AHCh" if closing else "AHh")
            line = fraction(row.get(column))
            found["spreads"] = None
            if line is not None:
                points = {"home": plain(line), "away": plain(-line)}
                found["spreads"] = decimal_market(row, {"home": p + "AHH", "away": p + "AHA"}, points)
    return {name: outcomes for name, outcomes in found.items() if outcomes}


def read_soccer(path, row):
    words = re.split(r"[^A-Za-z0-9]+", os.path.basename(path))
    league = next((SOCCER.get(w) or {"mls": "mls", "ucl": "ucl"}.get(w) for w in words if w in SOCCER or w in ("mls", "ucl")), None)
    if not row["Date"] or not row["HomeTeam"]:
        return None
    starts_at, tbd = start_of(row["Date"], row.get("Time"), "Europe/London")
    home, away = whole(row["FTHG"]), whole(row["FTAG"])
    half = [whole(row.get("HTHG")), whole(row.get("HTAG"))]
    halves = None not in half and half[0] <= home and half[1] <= away
    opening = [(book, soccer_markets(row, prefixes, False)) for book, prefixes in SOCCER_BOOKS.items()]
    closing = [(book, soccer_markets(row, prefixes, True)) for book, prefixes in SOCCER_BOOKS.items()]
    return {
        "sport": "soccer", "league": league, "starts_at": starts_at, "tbd": tbd,
        "names": [row["HomeTeam"], row["AwayTeam"]], "round": None, "status": "final",
        "result_type": None if league in ("mls", "ucl") else "regulation",
        "scores": [str(home), str(away)],
        "periods": [[["1H", h], ["2H", f - h]] if halves else [] for h, f in zip(half, (home, away))],
        "winner": [home > away, away > home],
        "opening": fold(opening), "closing": fold(opening + closing), "splits": None,
    }


# Tennis

def read_tennis(path, row):
    won, lost = row["Winner"], row["Loser"]
    first = "W" if bare(won) < bare(lost) else "L"
    order = [first, "L" if first == "W" else "W"]
    starts_at, tbd = start_of(row["Date"], "", "UTC")
    word = row["Comment"].lower()
    status, result = "final", "regulation"
    if word.startswith(("ret", "aw", "dis", "def")):
        result = "retired"
    elif word.startswith("wal") or word in ("w/o", "wo"):
        status = result = "walkover"
    sets = [(n, whole(row.get(f"W{n}")), whole(row.get(f"L{n}"))) for n in range(1, 6)]
    sets = [(n, {"W": w, "L": l}) for n, w, l in sets if w is not None and l is not None] if status == "final" else []
    prices = []
    for prefix, book in TENNIS_BOOKS.items():
        if prefix + "W" in row:
            columns = {f"player_{i + 1}": prefix + letter for i, letter in enumerate(order)}
            market = decimal_market(row, columns, {})
            prices.append((book, {"h2h": market} if market else {}))
    return {
        "sport": "tennis", "league": "atp" if "ATP" in row else "wta", "starts_at": starts_at, "tbd": tbd,
        "names": [{"W": won, "L": lost}[letter] for letter in order], "round": row["Round"], "status": status,
        "result_type": result,
        "scores": [" ".join(str(games[letter]) for _, games in sets) or None for letter in order],
        "periods": [[[f"S{n}", games[letter]] for n, games in sets] for letter in order],
        "winner": [letter == "W" for letter in order],
        "opening": {}, "closing": fold(prices), "splits": None, "competition": row["Tournament"],
    }


# NFL and Action Network

class Football:
    """The games of nflverse with the lines of Action Network that belong to them."""

    def __init__(self, schedules, lines):
        self.games = {}
        for row in (row for path in schedules for row in table(path)):
            self.games[self.key(row)] = row
        self.lines = {}
        self.paths = lines

    @staticmethod
    def key(row):
        home, away = code_of(row["home_team"]), code_of(row["away_team"])
        if row["game_type"] == "REG":
            return row["season"], "REG", home, away
        return (row["season"], "POST", *sorted((home, away)))

    def load(self, path):
        """Rows of one file by game: {key: (home code, away code, rows)}."""
        if path in self.lines:
            return self.lines[path]
        events = {}
        for row in table(path):
            events.setdefault(row["event_id"], []).append(row)
        result = {}
        for rows in events.values():
            sides = {}
            for row in rows:
                if row["side"] in ("home", "away") and row["team"]:
                    sides.setdefault(row["side"], code_of(row["team"]))
            if set(sides) != {"home", "away"} or not set(sides.values()) <= set(NFL):
                continue
            season = int(rows[0]["season"])
            regular = int(rows[0]["week"]) <= (18 if season >= 2021 else 17)
            pair = (sides["home"], sides["away"])
            key = (str(season), "REG", *pair) if regular else (str(season), "POST", *sorted(pair))
            result[key] = (pair, rows)
        self.lines[path] = result
        return result

    def read(self, key):
        game = self.games.get(key)
        if game is None:
            return None
        home, away = code_of(game["home_team"]), code_of(game["away_team"])
        starts_at, tbd = start_of(game["gameday"], game["gametime"], "America/New_York")
        points = [whole(game["home_score"]), whole(game["away_score"])]
        rounds = {"WC": "Wild Card", "DIV": "Divisional Round", "CON": "Conference Championship", "SB": "Super Bowl"}
        messages = [(1, nflverse_message(game))]
        for path in self.paths:
            if key[0] not in os.path.basename(path):
                continue
            pair, rows = self.load(path).get(key, (None, []))
            for book, rows_of_book in by_book(csv_row(row, pair) for row in rows).items():
                message = network_message(book, rows_of_book, turned=pair[0] != home)
                messages.append((0 if book == "30" else 1, message))
        return {
            "sport": "nfl", "league": "nfl", "starts_at": starts_at, "tbd": tbd,
            "names": [NFL[home], NFL[away]], "status": "final",
            "result_type": "overtime" if whole(game["overtime"]) else "regulation",
            "round": rounds.get(game["game_type"], f"Week {game['week']}"),
            "scores": [str(p) for p in points], "periods": [[], []],
            "winner": [points[0] > points[1], points[1] > points[0]],
            **folded(messages), "splits": None,
        }


def nflverse_message(row):
    row = {k: ("" if v == "NA" else v) for k, v in row.items()}
    spread, total = fraction(row["spread_line"]), fraction(row["total_line"])
    markets = []
    for key, line, sides in (
        ("h2h", None, (("home", "home_moneyline", None), ("away", "away_moneyline", None))),
        ("spreads", spread, (("home", "home_spread_odds", -1), ("away", "away_spread_odds", 1))),
        ("totals", total, (("over", "over_odds", 1), ("under", "under_odds", 1))),
    ):
        if key != "h2h" and line is None:
            continue
        outcomes = []
        for outcome, column, sign in sides:
            if row[column] != "":
                point = {} if sign is None else {"point": plain(line * sign)}
                outcomes.append({"outcome": outcome, "price": whole(row[column]), **point})
        if outcomes and all(abs(one["price"]) >= 100 for one in outcomes):
            markets.append({"key": key, "scope": "match", "alternate": False, "complete": True, "outcomes": outcomes})
    return {"bookmaker": "consensus", "markets": markets}


def number(cell):
    return float(cell) if cell not in ("", None) else None


def csv_row(row, pair):
    team = {pair[0]: "home", pair[1]: "away"}.get(code_of(row["team"]))
    numbers = [number(row[name]) for name in ("value", "odds", "tickets_percent", "money_percent")]
    return (row["book_id"], row["line_type"], row["period"], row["side"], team, *numbers)


def by_book(rows):
    books = {}
    for row in rows:
        books.setdefault(row[0], []).append(row)
    return books


def network_message(book, rows, turned=False):
    """The prices of one book, in the order in which its markets and outcomes first come."""
    turn = {"home": "away", "away": "home"} if turned else {}
    markets = {}
    for _, kind, period, side, team, value, odds, tickets, _ in rows:
        key, scope = AN_MARKETS.get(kind), AN_SCOPES.get(period)
        sides = {"h2h": ("home", "away", "draw"), "spreads": ("home", "away")}.get(key, ("over", "under"))
        if not key or not scope or side not in sides or (key == "team_totals" and team is None):
            continue
        price = None if odds is None else math.floor(odds + 0.5)
        if price is None or abs(price) < 100 or (key != "h2h" and value is None):
            continue
        outcome = {"outcome": turn.get(side, side), "price": price}
        if key != "h2h":
            outcome["point"] = plain(value)
        if key == "team_totals":
            outcome["team"] = turn.get(team, team)
        taken = markets.setdefault((key, scope), {})
        place = (side, team if key == "team_totals" else None)
        # Of two prices of one outcome the one without percentages is the one that opened.
        if place not in taken or (tickets is None and taken[place][0] is not None):
            taken[place] = (tickets, outcome)
    return {
        "bookmaker": AN_BOOKS.get(book, f"action_{book}"),
        "markets": [
            {"key": key, "scope": scope, "alternate": False, "complete": True,
             "outcomes": [outcome for _, outcome in taken.values()]}
            for (key, scope), taken in markets.items()
        ],
    }


def folded(messages):
    """The state after the opening prices, and after all. Of one moment the greater canonical JSON comes last."""
    messages = [(when, said) for when, said in messages if said["markets"]]
    messages.sort(key=lambda one: (one[0], json.dumps(one[1], sort_keys=True, separators=(",", ":"))))

    def books(chosen):
        return fold([
            (said["bookmaker"], {
                market["key"]: {one["outcome"]: [one["price"], one.get("point")] for one in market["outcomes"]}
                for market in said["markets"] if market["scope"] == "match" and market["key"] != "team_totals"
            })
            for said in chosen
        ])

    return {
        "opening": books(said for when, said in messages if when == 0),
        "closing": books(said for _, said in messages),
    }


def read_scoreboard(game):
    teams = {game["home_team_id"]: "home", game["away_team_id"]: "away"}
    names = {team["id"]: team["full_name"] for team in game["teams"]}
    rows = []
    for book, periods in (game.get("markets") or {}).items():
        for period, kinds in periods.items():
            for kind, listed in kinds.items():
                for row in listed:
                    if row.get("is_live"):
                        continue
                    info = row.get("bet_info") or {}
                    percents = [(info.get(name) or {}).get("percent") for name in ("tickets", "money")]
                    rows.append((str(row.get("book_id", book)), kind, period, row["side"], teams.get(row.get("team_id")),
                                 row.get("value"), row.get("odds"), *percents))
    books = by_book(rows)
    messages = [(0 if book == "30" else 1, network_message(book, of)) for book, of in books.items()]
    splits = {book: read_splits(of) for book, of in books.items() if book != "30"}
    splits = {"consensus" if b == "15" else AN_BOOKS.get(b, f"action_{b}"): s for b, s in splits.items() if s}
    box = game["boxscore"]
    lines = box["linescore"]
    labels = ["1", "2", "3", "4"] + ["OT" if n == 0 else f"OT{n + 1}" for n in range(20)]
    final = game["status"] == "complete"
    return {
        "sport": "ncaaf", "league": "ncaaf", "starts_at": re.sub(r"\.0+Z$", "Z", game["start_time"]), "tbd": False,
        "names": [names[game["home_team_id"]], names[game["away_team_id"]]],
        "status": "final" if final else game["status"],
        "result_type": "overtime" if len(lines) > 4 else "regulation", "round": f"Week {game['week']}",
        "scores": [str(box["total_home_points"]), str(box["total_away_points"])],
        "periods": [[[labels[i], line[f"{side}_points"]] for i, line in enumerate(lines)] for side in ("home", "away")],
        "winner": [game["winning_team_id"] == game[f"{side}_team_id"] for side in ("home", "away")],
        **folded(messages), "splits": splits or None,
    }


def read_splits(rows):
    markets = {}
    for market, sides in (("moneyline", ("home", "away")), ("spread", ("home", "away")), ("total", ("over", "under"))):
        told = [r for r in rows if r[1] == market and r[2] == "event" and r[7] is not None and r[8] is not None]
        found = [next((r for r in told if r[3] == side), None) for side in sides]
        if None in found or sum(r[7] for r in told) == 0 or sum(r[8] for r in told) == 0:
            continue
        markets[market] = {}
        for side, row in zip(sides, found):
            own = {"price": math.floor(row[6] + 0.5)} if market == "moneyline" else {"line": plain(row[5])}
            markets[market][side] = {"bets_pct": math.floor(row[7] + 0.5), "handle_pct": math.floor(row[8] + 0.5), **own}
    return markets


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: read-rows.py FOLDER SEED COUNT")
    folder, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

    def files(pattern):
        return sorted(glob.glob(os.path.join(folder, pattern)))

    schedules, lines = files("nfl/nflverse_schedules*.csv*"), files("nfl/action_game_lines_*.csv*")
    football = Football(schedules, lines)
    soccer = [f for name in ("football_data_*", "gutormin_*", "mls_*", "ucl*") for f in files(f"soccer/{name}.csv*")]
    tennis = files("tennis/td_*.csv*")
    boards = files("ncaaf/action_scoreboard*.json*")
    loaded = {}

    def rows_of(path):
        if path not in loaded:
            if path in boards:
                loaded[path] = json.loads(text_of(path))["games"]
            elif path in lines:
                loaded[path] = sorted(football.load(path))
            else:
                loaded[path] = table(path)
        return loaded[path]

    def read(path, index):
        row = rows_of(path)[index]
        if path in boards:
            return read_scoreboard(row)
        if path in lines:
            return football.read(row)
        if path in schedules:
            return football.read(Football.key(row))
        return read_soccer(path, row) if path in soccer else read_tennis(path, row)

    chance = random.Random(seed)
    every = schedules + lines + soccer + tennis + boards
    every = [path for path in every if path not in lines or any(football.games.get(key) for key in rows_of(path))]
    result, seen = [], set()
    while len(result) < count:
        path = chance.choice(every)
        index = chance.randrange(len(rows_of(path)))
        expected = None if (path, index) in seen else read(path, index)
        seen.add((path, index))
        if expected is not None:
            result.append({"file": os.path.relpath(path, folder), "row": index + 1, **expected})
    json.dump(result, sys.stdout)


main()
