"""What a call wants of the network, and what it gets: the logic of calls is written once, as generators of these steps,
and carried out by the client of threads and by that of asyncio."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Request:
    """A request that is ready to be sent, as often as it takes."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    is_repeatable: bool
    """It can run twice without harm."""


@dataclass(frozen=True)
class Reply:
    """An answer. Of one whose body is to be read step by step, the text is empty."""

    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(frozen=True)
class Broken:
    """No answer, or no more of it."""

    reason: Exception
    timed_out: bool
    """The server was reached, and did not answer in the time that it had."""


@dataclass(frozen=True)
class Send:
    """Gives a `Reply` or what is `Broken`."""

    request: Request
    opens_stream: bool = False
    """The body of a successful answer is left for `Read`."""


@dataclass(frozen=True)
class Read:
    """Gives the next bytes of the body, None at its end, or what is `Broken`."""


@dataclass(frozen=True)
class Close:
    """Closes the answer that is being read."""


@dataclass(frozen=True)
class Wait:
    seconds: float


@dataclass(frozen=True)
class Emit:
    """Hands something to the caller: the answer of a call, an item of a list, or what a stream tells."""

    item: Any


Step: TypeAlias = "Send | Read | Close | Wait | Emit"
Outcome: TypeAlias = "Reply | Broken | bytes | None"
Steps: TypeAlias = Generator[Step, Any, None]
