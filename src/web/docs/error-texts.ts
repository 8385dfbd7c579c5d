import type { ErrorCode } from '../../api/calls/api-errors.ts';

/** The text of an error page, beside the status and the sentence in `errors.ts`. Backticks mark code. */
interface ErrorText {
  /** When the error occurs. */
  readonly causes: readonly string[];
  /** What to do about it. */
  readonly remedies: readonly string[];
  /** The `message` of the example. */
  readonly message: string;
  /** Members of `error` that only this code has, with a description and an example each. */
  readonly extras?: Readonly<Record<string, { readonly holds: string; readonly example: unknown }>>;
}

const RETRY_AFTER = {
  retry_after: { holds: 'Seconds to wait, as in the `Retry-After` header.', example: 7 },
};

/** A text for each code that a client can get. */
export const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  bad_request: {
    causes: [
      'A date is not `YYYY-MM-DD`, or `as_of` is not a UTC time with a trailing `Z`, or lies in the future.',
      '`date` stands beside `from` or `to`; `from` lies after `to`; the two are more than 90 days apart.',
      '`status` or `exclude_status` holds a word that is none of theirs.',
      '`after_id` is the id of nothing in the list, or stands beside `sort=status`.',
      '`pack_id` names no pack of `GET /api/agent/credit-packs`.',
      'A webhook that has ended is to be tested or replayed; a replay has no start, or two; its event is of another sport.',
      'The body is not valid JSON, or the path is not valid percent-encoding.',
    ],
    remedies: ['Read `error.message`: it names the parameter and the rule. The same request will fail again.'],
    message: 'from must not lie after to',
  },
  authorization_pending: {
    causes: ['`POST /api/agent/trial/token` was called before a person has decided at `verification_uri`.'],
    remedies: ['Show the person `user_code` and `verification_uri`, and poll again after `retry_after` seconds.'],
    message: 'No person has decided yet.',
    extras: RETRY_AFTER,
  },
  slow_down: {
    causes: ['`POST /api/agent/trial/token` was called again before `interval` seconds had passed.'],
    remedies: ['Wait `retry_after` seconds from now on: 5 more each time that this happens, up to 60 (RFC 8628).'],
    message: 'Polled too fast: wait 10 seconds between two polls.',
    extras: RETRY_AFTER,
  },
  access_denied: {
    causes: ['The person has refused at `verification_uri`, or has revoked the key before it was fetched.'],
    remedies: ['Do not poll again. Begin anew with `POST /api/agent/trial` if the person wants that.'],
    message: 'A person has refused this key, or revoked it.',
  },
  expired_token: {
    causes: [
      'The device code is 15 minutes old, or no code of this server.',
      'Its key was fetched before: a key is handed out once.',
    ],
    remedies: ['Begin anew with `POST /api/agent/trial`.'],
    message: 'The device code is unknown, has expired, or was used.',
  },
  unauthorized: {
    causes: [
      'There is no `Authorization: Bearer KEY` header (a stream also takes `?api_key=KEY`).',
      'The key is malformed or unknown, or it was revoked, or it has expired.',
      'The header, or `api_key`, is given twice.',
    ],
    remedies: [
      'Check that the whole key is sent: `llk_`, 12 characters, a dot, 43 characters.',
      'The secret is shown once, when a key is made, and stored nowhere. If it is lost, make another key.',
      'Credits that are used up are never 401, but 402.',
    ],
    message: 'The API key is malformed, unknown, revoked or expired.',
  },
  insufficient_credits: {
    causes: ['The balance of the account is below the most that this call can cost. It is refused before it runs.'],
    remedies: [
      'Buy credits at `topup_url`, or take a larger plan at `upgrade_url`.',
      'Ask for less: one bookmaker costs less than all, and an event without add-ons less than one with them.',
    ],
    message: 'This call can cost 2 credits; 1 is left.',
    extras: {
      is_trial_expired: {
        holds: 'True where the credits are gone because the 24 hours of a trial are over. Else absent.',
        example: true,
      },
    },
  },
  daily_credit_cap_exceeded: {
    causes: [
      'What the account was charged in the last 24 hours, bought credits aside, has reached the cap of its plan.',
    ],
    remedies: ['Wait until `resets_at`, or take a plan without a cap at `upgrade_url`.'],
    message: 'The cap of 250 credits in 24 hours is reached.',
    extras: {
      resets_at: {
        holds: 'UTC time at which the refused call would pass; absent where it can cost more than the whole cap.',
        example: '2026-01-31T18:00:00Z',
      },
      window_hours: { holds: 'Length of the rolling window, in hours.', example: 24 },
    },
  },
  credit_cap_exceeded: {
    causes: [
      'The call may cost more than `ledgerline/maxCredits` of an MCP call allows.',
      'What this API key was charged in the last 24 hours, bought credits too, has reached the `max_credits_a_day` that it was made with.',
    ],
    remedies: [
      'Ask for less, allow more, or wait until `resets_at`, where it is given.',
      'The cap of a key never changes: another key has another one.',
    ],
    message: 'The cap of this key of 100 credits in 24 hours is reached.',
    extras: {
      resets_at: {
        holds:
          'UTC time at which the refused call would pass the cap of the key; absent for other caps, and where it can cost more than the whole cap.',
        example: '2026-01-31T18:00:00Z',
      },
      window_hours: { holds: 'Length of the rolling window of the key, in hours; absent for other caps.', example: 24 },
    },
  },
  payment_failed: {
    causes: ['Two invoices of the account were declined one after the other.'],
    remedies: ['Pay the open invoice, at `hosted_invoice_url` or `billing_url`. A paid invoice restores access.'],
    message: 'Two invoices were declined.',
    extras: {
      hosted_invoice_url: {
        holds: 'Where the open invoice can be paid, if there is such a page.',
        example: 'https://pay.example/invoice/42',
      },
    },
  },
  card_declined: {
    causes: [
      'A purchase of credits was charged to the card on file, and the card’s bank refused.',
      'The bank wants the cardholder to confirm the payment, who is not there.',
    ],
    remedies: ['Put another card on file at `billing_url`, then buy again. Nothing was charged.'],
    message: 'The card was declined.',
  },
  payment_method_required: {
    causes: ['Credits are to be bought, and the account has no payment method on file to charge.'],
    remedies: ['Put a payment method on file at `billing_url`, then buy again.'],
    message: 'There is no payment method on file.',
  },
  forbidden: {
    causes: [
      'The key is valid, but may not do this. For example, a key can grant only scopes that it has itself.',
      'A key for some sports only is to buy credits: that takes the scope `all`.',
      'The operator’s own key asks for something that belongs to an account, such as another key: it has none.',
      'The account has 100 active webhook subscriptions, as many as it may have.',
      'A web site other than the server’s own asks for the data of the live page, which needs no key.',
    ],
    remedies: ['Use a key with wider scopes, or one of an account. The same request with this key will fail again.'],
    message: 'This key may not do this.',
  },
  sport_scope_denied: {
    causes: [
      '`sport`, or the sport of the event, team, player or season asked for, is none of the key’s scopes.',
      'One event of a batch lies outside them.',
    ],
    remedies: [
      'Ask for sports in `granted_scopes`, or use a key with the scope `all`.',
      'Lists without `sport` hold the granted sports only, and are never refused.',
    ],
    message: 'This API key has no access to nba.',
    extras: {
      sport: { holds: 'The sport that was refused.', example: 'nba' },
      granted_scopes: { holds: 'What the key covers.', example: ['nfl'] },
    },
  },
  key_limit_reached: {
    causes: ['The account has as many API keys as its plan allows. Revoked keys do not count here.'],
    remedies: ['Revoke a key that is not used, or take a larger plan at `upgrade_url`.'],
    message: 'The plan allows 3 keys.',
  },
  not_found: {
    causes: [
      'No event, team, player or other resource has this id; ids of any size are just unknown.',
      'It belongs to another account.',
      'With `as_of`: the server did not know the event at that time.',
      'Odds history: no movement has been recorded. An opening price alone is none.',
      'There is nothing at this path.',
    ],
    remedies: [
      'Take ids from a list, such as `/v1/events`.',
      'What exists and has no data yet is no 404: odds, splits and injuries answer 200 with `available: false`.',
    ],
    message: 'There is no event 4711.',
  },
  method_not_allowed: {
    causes: ['The path exists, but not with the method of the request.'],
    remedies: ['Use a method of the `Allow` header.'],
    message: 'DELETE is not allowed here; allowed: GET, HEAD.',
  },
  not_acceptable: {
    causes: ['The `Accept` header of a request to `/mcp` names types, and `application/json` is none of them.'],
    remedies: ['Send `Accept: application/json, text/event-stream`, as MCP asks, or `*/*`, or no such header.'],
    message: 'Answers here are application/json.',
  },
  request_timeout: {
    causes: ['The head of the request took more than 15 seconds to come, or its body more than 60 seconds after that.'],
    remedies: ['Send the request in one go. The connection is closed: open another one.'],
    message: 'The request did not come whole in time.',
  },
  payload_too_large: {
    causes: ['The body is over 1 MiB on `/v1`, or over 16 MiB at the ingest door.'],
    remedies: ['Send it in parts. A batch takes 25 events; feed messages may come in as many requests as you like.'],
    message: 'The body may have 1 MiB at most.',
  },
  unsupported_media_type: {
    causes: [
      'The `Content-Type` of the body is not `application/json` (at the ingest door also `application/x-ndjson`).',
      'Its charset is not UTF-8, or its `Content-Encoding` is one that is not taken.',
    ],
    remedies: ['Send `Content-Type: application/json`.'],
    message: 'The body must be application/json.',
  },
  expectation_failed: {
    causes: ['The request has an `Expect` header with something other than `100-continue`.'],
    remedies: ['Leave the header out.'],
    message: 'The server takes no expectation but 100-continue.',
  },
  validation_error: {
    causes: [
      'A parameter has the wrong type: an id that is no integer, a boolean other than `true` and `false`.',
      'A number is out of range, such as `limit=101`, or a text is too long.',
      'A required member is missing, or the body has another shape.',
      'The `url` of a webhook is no HTTPS URL, or its host leads to no public address.',
      'A parameter that takes one value is given twice. Parameters that are not known are ignored.',
      'An `Idempotency-Key` was used with another body on this path, or is empty, too long, or not printable ASCII.',
    ],
    remedies: [
      'Read `error.errors`: each item says where (`loc`), what is wrong (`msg`), and of what kind it is (`type`).',
    ],
    message: 'limit: must be at most 100',
    extras: {
      errors: {
        holds: 'The wrong fields: `loc` is `query`, `path`, `body` or `header`, then names and indexes.',
        example: [{ loc: ['query', 'limit'], msg: 'must be at most 100', type: 'too_big' }],
      },
    },
  },
  rate_limit_exceeded: {
    causes: [
      'The key has made as many requests in the last 60 seconds as its plan allows.',
      'Scores have been polled too often: reads of a score, and lists with `include_scores=true`, share a limit.',
      'The account has made as many API keys in 24 hours as it may: 10 more than its plan allows at once, revoked ones counted.',
      'A webhook has been replayed 5 times in the last hour.',
    ],
    remedies: [
      'Wait for `retry_after` seconds. A refused request counts in no window.',
      'Watch `X-RateLimit-Remaining`, and open a stream instead of polling a score.',
    ],
    message: 'Too many requests: 20 are allowed in 60 seconds.',
    extras: RETRY_AFTER,
  },
  concurrency_limit_exceeded: {
    causes: [
      'Too many requests of this key are being answered at this moment. Open streams do not count.',
      'Three slips of this address are being graded at `/grade`, which needs no key.',
      'The replay before this one of the same webhook is under way: some of its messages had no attempt yet.',
    ],
    remedies: ['Make fewer requests at once; ask for several events with one batch.'],
    message: 'Too many requests at the same moment.',
    extras: RETRY_AFTER,
  },
  stream_limit_exceeded: {
    causes: ['The key has as many open score streams as it may have.'],
    remedies: ['Close a stream that is not needed. One that is over closes by itself.'],
    message: 'Too many open streams.',
    extras: RETRY_AFTER,
  },
  headers_too_large: {
    causes: ['The request line and the headers together are larger than 16 KiB.'],
    remedies: ['Send fewer or shorter headers; put long lists of ids into the body of a batch.'],
    message: 'The head of the request may have 16 KiB at most.',
  },
  internal_error: {
    causes: ['The server failed. It is not the request’s fault.'],
    remedies: [
      'Retry after a second, then after two, four, and so on. Reads can be retried at any time; what makes or buys something, with the same `Idempotency-Key`.',
      'If it stays, tell the operator the `request_id`: it stands in every line of the server’s log about the request.',
    ],
    message: 'The server failed to answer this request.',
  },
  service_unavailable: {
    causes: [
      'The server cannot write at this moment: its disk is full or failing, or its clock is doubted.',
      'Nothing of the request was taken, and nothing was charged. Reads that are free go on.',
    ],
    remedies: [
      'Wait for `retry_after` seconds and send the same request again, with the same `Idempotency-Key` where it had one.',
      'If it stays, tell the operator: `GET /v1/health` names the reason in `reasons`.',
    ],
    message: 'The server cannot take anything at this moment.',
    extras: RETRY_AFTER,
  },
};
