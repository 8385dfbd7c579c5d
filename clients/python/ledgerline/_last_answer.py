"""What the headers of an answer tell."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class LastAnswer:
    """The latest answer that this thread got. All members are None before the first one, and where the server sent none."""

    status: int | None = None
    """HTTP status."""
    request_id: str | None = None
    """By which the server's log has the call."""
    credits_used: float | None = None
    """What the call cost."""
    credits_remaining: float | None = None
    """Balance, where credits have a limit."""
    rate_limit: int | None = None
    """Requests allowed in the window."""
    rate_limit_remaining: int | None = None
    """Requests left in the window."""
    rate_limit_reset: int | None = None
    """Unix time at which the oldest counted request leaves the window."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)


class LastAnswers(threading.local):
    """One for each thread, so that two threads with one client do not read each other's."""

    def __init__(self) -> None:
        self.answer = LastAnswer()

    def note(self, status: int, headers: Mapping[str, str]) -> None:
        self.answer = LastAnswer(
            status=status,
            request_id=headers.get("x-request-id"),
            credits_used=_number(headers.get("x-credits-used")),
            credits_remaining=_number(headers.get("x-credits-remaining")),
            rate_limit=_integer(headers.get("x-ratelimit-limit")),
            rate_limit_remaining=_integer(headers.get("x-ratelimit-remaining")),
            rate_limit_reset=_integer(headers.get("x-ratelimit-reset")),
            headers=headers,
        )


def _number(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None


def _integer(text: str | None) -> int | None:
    number = _number(text)
    return None if number is None else int(number)
