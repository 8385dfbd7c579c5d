"""Webhooks that are Ledgerline's, and those that are not."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest

from ledgerline import WebhookError, verify_webhook

KEY = bytes(range(32))
SECRET = "whsec_" + base64.b64encode(KEY).decode()
NOW = 1_700_000_000
BODY = '{"type":"score","timestamp":"2023-11-14T22:13:20Z","data":{"event_id":1}}'


def signed(body: str = BODY, key: bytes = KEY, at: int = NOW) -> dict[str, str]:
    mac = hmac.new(key, f"msg_1.{at}.{body}".encode(), hashlib.sha256).digest()
    return {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": str(at),
        "Webhook-Signature": "v1," + base64.b64encode(mac).decode(),
    }


def test_what_the_secret_signed_is_parsed() -> None:
    message = verify_webhook(signed(), BODY, SECRET, now=NOW)
    assert [message["type"], message["data"]] == ["score", {"event_id": 1}]
    assert verify_webhook(signed(), BODY.encode(), SECRET, now=NOW + 300) == message


def test_the_headers_may_be_those_of_wsgi() -> None:
    headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in signed().items()}
    assert verify_webhook(headers, BODY, SECRET, now=NOW)["type"] == "score"


def test_while_a_secret_is_rotated_one_of_its_signatures_is_enough() -> None:
    headers = signed()
    headers["Webhook-Signature"] = f"v1,AAAA v2,{'A' * 44} v1 {headers['Webhook-Signature']}"
    assert verify_webhook(headers, BODY, SECRET, now=NOW)["type"] == "score"


@pytest.mark.parametrize(
    ("headers", "body", "now", "told"),
    [
        (signed(key=b"x" * 32), BODY, NOW, "no signature that the secret makes"),
        (signed(), BODY.replace("1", "2"), NOW, "no signature that the secret makes"),
        (signed(), BODY, NOW + 301, "more than 5 minutes off"),
        (signed(), BODY, NOW - 301, "more than 5 minutes off"),
        ({**signed(), "Webhook-Timestamp": "soon"}, BODY, NOW, "no Unix time"),
        ({**signed(), "Webhook-Timestamp": "²"}, BODY, NOW, "no Unix time"),
        ({**signed(), "Webhook-Signature": "v1,?"}, BODY, NOW, "no signature that the secret makes"),
        ({**signed(), "Webhook-Signature": "v1,é"}, BODY, NOW, "no signature that the secret makes"),
        ({**signed(), "Webhook-Id": ""}, BODY, NOW, "the header webhook-id is missing"),
        ({}, BODY, NOW, "the header webhook-id is missing"),
        (signed("no json"), "no json", NOW, "the body is no JSON"),
    ],
)
def test_anything_else_is_refused(headers: dict[str, str], body: str, now: float, told: str) -> None:
    with pytest.raises(WebhookError, match=told) as refusal:
        verify_webhook(headers, body, SECRET, now=now)
    assert refusal.value.code == "invalid_webhook"


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_AAAA", "whsec_!", base64.b64encode(KEY).decode()])
def test_a_secret_that_is_none_is_refused(secret: str) -> None:
    with pytest.raises(ValueError, match="secret must be whsec_"):
        verify_webhook(signed(), BODY, secret, now=NOW)
