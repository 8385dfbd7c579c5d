"""How arguments become a request."""

from __future__ import annotations

import json
from datetime import date, datetime, timedelta, timezone

import pytest

from ledgerline import Ledgerline

from .conftest import Given
from .scripted import ok

NOON = datetime(2023, 2, 12, 12, tzinfo=timezone.utc)


def test_path_query_and_key_go_where_the_operation_has_them(given: Given) -> None:
    client = given(ok({"id": 1}))
    assert client.call("get_event", 1, include_odds=True, bookmaker="all") == {"id": 1}
    assert client.url() == "https://sports.example/v1/events/1?include_odds=true&bookmaker=all"
    assert client.requests[0].method == "GET"
    assert client.requests[0].headers["authorization"] == "Bearer llk_1"
    assert client.requests[0].content == b""


def test_none_is_put_in_the_place_of_something_and_left_out_elsewhere(given: Given) -> None:
    client = given(ok({"my_books": None}), ok({"id": 1}))
    client.call("put_my_books", my_books=None)
    client.call("get_event", 1, include_odds=None)
    assert [one.method for one in client.requests] == ["PUT", "GET"]
    assert json.loads(client.requests[0].content) == {"my_books": None}
    assert client.url() == "https://sports.example/v1/events/1"


def test_an_address_with_a_path_and_a_slash_keeps_the_path(given: Given) -> None:
    client = given(ok(), base_url="http://127.0.0.1:3000/sports/")
    client.call("get_health")
    assert client.url() == "http://127.0.0.1:3000/sports/v1/health"


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (NOON, "2023-02-12T12:00:00Z"),
        (datetime(2023, 2, 12, 12), "2023-02-12T12:00:00Z"),
        (NOON.astimezone(timezone(timedelta(hours=-5))), "2023-02-12T12:00:00Z"),
        (NOON.replace(microsecond=123456), "2023-02-12T12:00:00.123Z"),
        (NOON.replace(microsecond=12), "2023-02-12T12:00:00Z"),
        ("2023-02-12T12:00:00Z", "2023-02-12T12:00:00Z"),
    ],
)
def test_times_are_sent_in_utc(given: Given, value: object, sent: str) -> None:
    client = given(ok())
    client.call("get_odds", 7, as_of=value)
    assert client.requests[0].url.params["as_of"] == sent


def test_days_are_sent_as_days_even_where_a_time_is_given(given: Given) -> None:
    client = given(ok())
    late = datetime(2023, 2, 12, 22, tzinfo=timezone(timedelta(hours=-5)))
    client.call("list_events", from_=date(2023, 2, 12), to=late)
    assert dict(client.requests[0].url.params) == {"from": "2023-02-12", "to": "2023-02-13"}


@pytest.mark.parametrize("books", [["pinnacle", "fanduel"], ("pinnacle", "fanduel"), "pinnacle,fanduel"])
def test_lists_of_the_query_are_joined(given: Given, books: object) -> None:
    client = given(ok())
    client.call("get_odds", 7, bookmaker=books)
    assert client.requests[0].url.params["bookmaker"] == "pinnacle,fanduel"


def test_arrays_of_other_libraries_are_lists(given: Given) -> None:
    class Series:
        def tolist(self) -> list[int]:
            return [1, 2]

    client = given(ok(), ok())
    client.call("list_changes", event_id=Series())
    assert client.requests[0].url.params["event_id"] == "1,2"
    client.call("batch_get_events", event_ids=Series())
    assert client.body() == {"event_ids": [1, 2]}


def test_bodies_hold_what_is_given_and_nothing_else(given: Given) -> None:
    client = given(ok(), ok())
    client.call("batch_get_events", event_ids={3}, as_of=NOON)
    assert client.body() == {"event_ids": [3], "as_of": "2023-02-12T12:00:00Z"}
    assert client.requests[0].headers["content-type"] == "application/json"
    client.call("resolve_team", query="Kansas City", clues={"sport": "nfl"})
    assert client.body() == {"query": "Kansas City", "clues": {"sport": "nfl"}}


def test_a_text_of_the_path_is_one_part_of_it(given: Given) -> None:
    client = given(ok())
    client.call("get_grade_receipt", "a/b?c")
    assert client.requests[0].url.raw_path == b"/v1/grade/receipts/a%2Fb%3Fc"


@pytest.mark.parametrize("part", ["", ".", ".."])
def test_a_part_of_the_path_that_would_lead_elsewhere_is_refused(given: Given, part: str) -> None:
    client = given()
    with pytest.raises(ValueError, match="id must be given"):
        client.call("get_grade_receipt", part)
    assert client.requests == []


def test_what_no_request_can_hold_is_refused(given: Given) -> None:
    client = given()
    with pytest.raises(TypeError, match="a object cannot be sent"):
        client.call("get_odds", 7, bookmaker=object())
    with pytest.raises(TypeError, match="a object cannot be sent"):
        client.call("batch_get_events", event_ids=[object()])
    assert client.requests == []


def test_what_has_no_body_is_none(given: Given) -> None:
    client = given(__import__("httpx").Response(204))
    assert client.call("delete_webhook", 4) is None
    assert client.requests[0].method == "DELETE"


def test_the_address_and_the_key_may_stand_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEDGERLINE_URL", "https://sports.example")
    monkeypatch.setenv("LEDGERLINE_API_KEY", "llk_1")
    Ledgerline().close()
    monkeypatch.delenv("LEDGERLINE_API_KEY")
    with pytest.raises(ValueError, match="api_key must be given"):
        Ledgerline()
    monkeypatch.delenv("LEDGERLINE_URL")
    with pytest.raises(ValueError, match="base_url must be given"):
        Ledgerline(api_key="llk_1")


@pytest.mark.parametrize(
    ("url", "key", "retries", "told"),
    [
        ("sports.example", "k", 3, "base_url must be an http or https URL"),
        ("ftp://sports.example", "k", 3, "base_url must be an http or https URL"),
        ("https://sports.example", "k\n", 3, "api_key must be the key"),
        ("https://sports.example", "kéy", 3, "api_key must be the key"),
        ("https://sports.example", "k", -1, "retries must not be negative"),
    ],
)
def test_options_that_cannot_be_are_refused(url: str, key: str, retries: int, told: str) -> None:
    with pytest.raises(ValueError, match=told) as refusal:
        Ledgerline(url, api_key=key, retries=retries)
    assert "kéy" not in str(refusal.value)
