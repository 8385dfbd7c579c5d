# Made by `npm run client` from the OpenAPI document. Changes belong to the operations.
"""A class for each code of an error."""

from __future__ import annotations

from .._ledgerline_error import LedgerlineError

__all__ = [
    "BadRequest",
    "AuthorizationPending",
    "SlowDown",
    "AccessDenied",
    "ExpiredToken",
    "Unauthorized",
    "InsufficientCredits",
    "DailyCreditCapExceeded",
    "CreditCapExceeded",
    "PaymentFailed",
    "CardDeclined",
    "PaymentMethodRequired",
    "Forbidden",
    "SportScopeDenied",
    "KeyLimitReached",
    "NotFound",
    "MethodNotAllowed",
    "NotAcceptable",
    "RequestTimeout",
    "PayloadTooLarge",
    "UnsupportedMediaType",
    "ExpectationFailed",
    "ValidationError",
    "RateLimitExceeded",
    "ConcurrencyLimitExceeded",
    "StreamLimitExceeded",
    "HeadersTooLarge",
    "InternalError",
    "ServiceUnavailable",
]


class BadRequest(LedgerlineError):
    """`bad_request`: The request is understood, but asks for something that makes no sense."""


class AuthorizationPending(LedgerlineError):
    """`authorization_pending`: No person has approved or refused the request for a key yet."""


class SlowDown(LedgerlineError):
    """`slow_down`: The program polls faster than it was told. From now on it waits 5 seconds longer."""


class AccessDenied(LedgerlineError):
    """`access_denied`: A person has refused the request for a key, or has revoked the key."""


class ExpiredToken(LedgerlineError):
    """`expired_token`: The device code is unknown, has expired, or its key was fetched before."""


class Unauthorized(LedgerlineError):
    """`unauthorized`: The API key is missing, malformed, unknown, revoked or expired."""


class InsufficientCredits(LedgerlineError):
    """`insufficient_credits`: The credits left do not cover the most that this call can cost."""


class DailyCreditCapExceeded(LedgerlineError):
    """`daily_credit_cap_exceeded`: The cap on credits in a rolling 24-hour window is reached."""


class CreditCapExceeded(LedgerlineError):
    """`credit_cap_exceeded`: The call may cost more than the client or the API key allows."""


class PaymentFailed(LedgerlineError):
    """`payment_failed`: Two invoices were declined. A paid invoice restores access."""


class CardDeclined(LedgerlineError):
    """`card_declined`: The card on file was declined."""


class PaymentMethodRequired(LedgerlineError):
    """`payment_method_required`: There is no payment method on file."""


class Forbidden(LedgerlineError):
    """`forbidden`: The API key may not do this."""


class SportScopeDenied(LedgerlineError):
    """`sport_scope_denied`: The sport lies outside the scopes of the API key."""


class KeyLimitReached(LedgerlineError):
    """`key_limit_reached`: The account has as many API keys as its plan allows."""


class NotFound(LedgerlineError):
    """`not_found`: There is no such resource, or it does not belong to the account of the API key."""


class MethodNotAllowed(LedgerlineError):
    """`method_not_allowed`."""


class NotAcceptable(LedgerlineError):
    """`not_acceptable`."""


class RequestTimeout(LedgerlineError):
    """`request_timeout`."""


class PayloadTooLarge(LedgerlineError):
    """`payload_too_large`: The body of the request is larger than the server takes."""


class UnsupportedMediaType(LedgerlineError):
    """`unsupported_media_type`: The body of the request is of a type that the server does not take."""


class ExpectationFailed(LedgerlineError):
    """`expectation_failed`."""


class ValidationError(LedgerlineError):
    """`validation_error`: A parameter or the body has the wrong form. See error.errors."""


class RateLimitExceeded(LedgerlineError):
    """`rate_limit_exceeded`: Too many requests in the window. Wait for retry_after seconds."""


class ConcurrencyLimitExceeded(LedgerlineError):
    """`concurrency_limit_exceeded`: Too many requests of this API key at the same moment."""


class StreamLimitExceeded(LedgerlineError):
    """`stream_limit_exceeded`: Too many open streams of this API key."""


class HeadersTooLarge(LedgerlineError):
    """`headers_too_large`: The head of the request is larger than the server takes."""


class InternalError(LedgerlineError):
    """`internal_error`: The server failed. Retry with exponential backoff."""


class ServiceUnavailable(LedgerlineError):
    """`service_unavailable`: The server cannot do it at this moment. Send the same again after
    retry_after seconds: facts that were taken already are recognised, and X-Credits-Used says that
    nothing was charged.
    """


BY_CODE: dict[str, type[LedgerlineError]] = {
    "bad_request": BadRequest,
    "authorization_pending": AuthorizationPending,
    "slow_down": SlowDown,
    "access_denied": AccessDenied,
    "expired_token": ExpiredToken,
    "unauthorized": Unauthorized,
    "insufficient_credits": InsufficientCredits,
    "daily_credit_cap_exceeded": DailyCreditCapExceeded,
    "credit_cap_exceeded": CreditCapExceeded,
    "payment_failed": PaymentFailed,
    "card_declined": CardDeclined,
    "payment_method_required": PaymentMethodRequired,
    "forbidden": Forbidden,
    "sport_scope_denied": SportScopeDenied,
    "key_limit_reached": KeyLimitReached,
    "not_found": NotFound,
    "method_not_allowed": MethodNotAllowed,
    "not_acceptable": NotAcceptable,
    "request_timeout": RequestTimeout,
    "payload_too_large": PayloadTooLarge,
    "unsupported_media_type": UnsupportedMediaType,
    "expectation_failed": ExpectationFailed,
    "validation_error": ValidationError,
    "rate_limit_exceeded": RateLimitExceeded,
    "concurrency_limit_exceeded": ConcurrencyLimitExceeded,
    "stream_limit_exceeded": StreamLimitExceeded,
    "headers_too_large": HeadersTooLarge,
    "internal_error": InternalError,
    "service_unavailable": ServiceUnavailable,
}
