"""What a call that failed raises."""

from __future__ import annotations

import pickle
from email.utils import format_datetime
from datetime import datetime, timedelta, timezone

import httpx
import pytest

import ledgerline
from ledgerline import LedgerlineError, NotFound, UnexpectedAnswer, ValidationError

from .conftest import Given
from .scripted import ok, refused


def test_each_code_has_a_class(given: Given) -> None:
    for name in ("not_found", "rate_limit_exceeded", "insufficient_credits", "internal_error"):
        client = given(refused(400, name), retries=0)
        with pytest.raises(LedgerlineError) as failure:
            client.call("get_health")
        expected = "".join(part.title() for part in name.split("_"))
        assert type(failure.value) is getattr(ledgerline, expected)


def test_it_has_the_code_the_status_and_the_id_of_the_request(given: Given) -> None:
    client = given(refused(404, "not_found"))
    with pytest.raises(NotFound, match="says not_found") as failure:
        client.call("get_event", 9)
    error = failure.value
    assert [error.code, error.status, error.request_id, error.retry_after] == ["not_found", 404, "made-1", None]
    assert error.message == "says not_found"


def test_it_has_what_the_server_tells_beyond_the_message(given: Given) -> None:
    wrong = [{"loc": ["query", "limit"], "msg": "must be at most 100", "type": "too_big"}]
    client = given(refused(422, "validation_error", {"errors": wrong}))
    with pytest.raises(ValidationError) as failure:
        client.call("list_events", limit=101)
    assert failure.value.details == {"errors": wrong}


def test_a_code_of_a_newer_server_is_an_error_all_the_same(given: Given) -> None:
    client = given(refused(418, "is_a_teapot"))
    with pytest.raises(LedgerlineError) as failure:
        client.call("get_health")
    assert [type(failure.value), failure.value.code] == [LedgerlineError, "is_a_teapot"]


@pytest.mark.parametrize("body", ["<html>", '{"error": "no"}', "[]", '{"error": {"code": 5}}', ""])
def test_an_answer_without_an_envelope_is_none_of_ours(given: Given, body: str) -> None:
    client = given(httpx.Response(400, text=body, headers={"x-request-id": "r"}))
    with pytest.raises(UnexpectedAnswer) as failure:
        client.call("get_health")
    assert [failure.value.code, failure.value.status, failure.value.request_id] == ["unexpected_answer", 400, "r"]


def test_a_success_without_json_is_none_of_ours(given: Given) -> None:
    client = given(httpx.Response(200, text="<html>"))
    with pytest.raises(UnexpectedAnswer, match="HTTP 200 without JSON"):
        client.call("get_health")


def test_a_date_to_wait_for_is_taken_as_seconds(given: Given) -> None:
    soon = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=90), usegmt=True)
    client = given(httpx.Response(503, headers={"retry-after": soon}))
    with pytest.raises(UnexpectedAnswer) as failure:
        client.call("get_health")
    assert failure.value.retry_after is not None and 60 < failure.value.retry_after <= 90


def test_it_passes_between_processes(given: Given) -> None:
    client = given(refused(404, "not_found", {"sport": "nfl"}))
    with pytest.raises(NotFound) as failure:
        client.call("get_event", 9)
    copy = pickle.loads(pickle.dumps(failure.value))
    assert [type(copy), copy.message, copy.__dict__] == [NotFound, "says not_found", failure.value.__dict__]


def test_the_latest_answer_tells_its_cost_and_its_id(given: Given) -> None:
    client = given(ok(x_request_id="r-1", x_credits_used="0.5", x_credits_remaining="12", x_ratelimit_remaining="3"))
    assert client.last.credits_used is None
    client.call("get_health")
    assert [client.last.status, client.last.request_id, client.last.credits_used] == [200, "r-1", 0.5]
    assert [client.last.credits_remaining, client.last.rate_limit_remaining] == [12, 3]
    client = given(refused(404, "not_found", x_credits_used="0"))
    with pytest.raises(NotFound):
        client.call("get_event", 9)
    assert [client.last.status, client.last.credits_used] == [404, 0]
