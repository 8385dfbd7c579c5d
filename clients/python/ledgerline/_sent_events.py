"""Server-sent events, as they come in pieces."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class SentEvent:
    """`retry` for how long the server asks to wait before coming back, in milliseconds."""

    event: str
    id: str | None
    data: str


class SentEvents:
    """Reads the bytes of one answer. Only the line ends of the standard end a line: a text may hold others."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._rest = ""
        self._event = ""
        self._id: str | None = None
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[SentEvent]:
        """What is whole with these bytes."""
        text = self._rest + self._decoder.decode(chunk)
        # A return at the very end may be the first half of a line end.
        held = "\r" if text.endswith("\r") else ""
        *lines, rest = _LINE_END.split(text[: len(text) - len(held)])
        self._rest = rest + held
        for line in lines:
            yield from self._take(line)

    def _take(self, line: str) -> Iterator[SentEvent]:
        if line == "":
            if self._data:
                yield SentEvent(self._event or "message", self._id, "\n".join(self._data))
            self._event, self._id, self._data = "", None, []
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._event = value
        elif field == "data":
            self._data.append(value)
        elif field == "id":
            self._id = value
        elif field == "retry" and value.isascii() and value.isdigit():
            yield SentEvent("retry", None, value)
