"""What an answer that is no success becomes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from math import ceil
from typing import Any

from ._exchange import Reply
from ._ledgerline_error import LedgerlineError, UnexpectedAnswer
from .generated.error_codes import BY_CODE

_OWN_MEMBERS = frozenset(("code", "message", "status", "request_id", "retry_after"))


def failure_of(reply: Reply, now: float) -> LedgerlineError:
    """The error that an answer tells of. `now` is the Unix time, in seconds."""
    request_id = reply.headers.get("x-request-id")
    retry_after = _seconds_of(reply.headers.get("retry-after"), now)
    error = envelope_of(reply.text)
    if error is None:
        return UnexpectedAnswer(
            f"the answer is HTTP {reply.status} without an error envelope",
            code="unexpected_answer",
            status=reply.status,
            request_id=request_id,
            retry_after=retry_after,
        )
    return error_of({"request_id": request_id, **error, "status": reply.status}, retry_after)


def envelope_of(text: str) -> Mapping[str, Any] | None:
    """The `error` of an error envelope; None if the text is none."""
    try:
        parsed: Any = json.loads(text)
    except ValueError:
        return None
    try:
        error: Any = parsed["error"]
        return error if isinstance(error["code"], str) else None
    except (KeyError, TypeError, IndexError):
        return None


def error_of(error: Mapping[str, Any], retry_after: float | None = None) -> LedgerlineError:
    """The exception for the `error` of an envelope, of the class of its code."""
    code = str(error["code"])
    kind = BY_CODE.get(code, LedgerlineError)
    return kind(
        str(error.get("message", code)),
        code=code,
        status=int(error.get("status", 0)),
        request_id=error.get("request_id"),
        retry_after=error.get("retry_after") if retry_after is None else retry_after,
        details={name: value for name, value in error.items() if name not in _OWN_MEMBERS},
    )


def _seconds_of(value: str | None, now: float) -> float | None:
    """Of `Retry-After`: seconds, or a date as proxies may send it. None if it is absent, or neither."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return max(0.0, float(ceil(parsedate_to_datetime(value).timestamp() - now)))
    except ValueError:
        return None
