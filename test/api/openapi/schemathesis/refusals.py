"""The refusals that a request may get although each of its parts is as the OpenAPI document says."""

import itertools
import re

import schemathesis

RULES = [
    # Sports that have no such lines.
    r"\w+ has no (period odds|team props|player props)",
    r"the EV scan has no totals of tennis",
    r"\w+ has no market h2h_3_way",
    r"there is no forecast of h2h_3_way: by must be fair",
    # Across parameters.
    r"date does not go with from and to",
    r"from must not lie after to",
    r"from must lie before to",
    r"from and to may lie at most (90|400) days apart",
    # A league is one of the catalogue, which CONFIG adds to.
    r"league: there is no league .*",
    r"after_id does not go with sort=status",
    # A cursor is the id of something in the list.
    r"after_id: there is no (event |bet )?-?\d+( in this list)?",
    # A cursor of changes is a position that is reached.
    r"after lies beyond the newest change",
    # Each cursor has one spelling: without leading zeros.
    r"after must be a cursor: .*",
    # Of a CSV the document says nothing.
    r"The body is no CSV: .*",
    # Against the clock.
    r"as_of must not be in the future",
    # Of this very log: only its own answers tell.
    r"Ledgerline-Position tells of another log\.",
    # Of webhooks: across members of a body, and against what was created.
    r"event_id: event \d+ is none of the sport \w+",
    r"give either from or after_delivery_id",
    r"after_delivery_id: there is no -?\d+ among the deliveries",
    r"subscription \d+ has ended: .*",
]

# How a request for a key stands (RFC 8628): each is a 400 whatever the request holds.
TRIAL_STATES = ["authorization_pending", "slow_down", "access_denied", "expired_token"]


@schemathesis.check
def refusals_follow_a_known_rule(ctx, response, case):
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    error = response.json()["error"]
    if error["code"] in TRIAL_STATES:
        return
    message = error["message"]
    if not any(re.fullmatch(rule, message) for rule in RULES):
        raise AssertionError(f"refused by no rule that the document cannot express: {message}")


# What the members of a body, or the parameters of a query, ask of each other, as 422.
BODY_RULES = [
    # Of a slip: what a leg needs goes by its market, and what a text holds by its grammar.
    r"body\.(legs\.\d+\.)?price: must be American odds: .+",
    r"body\.legs\.\d+\.(line|player_id|team_id): (is required|must not be given) of \w+",
    r"body\.legs\.\d+\.side: must be one of [a-z, ]+ of \w+",
    r"body\.legs\.\d+\.market_key: must be \[a-z0-9_\]\{1,60\}",
    r"body\.legs: (is required|must hold at least 1 leg where there is no text)",
    r"body\.text: must not be blank",
    r"body\.text: must hold a leg: headers and stakes are none",
    r"body\.text: must hold at most 8 legs, those of `legs` counted too",
    # Of one's own bets: what a bet needs goes by its market, its text, what is known and the clock; of a CSV the document
    # says nothing.
    r"body\.bets: must hold at least 1 bet",
    r"body\.bets\.\d+(\.\w+)+: .+",
    # Of an experiment: against the clock, and what free JSON may hold.
    r"body\.from: must (not lie in the past|lie within 400 days from now).*",
    r"body: must (have at most 8192 bytes as canonical JSON|not hold an API key)",
    r"body\.\w+: must not be nested more than 16 deep",
    # Of a resolver: a clue may stand for the name.
    r"body\.query: is required( without a clue of .*)?",
    # Of mappings: source and ref together, or an id with its type.
    r"query\.(source|ref|type): is required",
    r"query\.(source|ref): does not go with id",
    # Of a link: against the clock, and what the read behind it would refuse.
    r"body\.expires_at: must lie in the future",
    r"body\.path: .+",
    r"body\.format: must be one of [a-z, ]+ for this path",
    # Of an alert: what an address holds goes by its format.
    r"body\.url: must be .+",
    r"body\.url: needs a verified e-mail address, which this account has not",
    # Of a trial: without a person nobody reads the name.
    r"body\.client_name: is required",
    # A list in one parameter.
    r"query\.types: must be some of [a-z_, ]+",
]


@schemathesis.check
def bodies_are_refused_by_a_known_rule(ctx, response, case):
    if response.status_code != 422 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    for error in response.json()["error"]["errors"]:
        told = f"{'.'.join(map(str, error['loc']))}: {error['msg']}"
        if not any(re.fullmatch(rule, told) for rule in BODY_RULES):
            raise AssertionError(f"refused by no rule that the document cannot express: {told}")


keys = itertools.count()


# An address that needs no name server, where the server under test may send to, and nobody listens.
REACHABLE = "https://127.0.0.1:9/webhooks"


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Right requests get what no document can tell: a key that was not used before, and a host that resolves."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # One that was used for another request is refused.
    if "Idempotency-Key" in (case.headers or {}):
        case.headers["Idempotency-Key"] = f"key {next(keys)}"
    # Only the log's own answers tell of it.
    (case.headers or {}).pop("Ledgerline-Position", None)
    # The paths that an answer has are no pattern; a text by chance is none of them.
    (case.query or {}).pop("fields", None)
    if isinstance(case.body, dict):
        case.body.pop("fields", None)
    if case.path == "/v1/webhooks" and isinstance(case.body, dict):
        case.body["url"] = REACHABLE
    # Which arguments a call takes depends on its tool. This one ignores them all.
    if case.path == "/v1/estimate" and isinstance(case.body, dict):
        for call in case.body.get("calls", []):
            call["tool"] = "get_health"
    # `webhook_id` of a test is the name of its message, and no subscription's id, which it is taken for.
    parameters = case.path_parameters or {}
    if str(parameters.get("id")).startswith("msg_"):
        parameters["id"] = 1
