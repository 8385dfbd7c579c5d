"""Errors by code. All of them are `LedgerlineError`."""

from ._ledgerline_error import LedgerlineError as LedgerlineError
from ._ledgerline_error import NetworkError as NetworkError
from ._ledgerline_error import UnexpectedAnswer as UnexpectedAnswer
from ._ledgerline_error import WebhookError as WebhookError
from .generated.error_codes import *
