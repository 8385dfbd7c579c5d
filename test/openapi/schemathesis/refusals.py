"""The refusals that a request may get although each of its parts is as the OpenAPI document says."""

import itertools
import re

import schemathesis

RULES = [
    # Across parameters.
    r"date does not go with from and to",
    r"from must not lie after to",
    r"from and to may lie at most 90 days apart",
    r"after_id does not go with sort=status",
    # A cursor is the id of something in the list.
    r"after_id: there is no (event )?-?\d+( in this list)?",
    # Against the clock.
    r"as_of must not be in the future",
]


@schemathesis.check
def refusals_follow_a_known_rule(ctx, response, case):
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    message = response.json()["error"]["message"]
    if not any(re.fullmatch(rule, message) for rule in RULES):
        raise AssertionError(f"refused by no rule that the document cannot express: {message}")


keys = itertools.count()


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """An Idempotency-Key that was used for another request is refused, so that every right one is new here."""
    if case.meta is not None and case.meta.generation.mode.is_positive and "Idempotency-Key" in (case.headers or {}):
        case.headers["Idempotency-Key"] = f"key {next(keys)}"
