"""What is sent again, and when."""

from __future__ import annotations

import httpx
import pytest

from ledgerline import LedgerlineError, NetworkError, RateLimitExceeded, ServiceUnavailable

from .conftest import Given
from .scripted import Pieces, ok, refused


def broken() -> Exception:
    return httpx.ConnectError("refused")


def busy(after: str = "2") -> httpx.Response:
    return refused(429, "rate_limit_exceeded", retry_after=after)


def down(after: str = "3") -> httpx.Response:
    return refused(503, "service_unavailable", retry_after=after)


def test_three_retries_are_four_requests(given: Given) -> None:
    client = given(busy(), busy(), busy(), busy())
    with pytest.raises(RateLimitExceeded):
        client.call("list_sports")
    assert [len(client.requests), client.waits] == [4, [2, 2, 2]]


def test_no_retries_are_one_request(given: Given) -> None:
    client = given(busy(), retries=0)
    with pytest.raises(RateLimitExceeded):
        client.call("list_sports")
    assert [len(client.requests), client.waits] == [1, []]


def test_429_and_503_are_waited_for_as_long_as_they_say(given: Given) -> None:
    client = given(busy("5"), down("7"), ok({"sports": []}))
    assert client.call("list_sports") == {"sports": []}
    assert client.waits == [5, 7]


def test_without_a_time_to_wait_it_is_half_a_second_then_twice_that(given: Given) -> None:
    answers = [broken(), httpx.Response(502), httpx.Response(504, headers={"retry-after": "9"}), ok()]
    client = given(*answers)
    client.call("get_health")
    assert client.waits == [0.5, 1, 2]


def test_an_answer_that_breaks_off_is_sent_for_again(given: Given) -> None:
    cut = httpx.Response(200, stream=Pieces([b'{"a"', httpx.ReadError("cut")]))
    client = given(cut, ok({"a": 1}))
    assert client.call("get_health") == {"a": 1}


def test_a_server_that_was_reached_and_did_not_answer_in_time_is_not_asked_again(given: Given) -> None:
    client = given(httpx.ReadTimeout("timed out"))
    with pytest.raises(NetworkError, match="GET /v1/health: timed out"):
        client.call("get_health")
    assert len(client.requests) == 1


@pytest.mark.parametrize("answer", [broken, down, lambda: httpx.Response(502)])
def test_a_post_is_repeated_with_an_idempotency_key_only(given: Given, answer: object) -> None:
    assert callable(answer)
    client = given(answer())
    with pytest.raises(LedgerlineError):
        client.call("create_webhook", url="https://x.example")
    assert [len(client.requests), "idempotency-key" in client.requests[0].headers] == [1, False]

    client = given(answer(), ok({"id": 1}))
    assert client.call("create_webhook", url="https://x.example", idempotency_key="once") == {"id": 1}
    assert [sent.headers["idempotency-key"] for sent in client.requests] == ["once", "once"]
    assert client.body(0) == client.body(1) == {"url": "https://x.example"}


def test_429_repeats_whatever_was_called_since_nothing_ran(given: Given) -> None:
    client = given(busy(), ok())
    client.call("batch_get_events", event_ids=[1])
    assert len(client.requests) == 2


def test_a_deletion_is_repeated_after_503_but_not_where_it_may_have_run(given: Given) -> None:
    client = given(down(), httpx.Response(204))
    assert client.call("delete_webhook", 1) is None
    client = given(broken())
    with pytest.raises(NetworkError):
        client.call("delete_webhook", 1)
    assert len(client.requests) == 1


def test_a_wait_of_more_than_a_minute_is_left_to_the_caller(given: Given) -> None:
    client = given(down("61"))
    with pytest.raises(ServiceUnavailable) as failure:
        client.call("get_health")
    assert [failure.value.retry_after, client.waits] == [61, []]


@pytest.mark.parametrize("status", [400, 404, 422, 500])
def test_other_refusals_are_final(given: Given, status: int) -> None:
    client = given(httpx.Response(status))
    with pytest.raises(LedgerlineError):
        client.call("get_health")
    assert len(client.requests) == 1
