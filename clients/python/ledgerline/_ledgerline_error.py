"""The error that every call may raise, and those that no answer of the server tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class LedgerlineError(Exception):
    """A call that failed. There is a subclass for each code of the API, such as `NotFound`."""

    code: str
    """That of the server, such as `not_found`; or `network_error`, `unexpected_answer`, `invalid_webhook`."""
    status: int
    """HTTP status; 0 if there was no answer."""
    request_id: str | None
    """By which the server's log has the call."""
    retry_after: float | None
    """Seconds, if the server named some."""
    details: Mapping[str, Any]
    """What the server tells beyond the message: `errors` of a 422, `topup_url` of a 402. Empty if nothing."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        request_id: str | None = None,
        retry_after: float | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        self.details = details or {}

    @property
    def message(self) -> str:
        """A text for people. It may change; codes do not."""
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        # So that it passes from one process to another, as pools do it.
        return _restored, (type(self), self.message, self.__dict__)


class NetworkError(LedgerlineError):
    """`network_error`: no answer came, or not the whole of it."""


class UnexpectedAnswer(LedgerlineError):
    """`unexpected_answer`: the answer is none of Ledgerline's, a proxy's page for example."""


class WebhookError(LedgerlineError):
    """`invalid_webhook`: the message is not what the secret signed, or not of now."""


def _restored(
    kind: type[LedgerlineError], message: str, members: Mapping[str, Any]
) -> LedgerlineError:
    error = kind(message, code=members["code"])
    error.__dict__.update(members)
    return error
