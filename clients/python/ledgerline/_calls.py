"""The logic of calls: retries, and lists over all their pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from ._exchange import Broken, Emit, Reply, Request, Send, Step, Steps, Wait
from ._failures import failure_of
from ._ledgerline_error import LedgerlineError, NetworkError, UnexpectedAnswer
from ._operation import Operation

FIRST_WAIT = 0.5
LONGEST_WAIT = 60.0
_PASSING = (502, 503, 504)

Maker = Callable[[Operation, Mapping[str, object]], Request]


def backoff(times: int) -> float:
    """Half a second, doubled each time. `times` is how often it was waited before."""
    return float(FIRST_WAIT * 2**times)


def successful(
    request: Request, retries: int, now: Callable[[], float], opens_stream: bool = False
) -> Generator[Step, Any, Reply]:
    """The successful reply, sent for again at most `retries` times.

    Raises:
        LedgerlineError: it failed.
    """
    attempt = 0
    while True:
        outcome = yield Send(request, opens_stream)
        if isinstance(outcome, Reply) and 200 <= outcome.status < 300:
            return outcome
        if isinstance(outcome, Reply):
            failure = failure_of(outcome, now())
            wait = _wait_after(failure, request, attempt)
        else:
            failure = _broken(request, outcome)
            wait = backoff(attempt) if request.is_repeatable and not outcome.timed_out else None
        if wait is None or attempt >= retries:
            raise failure from (outcome.reason if isinstance(outcome, Broken) else None)
        attempt += 1
        yield Wait(wait)


def answered(request: Request, retries: int, now: Callable[[], float]) -> Steps:
    """Emits the answer: parsed JSON, or None for one without a body."""
    reply = yield from successful(request, retries, now)
    yield Emit(parsed(reply))


def all_items(
    operation: Operation,
    arguments: Mapping[str, object],
    make: Maker,
    retries: int,
    now: Callable[[], float],
) -> Steps:
    """Emits the items of all pages. Each page is asked for when the one before is used up."""
    request = make(operation, arguments)
    follow: Operation | None = operation if "after_id" in operation.query else None
    equivalent: str | None = None
    while True:
        page = parsed((yield from successful(request, retries, now)))
        if operation.pages not in page:
            raise TypeError(f"fields must name {operation.pages}")
        for item in page[operation.pages]:
            yield Emit(item)
        after = page.get("next_after_id")
        if after is None:
            return
        if follow is not None:
            request = make(follow, {**arguments, "after_id": after})
        else:
            # A search in words names the list that it stands for, and that list has the pages.
            equivalent = equivalent or page.get("equivalent_request")
            request = make(_next_page(equivalent, after, _fields_below(operation.pages, arguments.get("fields"))), {})


def _fields_below(member: str | None, fields: object) -> str | None:
    """Of members of an answer those of its items."""
    if not isinstance(fields, str):
        return None
    paths = (path.strip() for path in fields.split(","))
    return ",".join(path for path in paths if path == member or path.startswith(f"{member}."))


def _next_page(equivalent: str | None, after: object, fields: str | None) -> Operation:
    if equivalent is None:
        raise TypeError("fields must name equivalent_request, for further pages")
    address = urlsplit(equivalent.removeprefix("GET "))
    if address.path != "/v1/events":
        raise TypeError(
            f"further pages are those of {equivalent}, whose items are others: each.get_player_events has them"
        )
    more = urlencode({"after_id": after, **({} if fields is None else {"fields": fields})})
    query = f"{address.query}&{more}" if address.query else more
    return Operation("GET", f"{address.path}?{query}")


def parsed(reply: Reply) -> Any:
    if reply.status == 204:
        return None
    try:
        return json.loads(reply.text)
    except ValueError as error:
        raise UnexpectedAnswer(
            f"the answer is HTTP {reply.status} without JSON",
            code="unexpected_answer",
            status=reply.status,
            request_id=reply.headers.get("x-request-id"),
        ) from error


def _wait_after(failure: LedgerlineError, request: Request, attempt: int) -> float | None:
    """Seconds to wait before the call is made once more; None if it is not."""
    status = failure.status
    # After 429 nothing ran, and after 503 nothing was taken; still only what was marked is bought a second time.
    may_repeat = (
        status == 429
        or (status in _PASSING and request.is_repeatable)
        or (status == 503 and request.method != "POST")
    )
    if not may_repeat:
        return None
    is_asked = status in (429, 503) and failure.retry_after is not None
    wait = failure.retry_after if is_asked and failure.retry_after is not None else backoff(attempt)
    return wait if wait <= LONGEST_WAIT else None


def _broken(request: Request, broken: Broken) -> NetworkError:
    reason = str(broken.reason) or type(broken.reason).__name__
    return NetworkError(f"{request.method} {urlsplit(request.url).path}: {reason}", code="network_error")
