from __future__ import annotations

from collections.abc import Callable

import pytest

from .scripted import Scripted

Given = Callable[..., Scripted]


@pytest.fixture(params=["sync", "async"])
def given(request: pytest.FixtureRequest) -> Given:
    """A scripted client: each test is run with that of threads and with that of asyncio."""
    kind: str = request.param
    return lambda *answers, **options: Scripted(kind, *answers, **options)
