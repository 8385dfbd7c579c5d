"""The client of Ledgerline's API.

    from ledgerline import Ledgerline

    ll = Ledgerline("http://localhost:3000", api_key=KEY)
    for event in ll.each.list_events(sport="nba"):
        print(event["name"])
"""

from . import errors as errors
from . import types as types
from ._async_client import AsyncLedgerline as AsyncLedgerline
from ._last_answer import LastAnswer as LastAnswer
from ._options import package_version
from ._sync_client import Ledgerline as Ledgerline
from .errors import *
from .webhooks import WebhookMessage as WebhookMessage
from .webhooks import verify_webhook as verify_webhook

__version__ = package_version()
