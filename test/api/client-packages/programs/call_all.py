"""Makes the calls that standard input lists, with the client of threads and with that of asyncio, and prints the answers."""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import islice
from typing import Any

from ledgerline import AsyncLedgerline, Ledgerline, LedgerlineError


def given(call: dict[str, Any]) -> dict[str, Any]:
    """The arguments as Python names them."""
    arguments = {"from_" if name == "from" else name: value for name, value in call["arguments"].items()}
    return arguments | ({"idempotency_key": call["key"]} if call.get("key") else {})


def refusal(error: LedgerlineError) -> dict[str, Any]:
    return {"refused": error.code, "status": error.status, "message": error.message}


def sync(url: str, key: str, calls: list[dict[str, Any]]) -> list[Any]:
    answers: list[Any] = []
    with Ledgerline(url, api_key=key, retries=0) as ll:
        for call in calls:
            group = getattr(ll, call["group"]) if call.get("group") else ll
            try:
                answer = getattr(group, call["python"])(**given(call))
                answers.append(list(islice(answer, call.get("most"))) if call.get("group") else answer)
            except LedgerlineError as error:
                answers.append(refusal(error))
    return answers


async def taken(items: Any, most: int | None) -> list[Any]:
    found: list[Any] = []
    async for item in items:
        found.append(item)
        if len(found) == most:
            break
    await items.aclose()
    return found


async def asynchronous(url: str, key: str, calls: list[dict[str, Any]]) -> list[Any]:
    answers: list[Any] = []
    async with AsyncLedgerline(url, api_key=key, retries=0) as ll:
        for call in calls:
            group = getattr(ll, call["group"]) if call.get("group") else ll
            try:
                answer = getattr(group, call["python"])(**given(call))
                answers.append(await taken(answer, call.get("most")) if call.get("group") else await answer)
            except LedgerlineError as error:
                answers.append(refusal(error))
    return answers


def cell(value: Any) -> Any:
    """What JSON can hold: None for what is not there, milliseconds for times."""
    import pandas

    if pandas.isna(value):
        return None
    if isinstance(value, pandas.Timestamp):
        return round(value.timestamp() * 1000)
    return value.item() if hasattr(value, "item") else value


def frames(url: str, key: str, calls: list[dict[str, Any]]) -> list[Any]:
    found: list[Any] = []
    with Ledgerline(url, api_key=key, retries=0) as ll:
        for call in calls:
            frame = getattr(ll.frame, call["python"])(**given(call))
            rows = [[cell(value) for value in row] for row in frame.itertuples(index=False, name=None)]
            found.append({"columns": list(frame.columns), "rows": rows})
    return found


asked = json.load(sys.stdin)
url, key = sys.argv[1:]
if asked["kind"] == "async":
    print(json.dumps(asyncio.run(asynchronous(url, key, asked["calls"]))))
else:
    print(json.dumps((frames if asked["kind"] == "frame" else sync)(url, key, asked["calls"])))
