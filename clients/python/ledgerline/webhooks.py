"""Checks that a webhook is Ledgerline's, by Standard Webhooks."""

from __future__ import annotations

import binascii
import hashlib
import hmac
import json
import re
import time
from base64 import b64decode
from collections.abc import Mapping
from typing import Any, TypedDict

from ._ledgerline_error import WebhookError

__all__ = ["WebhookError", "WebhookMessage", "verify_webhook"]

_PREFIX = "whsec_"
_TOLERANCE = 5 * 60


class WebhookMessage(TypedDict):
    """The body of a webhook."""

    type: str
    """The event type that the subscription named, or `test`."""
    timestamp: str
    """When it happened: UTC, ISO 8601."""
    data: dict[str, Any]


def verify_webhook(
    headers: Mapping[str, str], body: str | bytes, secret: str, *, now: float | None = None
) -> WebhookMessage:
    """The message of a webhook that is Ledgerline's.

    Args:
        headers: Those of the request, as Flask, Django and Starlette have them.
        body: As it came: what is parsed and written again has other bytes.
        secret: The subscription's `signing_secret`.
        now: Unix time, in seconds. Default: the clock's.

    Raises:
        WebhookError: a header is missing, the signature is wrong, or the message is more than 5 minutes off.
        ValueError: the secret is none.
    """
    key = _key_of(secret)
    message_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _header(headers, "webhook-signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise _invalid("webhook-timestamp is no Unix time")
    if abs((time.time() if now is None else now) - int(timestamp)) > _TOLERANCE:
        raise _invalid("webhook-timestamp is more than 5 minutes off")
    content = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + content
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    # All are compared, in a time that does not depend on what is equal.
    if not any([hmac.compare_digest(expected, given) for given in _signatures(signatures)]):
        raise _invalid("webhook-signature has no signature that the secret makes")
    try:
        message: WebhookMessage = json.loads(content)
    except ValueError as error:
        raise _invalid("the body is no JSON") from error
    return message


def _header(headers: Mapping[str, str], name: str) -> str:
    for other, value in headers.items():
        if other.lower().replace("_", "-").removeprefix("http-") == name and value:
            return value
    raise _invalid(f"the header {name} is missing")


def _signatures(text: str) -> list[bytes]:
    found = [_decoded(part[3:]) for part in text.split(" ") if part.startswith("v1,")]
    return [signature for signature in found if signature is not None]


def _key_of(secret: str) -> bytes:
    key = _decoded(secret[len(_PREFIX) :]) if secret.startswith(_PREFIX) else None
    # An empty key would verify what anybody can sign.
    if key is None or len(key) < 16:
        raise ValueError(f"secret must be {_PREFIX} and base64, as the server gave it")
    return key


def _decoded(base64: str) -> bytes | None:
    try:
        return b64decode(base64, validate=True)
    except (binascii.Error, ValueError):
        return None


def _invalid(message: str) -> WebhookError:
    return WebhookError(message, code="invalid_webhook")
