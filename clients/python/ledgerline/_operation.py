"""Where an operation is, and where its arguments go."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Operation:
    """One operation of the API. Arguments are named as the API names them."""

    method: str
    """`GET`, `POST` or `DELETE`."""
    path: str
    """With arguments in braces: `/v1/events/{id}`."""
    query: tuple[str, ...] = ()
    body: tuple[str, ...] | None = None
    """None: there is no body."""
    dates: tuple[str, ...] = ()
    """Arguments of the query that are days."""
    pages: str | None = None
    """It answers in pages; the member that holds the items."""
    stream: str | None = None
    """It answers with server-sent events: `score` or `changes`."""
    columns: tuple[tuple[str, str], ...] = ()
    """Names and types of the columns, if its answer can be a table."""
    largest_page: int | None = None
    """The most rows that a page of the table may have, if it comes in pages."""
