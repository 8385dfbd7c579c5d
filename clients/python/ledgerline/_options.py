"""What both clients are made with."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from urllib.parse import urlsplit

from ._calls import Maker, all_items, answered
from ._exchange import Request, Steps
from ._frames import csv_pages
from ._operation import Operation
from ._requests import request_of
from ._streams import followed

RETRIES = 3
TIMEOUT = 30.0


def package_version() -> str:
    try:
        return version("ledgerline")
    except PackageNotFoundError:
        return "0"


@dataclass(frozen=True)
class Options:
    """Where the server is, and how it is asked."""

    base_url: str
    headers: Mapping[str, str]
    retries: int
    now: Callable[[], float] = time.time

    def call(self, operation: Operation, arguments: Mapping[str, object], idempotency_key: str | None) -> Steps:
        return answered(self._request(operation, arguments, idempotency_key), self.retries, self.now)

    def each(self, operation: Operation, arguments: Mapping[str, object]) -> Steps:
        make: Maker = self._request
        return all_items(operation, arguments, make, self.retries, self.now)

    def frame(self, operation: Operation, arguments: Mapping[str, object]) -> Steps:
        def make(of: Operation, given: Mapping[str, object]) -> Request:
            request = self._request(of, given)
            return replace(request, headers={**request.headers, "accept": "text/csv"})

        return csv_pages(operation, arguments, make, self.retries, self.now)

    def stream(self, operation: Operation, arguments: Mapping[str, object]) -> Steps:
        request = self._request(operation, arguments)
        headers = {**request.headers, "accept": "text/event-stream"}
        return followed(str(operation.stream), replace(request, headers=headers), self.retries, self.now)

    def _request(
        self, operation: Operation, arguments: Mapping[str, object], idempotency_key: str | None = None
    ) -> Request:
        return request_of(operation, arguments, self.base_url, self.headers, idempotency_key)


def read_options(base_url: str | None, api_key: str | None, retries: int) -> Options:
    """What was given, else what stands in the environment.

    Raises:
        ValueError: the address or the key is missing, or cannot be one.
    """
    url = base_url if base_url is not None else os.environ.get("LEDGERLINE_URL")
    key = api_key if api_key is not None else os.environ.get("LEDGERLINE_API_KEY")
    if not url:
        raise ValueError("base_url must be given, or LEDGERLINE_URL be set")
    if not key:
        raise ValueError("api_key must be given, or LEDGERLINE_API_KEY be set")
    # What no header can hold would be quoted in an error of another library.
    if not re.fullmatch(r"[!-~]+", key):
        raise ValueError("api_key must be the key, in visible ASCII characters")
    if retries < 0:
        raise ValueError("retries must not be negative")
    headers = {
        "authorization": f"Bearer {key}",
        "accept": "application/json",
        "user-agent": f"ledgerline-python/{package_version()}",
    }
    return Options(_address(url), headers, retries)


def _address(url: str) -> str:
    """Without a slash at its end."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError("base_url must be an http or https URL")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
