"""Streams over connections that end."""

from __future__ import annotations

import httpx
import pytest

from ledgerline import LedgerlineError, NetworkError, NotFound, Unauthorized

from .conftest import Given
from .scripted import Pieces, refused, stream

DONE = 'event: done\ndata: {"event_id":1}\n\n'
GONE = httpx.ReadError("gone")


def snapshot(at: int) -> str:
    return f'event: score\nid: {at}\ndata: {{"event_id":{at}}}\n\n'


def change(at: int) -> str:
    return f'event: score\nid: {at}\ndata: {{"id":"{at}"}}\n\n'


def ids(items: list[dict[str, int]]) -> list[int]:
    return [item["event_id"] for item in items]


def test_a_score_ends_with_the_event(given: Given) -> None:
    client = given(stream("retry: 3000\n\n", ": keep-alive\n\n", snapshot(1), "event: news\ndata: {}\n\n", snapshot(2), DONE))
    assert ids(client.items("stream", "score", 1)) == [1, 2]
    assert client.url() == "https://sports.example/v1/events/1/stream"
    assert client.requests[0].headers["accept"] == "text/event-stream"


@pytest.mark.parametrize("end", ["event: reconnect\ndata: {}\n\n", GONE])
def test_a_connection_that_ends_is_opened_again_behind_what_it_told(given: Given, end: str | Exception) -> None:
    client = given(stream("retry: 3000\n\n", snapshot(1), end), stream(snapshot(1), snapshot(2), DONE))
    assert ids(client.items("stream", "score", 1)) == [1, 2]
    assert [sent.headers.get("last-event-id") for sent in client.requests] == [None, "1"]
    assert client.waits == [3]


def test_it_goes_on_while_something_comes_however_often_it_ends(given: Given) -> None:
    client = given(*(stream(snapshot(at)) for at in (1, 2, 3, 4)), stream(DONE), retries=1)
    assert ids(client.items("stream", "score", 1)) == [1, 2, 3, 4]
    assert client.waits == [0.5] * 4


def test_it_waits_longer_each_time_that_nothing_comes_then_gives_up(given: Given) -> None:
    client = given(stream(), stream(), stream(GONE), retries=2)
    with pytest.raises(NetworkError, match="again and again") as failure:
        client.items("stream", "score", 1)
    assert [client.waits, failure.value.__cause__] == [[0.5, 1], GONE]


def test_an_opening_that_fails_is_tried_as_any_other_read(given: Given) -> None:
    down = refused(503, "service_unavailable", retry_after="7")
    client = given(httpx.ConnectError("refused"), down, stream(snapshot(1), DONE))
    assert ids(client.items("stream", "score", 1)) == [1]
    assert client.waits == [0.5, 7]


def test_messages_may_come_in_pieces_and_letters_cut_in_two(given: Given) -> None:
    whole = 'event: score\r\nid: 1\r\ndata: {"event_id":1,\r\ndata: "clock":"Zürich\u2028– 45’"}\r\n\r\n'.encode()
    client = given(stream(*(whole[at : at + 1] for at in range(len(whole))), DONE))
    assert client.items("stream", "score", 1) == [{"event_id": 1, "clock": "Zürich\u2028– 45’"}]


def test_what_the_server_says_of_an_event_that_there_is_not_is_raised(given: Given) -> None:
    error = '{"error":{"code":"not_found","message":"There is no event 9.","status":404,"request_id":"r"}}'
    client = given(stream(f"event: error\ndata: {error}\n\n"))
    with pytest.raises(NotFound, match="There is no event 9") as failure:
        client.items("stream", "score", 9)
    assert [failure.value.status, failure.value.request_id] == [404, "r"]
    client = given(stream("event: error\ndata: {}\n\n"))
    with pytest.raises(LedgerlineError) as other:
        client.items("stream", "score", 9)
    assert other.value.code == "unexpected_answer"


def test_what_refuses_its_opening_is_raised(given: Given) -> None:
    client = given(refused(401, "unauthorized"))
    with pytest.raises(Unauthorized):
        client.items("stream", "score", 1)


def test_changes_go_on_until_the_reader_goes_and_the_connection_is_closed(given: Given) -> None:
    second = stream("event: ready\nid: 7\ndata: {}\n\n", change(8), change(9), change(10))
    body = second.stream
    client = given(stream("event: ready\nid: 5\ndata: {}\n\n", change(6), change(7), "event: reconnect\ndata: {}\n\n"), second)
    found = client.items("stream", "changes", after="5", types=["score", "status"], most=4)
    assert [one["id"] for one in found] == ["6", "7", "8", "9"]
    assert client.requests[1].headers["last-event-id"] == "7"
    assert dict(client.requests[0].url.params) == {"types": "score,status", "after": "5"}
    assert isinstance(body, Pieces) and body.is_closed


def test_hours_without_a_change_are_no_failure(given: Given) -> None:
    quiet = "event: ready\nid: 5\ndata: {}\n\n"
    client = given(*(stream(quiet) for _ in range(6)), stream(quiet, change(6)), retries=1)
    assert [one["id"] for one in client.items("stream", "changes", most=1)] == ["6"]
