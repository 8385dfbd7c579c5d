"""A client whose answers are a script, of either kind, whose waits are noted and over at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from ledgerline import AsyncLedgerline, LastAnswer, Ledgerline

Answer = httpx.Response | Exception


class Pieces(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body in pieces. An exception among them breaks the connection."""

    def __init__(self, pieces: list[bytes | Exception]) -> None:
        self._pieces = pieces
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def ok(body: object = None, **headers: str) -> httpx.Response:
    return httpx.Response(200, json={} if body is None else body, headers=_headers(headers))


def refused(status: int, code: str, more: dict[str, object] | None = None, **headers: str) -> httpx.Response:
    """An error as the server writes it."""
    error = {"code": code, "message": f"says {code}", "status": status, "request_id": "made-1", **(more or {})}
    return httpx.Response(status, json={"error": error, "detail": error["message"]}, headers=_headers(headers))


def stream(*pieces: str | bytes | Exception) -> httpx.Response:
    body = Pieces([piece.encode() if isinstance(piece, str) else piece for piece in pieces])
    return httpx.Response(200, stream=body, headers={"content-type": "text/event-stream"})


class Scripted:
    """Calls one kind of client, and notes what it sends and how long it waits."""

    def __init__(self, kind: str, *answers: Answer, retries: int = 3, base_url: str = "https://sports.example") -> None:
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []
        self.last = LastAnswer()
        self._answers = list(answers)
        self._kind = kind
        self._retries = retries
        self._base_url = base_url

    def call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """The answer of a method."""
        return self._called(None, method, args, kwargs)

    def call_of(self, group: str, method: str, *args: Any, **kwargs: Any) -> Any:
        """The answer of a method of `frame`."""
        return self._called(group, method, args, kwargs)

    def _called(self, group: str | None, method: str, args: Any, kwargs: Any) -> Any:
        if self._kind == "async":
            return asyncio.run(self._call_async(group, method, args, kwargs))
        with self._sync() as client:
            try:
                return getattr(getattr(client, group) if group else client, method)(*args, **kwargs)
            finally:
                self.last = client.last

    def items(self, group: str, method: str, *args: Any, most: int | None = None, **kwargs: Any) -> list[Any]:
        """What `each` or `stream` gives, at most so many."""
        found: list[Any] = []
        if self._kind == "async":
            asyncio.run(self._items_async(found, group, method, args, kwargs, most))
            return found
        with self._sync() as client:
            for item in getattr(getattr(client, group), method)(*args, **kwargs):
                found.append(item)
                if len(found) == most:
                    break
        return found

    def body(self, at: int = -1) -> Any:
        return json.loads(self.requests[at].content)

    def url(self, at: int = -1) -> str:
        return str(self.requests[at].url)

    async def _call_async(self, group: str | None, method: str, args: Any, kwargs: Any) -> Any:
        async with self._async() as client:
            try:
                return await getattr(getattr(client, group) if group else client, method)(*args, **kwargs)
            finally:
                self.last = client.last

    async def _items_async(
        self, found: list[Any], group: str, method: str, args: Any, kwargs: Any, most: int | None
    ) -> None:
        async with self._async() as client:
            items = getattr(getattr(client, group), method)(*args, **kwargs)
            async for item in items:
                found.append(item)
                if len(found) == most:
                    break
            await items.aclose()

    def _sync(self) -> Ledgerline:
        http = httpx.Client(transport=httpx.MockTransport(self._answer))
        return Ledgerline(
            self._base_url, api_key="llk_1", retries=self._retries, http_client=http, sleep=self.waits.append
        )

    def _async(self) -> AsyncLedgerline:
        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        http = httpx.AsyncClient(transport=httpx.MockTransport(self._answer))
        return AsyncLedgerline(
            self._base_url, api_key="llk_1", retries=self._retries, http_client=http, sleep=sleep
        )

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if not self._answers:
            raise AssertionError("the script is over")
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def _headers(given: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in given.items()}
