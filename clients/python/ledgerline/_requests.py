"""How arguments become a request."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, datetime, timezone
from typing import Any
from urllib.parse import quote, urlencode

from ._exchange import Request
from ._operation import Operation

_DOTS = re.compile(r"\.{0,2}")


def request_of(
    operation: Operation,
    arguments: Mapping[str, object],
    base_url: str,
    headers: Mapping[str, str],
    idempotency_key: str | None = None,
) -> Request:
    """The request that makes a call. What is None is left out, but of what replaces something.

    Raises:
        ValueError: an argument of the path is empty.
        TypeError: an argument is of a kind that no request can hold.
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    sent = dict(headers)
    if idempotency_key is not None:
        sent["idempotency-key"] = idempotency_key
    content: bytes | None = None
    if operation.body is not None:
        sent["content-type"] = "application/json"
        # What is put in the place of something else may be None.
        of_body = arguments if operation.method == "PUT" else given
        body = {name: of_body[name] for name in operation.body if name in of_body}
        content = json.dumps(body, default=_json_value, allow_nan=False).encode()
    query = [(name, _query_text(name, given, operation)) for name in operation.query if name in given]
    search = f"?{urlencode(query)}" if query else ""
    return Request(
        method=operation.method,
        url=base_url + _filled(operation.path, given) + search,
        headers=sent,
        content=content,
        is_repeatable=operation.method == "GET" or idempotency_key is not None,
    )


def _filled(path: str, given: Mapping[str, object]) -> str:
    def part(match: re.Match[str]) -> str:
        name = match.group(1)
        text = _text(given.get(name, ""))
        # Without a text, or with dots, the path would be that of another operation.
        if _DOTS.fullmatch(text):
            raise ValueError(f"{name} must be given")
        return quote(text, safe="")

    return re.sub(r"\{(\w+)\}", part, path)


def _query_text(name: str, given: Mapping[str, object], operation: Operation) -> str:
    value = given[name]
    if name in operation.dates and isinstance(value, datetime):
        return _utc(value).date().isoformat()
    return _text(value)


def _text(value: object) -> str:
    """A value as the query has it: `true`, `2023-02-12T12:00:00Z`, `1,2,3`."""
    plain = _plain(value)
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, (str, int, float)):
        return str(plain)
    return ",".join(_text(item) for item in _items(plain))


def _json_value(value: object) -> object:
    """For what JSON has no form of: times, sets, arrays of numpy and pandas."""
    plain = _plain(value)
    return _items(value) if plain is value else plain


def _items(value: Any) -> list[Any]:
    kind = type(value).__name__
    if isinstance(value, (bytes, bytearray, Mapping)) or not hasattr(value, "__iter__"):
        raise TypeError(f"a {kind} cannot be sent")
    return list(value)


def _plain(value: object) -> Any:
    if isinstance(value, datetime):
        return _time_text(value)
    if isinstance(value, date):
        return value.isoformat()
    # Arrays and numbers of numpy, and series of pandas.
    tolist = getattr(value, "tolist", None)
    return tolist() if callable(tolist) else value


def _time_text(value: datetime) -> str:
    """To the millisecond, which is what the server has."""
    utc = _utc(value).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds" if utc.microsecond >= 1000 else "seconds") + "Z"


def _utc(value: datetime) -> datetime:
    """One without a zone is taken for UTC, as all times of the API are."""
    return value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value.astimezone(timezone.utc)
