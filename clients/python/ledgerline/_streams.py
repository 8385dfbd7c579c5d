"""Streams over as many connections as they take."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from ._calls import backoff, successful
from ._exchange import Broken, Close, Emit, Read, Request, Steps, Wait
from ._failures import envelope_of, error_of
from ._ledgerline_error import LedgerlineError, NetworkError, UnexpectedAnswer
from ._sent_events import SentEvent, SentEvents

LONGEST_SILENCE = 45.0
"""Seconds. The server writes at least every 15 seconds: after three silences the connection is dead."""

Meaning = Literal["end", "item", "begun", "remark"]
"""What an event is for its reader: the last one, what it is read for, a sign that it has begun well, or a remark."""


def _score(sent: SentEvent) -> Meaning:
    """A snapshot, until the event is over."""
    return "end" if sent.event == "done" else "item" if sent.event == "score" else "remark"


def _change(sent: SentEvent) -> Meaning:
    """A change of any type, of types to come too. A stream of hours in which nothing changes is none that fails."""
    return "begun" if sent.event == "ready" else "remark" if sent.event == "reconnect" else "item"


_MEANINGS: Mapping[str, Callable[[SentEvent], Meaning]] = {"score": _score, "changes": _change}


def followed(stream: str, request: Request, retries: int, now: Callable[[], float]) -> Steps:
    """Emits what the stream `score` or `changes` tells. What the last connection has told does not come again.

    Raises:
        LedgerlineError: the server says that it cannot be followed, or it cannot be opened.
    """
    meaning_of = _MEANINGS[stream]
    last_id: str | None = None
    wait = 0.0
    fruitless = 0
    while True:
        headers = dict(request.headers)
        if last_id is not None:
            headers["last-event-id"] = last_id
        yield from successful(replace(request, headers=headers), retries, now, opens_stream=True)
        events = SentEvents()
        reason: Exception | None = None
        is_open = True
        while is_open:
            chunk = yield Read()
            if not isinstance(chunk, bytes):
                reason = chunk.reason if isinstance(chunk, Broken) else None
                break
            for sent in events.feed(chunk):
                if sent.event == "error":
                    raise _refusal(sent)
                if sent.event == "retry":
                    wait = int(sent.data) / 1000
                    continue
                meaning = meaning_of(sent)
                if meaning == "end":
                    return
                is_repeated = sent.id is not None and sent.id == last_id
                if meaning in ("item", "begun"):
                    fruitless = -1
                last_id = sent.id if sent.id is not None else None if meaning == "item" else last_id
                if sent.event == "reconnect":
                    is_open = False
                    break
                if meaning == "item" and not is_repeated:
                    yield Emit(json.loads(sent.data))
        yield Close()
        if fruitless >= retries:
            message = "the stream ends again and again without anything having come"
            raise NetworkError(message, code="network_error") from reason
        yield Wait(max(wait, backoff(max(fruitless, 0))))
        fruitless += 1


def _refusal(sent: SentEvent) -> LedgerlineError:
    error = envelope_of(sent.data)
    if error is None:
        return UnexpectedAnswer("the stream ended in an error", code="unexpected_answer")
    return error_of(error)
