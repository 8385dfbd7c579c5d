"""Lists over all their pages."""

from __future__ import annotations

import pytest

from ledgerline import NotFound

from .conftest import Given
from .scripted import ok, refused


def page(ids: list[int], after: int | None, **more: object) -> dict[str, object]:
    return {"events": [{"id": one} for one in ids], "next_after_id": after, **more}


def test_every_page_is_asked_for_with_the_same_filters(given: Given) -> None:
    client = given(ok(page([1, 2], 2)), ok(page([], 5)), ok(page([6], None)))
    items = client.items("each", "list_events", league="nfl", limit=2)
    assert [item["id"] for item in items] == [1, 2, 6]
    assert [str(sent.url.query, "ascii") for sent in client.requests] == [
        "league=nfl&limit=2",
        "league=nfl&after_id=2&limit=2",
        "league=nfl&after_id=5&limit=2",
    ]


def test_a_page_is_asked_for_when_the_one_before_is_used_up(given: Given) -> None:
    client = given(ok(page([1, 2], 2)))
    assert [item["id"] for item in client.items("each", "list_events", most=2)] == [1, 2]
    assert len(client.requests) == 1


@pytest.mark.parametrize(
    ("equivalent", "next_url"),
    [
        ("GET /v1/events?sport=nfl&limit=1", "https://sports.example/v1/events?sport=nfl&limit=1&after_id=1"),
        ("GET /v1/events", "https://sports.example/v1/events?after_id=1"),
    ],
)
def test_a_search_in_words_goes_on_in_the_list_that_it_stands_for(
    given: Given, equivalent: str, next_url: str
) -> None:
    client = given(ok(page([1], 1, equivalent_request=equivalent)), ok(page([2], None)))
    items = client.items("each", "query_events", query="nfl games")
    assert [item["id"] for item in items] == [1, 2]
    assert [client.requests[0].method, client.requests[1].method, client.url()] == ["POST", "GET", next_url]


def test_a_search_in_words_goes_on_to_its_third_page_and_further(given: Given) -> None:
    first = page([1], 1, equivalent_request="GET /v1/events?sport=nfl")
    client = given(ok(first), ok(page([2], 2)), ok(page([3], None)))
    items = client.items("each", "query_events", query="nfl games", fields="equivalent_request, events.id")
    assert [item["id"] for item in items] == [1, 2, 3]
    assert client.url() == "https://sports.example/v1/events?sport=nfl&after_id=2&fields=events.id"


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ({"next_after_id": 1}, "fields must name events"),
        ({"events": [], "next_after_id": 1}, "fields must name equivalent_request"),
        (page([], 1, equivalent_request="GET /v1/players/5/events"), "each.get_player_events has them"),
    ],
)
def test_a_search_in_words_says_why_it_ends(given: Given, first: dict[str, object], message: str) -> None:
    client = given(ok(first))
    with pytest.raises(TypeError, match=message):
        client.items("each", "query_events", query="nfl games", fields="x")


def test_a_page_that_fails_raises_where_it_is_needed(given: Given) -> None:
    client = given(ok(page([1], 1)), refused(404, "not_found"))
    with pytest.raises(NotFound):
        client.items("each", "list_events")
