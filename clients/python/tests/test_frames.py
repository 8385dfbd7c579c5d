"""Answers as data frames."""

from __future__ import annotations

import sys

import httpx
import pandas as pd
import pytest

from ledgerline import UnexpectedAnswer

from .conftest import Given
from .scripted import Scripted, ok, refused

HISTORY = "event_id,bookmaker,market,market_key,outcome,price_from,price_to,point_from,point_to,moved_at\r\n"
EVENTS = "id,name,starts_at,neutral_site\r\n"


def csv(text: str, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(200, text=text, headers={"content-type": "text/csv; charset=utf-8", **named})


def frame(client: Scripted, operation: str, *args: object, **kwargs: object) -> pd.DataFrame:
    found = client.call_of("frame", operation, *args, **kwargs)
    assert isinstance(found, pd.DataFrame)
    return found


def test_columns_have_their_types_and_what_is_empty_is_not_there(given: Given) -> None:
    rows = "1,pinnacle,Spread,spreads,home,,-110,,-3.5,2023-02-12T12:00:00Z\r\n1,fanduel,Spread,spreads,away,-105,100,3,3.5,\r\n"
    client = given(csv(HISTORY + rows))
    found = frame(client, "get_odds_history", 1, bookmaker=["pinnacle", "fanduel"])
    assert client.requests[0].headers["accept"] == "text/csv"
    assert client.url() == "https://sports.example/v1/events/1/odds/history?bookmaker=pinnacle%2Cfanduel"
    assert [str(found[name].dtype) for name in ("event_id", "bookmaker", "price_from", "point_to")] == [
        "Int64",
        "string",
        "Int64",
        "Float64",
    ]
    assert found["price_from"].isna().tolist() == [True, False]
    assert found["price_to"].tolist() == [-110, 100]
    assert found["moved_at"].dtype.tz is not None  # type: ignore[union-attr]  # pyright: ignore
    assert found["moved_at"][0] == pd.Timestamp("2023-02-12T12:00:00Z")
    assert found["moved_at"].isna().tolist() == [False, True]


def test_texts_are_texts_whatever_they_look_like(given: Given) -> None:
    rows = """1,NA,,true\r\n2,'=1+1,,\r\n3,"a, ""b""\n'-c",,false\r\n4,0012,,\r\n5,'Til Friday,,\r\n6,null,,\r\n"""
    found = frame(given(csv(EVENTS + rows)), "list_events")
    assert found["name"].tolist() == ["NA", "=1+1", "a, \"b\"\n'-c", "0012", "'Til Friday", "null"]
    assert str(found["neutral_site"].dtype) == "boolean"
    assert found["neutral_site"].isna().tolist() == [False, True, False, True, True, True]


def test_times_with_and_without_fractions_are_read(given: Given) -> None:
    rows = "1,a,2023-02-12T12:00:00Z,\r\n2,b,2023-02-12T12:00:00.250Z,\r\n"
    found = frame(given(csv(EVENTS + rows)), "list_events")
    assert (found["starts_at"][1] - found["starts_at"][0]).total_seconds() == 0.25


def test_a_list_has_all_its_pages_as_large_as_they_may_be(given: Given) -> None:
    link = '<https://elsewhere.example/v1/events?after_id=7>; rel="next"'
    client = given(csv(EVENTS + "7,a,,\r\n", x_next_after="7", link=link), csv(EVENTS + "9,b,,\r\n"))
    assert frame(client, "list_events", sport="nfl")["id"].tolist() == [7, 9]
    assert [str(sent.url.query, "ascii") for sent in client.requests] == [
        "sport=nfl&limit=100",
        "sport=nfl&after_id=7&limit=100",
    ]


def test_with_a_limit_of_ones_own_it_is_that_page(given: Given) -> None:
    link = '<https://sports.example/v1/events?after_id=7>; rel="next"'
    client = given(csv(EVENTS + "7,a,,\r\n", x_next_after="7", link=link))
    assert len(frame(client, "list_events", limit=1)) == 1


def test_changes_end_where_there_are_none_yet(given: Given) -> None:
    head = "id,type,event_id,sport,league,at,recorded_at,data\r\n"
    row = '5-0,score,1,nfl,nfl,2023-02-12T12:00:00Z,2023-02-12T12:00:00Z,"{""home"":1}"\r\n'
    link = '<https://sports.example/v1/changes?after=5-0>; rel="next"'
    client = given(csv(head + row, x_next_after="5-0", link=link), csv(head, x_next_after="9"))
    found = frame(client, "list_changes", after="0")
    assert [found["id"].tolist(), found["data"].tolist()] == [["5-0"], ['{"home":1}']]
    assert client.requests[1].url.params["after"] == "5-0"


def test_an_empty_answer_has_its_columns_and_types(given: Given) -> None:
    found = frame(given(csv(HISTORY)), "get_odds_history", 1)
    assert [len(found), str(found["price_to"].dtype), str(found["moved_at"].dtype)[:10]] == [0, "Int64", "datetime64"]


def test_columns_of_a_newer_server_come_too(given: Given) -> None:
    found = frame(given(csv("id,mood\r\n1,good\r\n")), "list_events")
    assert [found["id"].tolist(), found["mood"].tolist()] == [[1], ["good"]]


def test_calls_that_fail_fail_as_others_do(given: Given) -> None:
    client = given(refused(429, "rate_limit_exceeded", retry_after="1"), ok({"events": []}))
    with pytest.raises(UnexpectedAnswer, match="without CSV"):
        frame(client, "list_events")
    assert client.waits == [1]


def test_without_pandas_it_says_what_is_missing(given: Given, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="data frames need pandas"):
        given(csv(HISTORY)).call_of("frame", "get_odds_history", 1)
