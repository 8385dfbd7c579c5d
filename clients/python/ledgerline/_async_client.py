"""The client of programs on asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from ._exchange import Broken, Close, Emit, Outcome, Read, Reply, Send, Steps, Wait
from ._frames import frame_of
from ._last_answer import LastAnswer, LastAnswers
from ._operation import Operation
from ._options import RETRIES, TIMEOUT, read_options
from ._streams import LONGEST_SILENCE
from ._sync_client import broken
from .generated.async_methods import AsyncCalls, AsyncEach, AsyncFrames, AsyncStreams

if TYPE_CHECKING:
    import pandas as pd


class AsyncLedgerline(AsyncCalls):
    """A client of one server, with one key, for asyncio. It has the methods of `Ledgerline`, as coroutines.

    Close it, or use it in an `async with` statement. Times may be given as `datetime`; one without a zone is UTC.
    """

    each: AsyncEach
    """The items of lists over all their pages: `async for event in ll.each.list_events(): ...`."""
    frame: AsyncFrames
    """Answers as data frames of pandas: `await ll.frame.get_odds(1)`."""
    stream: AsyncStreams
    """What happens, as it happens: `async for score in ll.stream.score(1): ...`."""

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: str | None = None,
        retries: int = RETRIES,
        timeout: float = TIMEOUT,
        http_client: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """A client.

        Args:
            base_url: Where the server is. Default: LEDGERLINE_URL of the environment.
            api_key: Default: LEDGERLINE_API_KEY of the environment.
            retries: How often a call that failed for a passing reason is made again: 3 are 4 requests at most.
            timeout: Seconds without an answer.
            http_client: Sends in the place of one made here: proxies, certificates. It is not closed.
            sleep: Waits so many seconds.

        Raises:
            ValueError: the address or the key is missing, or cannot be one.
        """
        self._options = read_options(base_url, api_key, retries)
        self._timeout = timeout
        self._sleep = sleep
        self._last = LastAnswers()
        self._owned = httpx.AsyncClient() if http_client is None else None
        self._http = self._owned or http_client or httpx.AsyncClient()
        self.each = AsyncEach(lambda operation, arguments: self._run(self._options.each(operation, arguments)))
        self.frame = AsyncFrames(self._frame)
        self.stream = AsyncStreams(
            lambda operation, arguments: self._run(self._options.stream(operation, arguments))
        )

    @property
    def last(self) -> LastAnswer:
        """What the headers of the latest answer told: its cost, its id. Of calls at once, that which came last."""
        return self._last.answer

    async def close(self) -> None:
        """Closes the connections."""
        if self._owned is not None:
            await self._owned.aclose()

    async def __aenter__(self) -> AsyncLedgerline:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _call(
        self, operation: Operation, arguments: Mapping[str, object], idempotency_key: str | None = None
    ) -> Any:
        [answer] = [one async for one in self._run(self._options.call(operation, arguments, idempotency_key))]
        return answer

    async def _frame(self, operation: Operation, arguments: Mapping[str, object]) -> pd.DataFrame:
        pages = [page async for page in self._run(self._options.frame(operation, arguments))]
        return frame_of(operation, pages)

    async def _run(self, steps: Steps) -> AsyncGenerator[Any, None]:
        """Carries out the steps, and gives what they emit."""
        async with AsyncExitStack() as opened:
            chunks: AsyncIterator[bytes] | None = None
            outcome: Outcome = None
            while True:
                try:
                    step = steps.send(outcome)
                except StopIteration:
                    return
                outcome = None
                if isinstance(step, Emit):
                    yield step.item
                elif isinstance(step, Wait):
                    await self._sleep(step.seconds)
                elif isinstance(step, Close):
                    await opened.aclose()
                elif isinstance(step, Read):
                    outcome = await _next_chunk(chunks)
                else:
                    outcome, response = await self._send(step)
                    if response is not None:
                        opened.push_async_callback(response.aclose)
                        chunks = response.aiter_bytes()

    async def _send(self, step: Send) -> tuple[Reply | Broken, httpx.Response | None]:
        """The reply, and the response whose body is still to be read."""
        request = step.request
        silence = LONGEST_SILENCE if step.opens_stream else self._timeout
        try:
            prepared = self._http.build_request(
                request.method,
                request.url,
                headers=dict(request.headers),
                content=request.content,
                timeout=httpx.Timeout(self._timeout, read=silence),
            )
            response = await self._http.send(prepared, stream=True)
            is_opened = step.opens_stream and response.is_success
            try:
                text = "" if is_opened else (await response.aread()).decode("utf-8", "replace")
            finally:
                if not is_opened:
                    await response.aclose()
        except httpx.RequestError as error:
            return broken(error), None
        self._last.note(response.status_code, response.headers)
        return Reply(response.status_code, response.headers, text), response if is_opened else None


async def _next_chunk(chunks: AsyncIterator[bytes] | None) -> bytes | Broken | None:
    try:
        return None if chunks is None else await anext(chunks, None)
    except httpx.RequestError as error:
        return broken(error)
