"""Answers as data frames of pandas. The server writes the rows, as CSV; here they get their types."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._calls import Maker, successful
from ._exchange import Emit, Reply, Steps
from ._ledgerline_error import UnexpectedAnswer
from ._operation import Operation

if TYPE_CHECKING:
    import pandas as pd

# All of them have a value for what is not there.
_TYPES = {"text": "string", "json": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean"}
# The server puts an apostrophe before a text that a spreadsheet would take for a formula.
_GUARDED = r"^'(?=[=+\-@\t\r])"


def csv_pages(
    operation: Operation,
    arguments: Mapping[str, object],
    make: Maker,
    retries: int,
    now: Callable[[], float],
) -> Steps:
    """Emits the CSV of each page. With a `limit` of one's own it is one page; else all, as large as they may be."""
    is_list = operation.largest_page is not None
    wants_all = is_list and arguments.get("limit") is None
    given = {**arguments, "limit": operation.largest_page} if wants_all else dict(arguments)
    cursor = "after_id" if "after_id" in operation.query else "after"
    while True:
        reply = yield from successful(make(operation, given), retries, now)
        yield Emit(_csv_of(reply))
        after = reply.headers.get("x-next-after")
        if not wants_all or after is None or 'rel="next"' not in reply.headers.get("link", ""):
            return
        given[cursor] = after


def _csv_of(reply: Reply) -> str:
    kind = reply.headers.get("content-type", "")
    if kind.startswith("text/csv"):
        return reply.text
    raise UnexpectedAnswer(
        f"the answer is HTTP {reply.status} without CSV",
        code="unexpected_answer",
        status=reply.status,
        request_id=reply.headers.get("x-request-id"),
    )


def frame_of(operation: Operation, pages: Sequence[str]) -> pd.DataFrame:
    """One frame of these pages of CSV: times as UTC timestamps, integers as nullable integers.

    Raises:
        ImportError: pandas is not installed.
    """
    pandas = _pandas()
    types = dict(operation.columns)
    frames: list[pd.DataFrame] = []
    for text in pages:
        # A text such as NA or null is a text; only what is empty is not there.
        frame: pd.DataFrame = pandas.read_csv(
            io.StringIO(text),
            dtype={name: _TYPES.get(kind, "string") for name, kind in types.items()},
            keep_default_na=False,
            na_values=[""],
        )
        for name, kind in types.items():
            if name not in frame.columns:
                continue
            if kind == "time":
                frame[name] = pandas.to_datetime(frame[name], utc=True, format="ISO8601")
            elif kind == "text":
                frame[name] = frame[name].str.replace(_GUARDED, "", regex=True)
        frames.append(frame)
    joined: pd.DataFrame = frames[0] if len(frames) == 1 else pandas.concat(frames, ignore_index=True)
    return joined


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("data frames need pandas: pip install pandas") from error
    return pandas
