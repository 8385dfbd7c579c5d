"""The client of programs with threads, scripts and notebooks."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from ._exchange import Broken, Close, Emit, Outcome, Read, Reply, Send, Steps, Wait
from ._frames import frame_of
from ._last_answer import LastAnswer, LastAnswers
from ._operation import Operation
from ._options import RETRIES, TIMEOUT, read_options
from ._streams import LONGEST_SILENCE
from .generated.sync_methods import Calls, Each, Frames, Streams

if TYPE_CHECKING:
    import pandas as pd


class Ledgerline(Calls):
    """A client of one server, with one key. Close it, or use it in a `with` statement. Threads may share it.

    Times may be given as `datetime`; one without a zone is UTC. Answers are dictionaries.
    """

    each: Each
    """The items of lists over all their pages: `for event in ll.each.list_events(): ...`."""
    frame: Frames
    """Answers as data frames of pandas: `ll.frame.get_odds(1)`."""
    stream: Streams
    """What happens, as it happens: `for score in ll.stream.score(1): ...`."""

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: str | None = None,
        retries: int = RETRIES,
        timeout: float = TIMEOUT,
        http_client: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
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
        self._owned = httpx.Client() if http_client is None else None
        self._http = self._owned or http_client or httpx.Client()
        self.each = Each(lambda operation, arguments: self._run(self._options.each(operation, arguments)))
        self.frame = Frames(self._frame)
        self.stream = Streams(lambda operation, arguments: self._run(self._options.stream(operation, arguments)))

    @property
    def last(self) -> LastAnswer:
        """What the headers of the latest answer told that this thread got: its cost, its id."""
        return self._last.answer

    def close(self) -> None:
        """Closes the connections."""
        if self._owned is not None:
            self._owned.close()

    def __enter__(self) -> Ledgerline:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call(
        self, operation: Operation, arguments: Mapping[str, object], idempotency_key: str | None = None
    ) -> Any:
        [answer] = self._run(self._options.call(operation, arguments, idempotency_key))
        return answer

    def _frame(self, operation: Operation, arguments: Mapping[str, object]) -> pd.DataFrame:
        return frame_of(operation, list(self._run(self._options.frame(operation, arguments))))

    def _run(self, steps: Steps) -> Generator[Any, None, None]:
        """Carries out the steps, and gives what they emit."""
        with ExitStack() as opened:
            chunks: Iterator[bytes] = iter(())
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
                    self._sleep(step.seconds)
                elif isinstance(step, Close):
                    opened.close()
                elif isinstance(step, Read):
                    outcome = _next_chunk(chunks)
                else:
                    outcome, response = self._send(step)
                    if response is not None:
                        opened.callback(response.close)
                        chunks = response.iter_bytes()

    def _send(self, step: Send) -> tuple[Reply | Broken, httpx.Response | None]:
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
            response = self._http.send(prepared, stream=True)
            is_opened = step.opens_stream and response.is_success
            try:
                text = "" if is_opened else response.read().decode("utf-8", "replace")
            finally:
                if not is_opened:
                    response.close()
        except httpx.RequestError as error:
            return broken(error), None
        self._last.note(response.status_code, response.headers)
        return Reply(response.status_code, response.headers, text), response if is_opened else None


def broken(error: httpx.RequestError) -> Broken:
    """A connection that timed out has not reached the server."""
    timed_out = isinstance(error, httpx.TimeoutException) and not isinstance(error, httpx.ConnectTimeout)
    return Broken(error, timed_out)


def _next_chunk(chunks: Iterator[bytes]) -> bytes | Broken | None:
    try:
        return next(chunks, None)
    except httpx.RequestError as error:
        return broken(error)
