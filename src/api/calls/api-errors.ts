import { redactApiKeys } from './redact-keys.ts';

/** Every error code a client can get: its HTTP status, and its meaning in one sentence for the page at `doc_url`. */
export const ERRORS = {
  bad_request: { status: 400, means: 'The request is understood, but asks for something that makes no sense.' },
  authorization_pending: { status: 400, means: 'No person has approved or refused the request for a key yet.' },
  slow_down: {
    status: 400,
    means: 'The program polls faster than it was told. From now on it waits 5 seconds longer.',
  },
  access_denied: { status: 400, means: 'A person has refused the request for a key, or has revoked the key.' },
  expired_token: { status: 400, means: 'The device code is unknown, has expired, or its key was fetched before.' },
  unauthorized: { status: 401, means: 'The API key is missing, malformed, unknown, revoked or expired.' },
  insufficient_credits: { status: 402, means: 'The credits left do not cover the most that this call can cost.' },
  daily_credit_cap_exceeded: { status: 402, means: 'The cap on credits in a rolling 24-hour window is reached.' },
  credit_cap_exceeded: { status: 402, means: 'The call may cost more than the client or the API key allows.' },
  payment_failed: { status: 402, means: 'Two invoices were declined. A paid invoice restores access.' },
  card_declined: { status: 402, means: 'The card on file was declined.' },
  payment_method_required: { status: 402, means: 'There is no payment method on file.' },
  forbidden: { status: 403, means: 'The API key may not do this.' },
  sport_scope_denied: { status: 403, means: 'The sport lies outside the scopes of the API key.' },
  key_limit_reached: { status: 403, means: 'The account has as many API keys as its plan allows.' },
  not_found: { status: 404, means: 'There is no such resource, or it does not belong to the account of the API key.' },
  method_not_allowed: { status: 405, means: 'The path exists, but not with this method. See the Allow header.' },
  not_acceptable: { status: 406, means: 'The Accept header admits no JSON, and there is nothing else to answer with.' },
  request_timeout: { status: 408, means: 'The request did not come whole in the time that it has.' },
  payload_too_large: { status: 413, means: 'The body of the request is larger than the server takes.' },
  unsupported_media_type: { status: 415, means: 'The body of the request is of a type that the server does not take.' },
  expectation_failed: { status: 417, means: 'The Expect header asks for something that the server does not do.' },
  validation_error: { status: 422, means: 'A parameter or the body has the wrong form. See error.errors.' },
  rate_limit_exceeded: { status: 429, means: 'Too many requests in the window. Wait for retry_after seconds.' },
  concurrency_limit_exceeded: { status: 429, means: 'Too many requests of this API key at the same moment.' },
  stream_limit_exceeded: { status: 429, means: 'Too many open streams of this API key.' },
  headers_too_large: { status: 431, means: 'The head of the request is larger than the server takes.' },
  internal_error: { status: 500, means: 'The server failed. Retry with exponential backoff.' },
  service_unavailable: {
    status: 503,
    means:
      'The server cannot do it at this moment. Send the same again after retry_after seconds: facts that were taken ' +
      'already are recognised, and X-Credits-Used says that nothing was charged.',
  },
} as const satisfies Record<string, { readonly status: number; readonly means: string }>;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** One wrong field of a request. */
export interface FieldError {
  /** Location: `query`, `path`, `body` or `header`, then names and indexes. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

interface Retry {
  /** Seconds, at least 1. */
  readonly retry_after: number;
}

/** Members that an error of a code has beyond its message. Codes not named here have none. */
interface Extras {
  authorization_pending: Retry;
  slow_down: Retry;
  insufficient_credits: { readonly is_trial_expired?: boolean };
  daily_credit_cap_exceeded: { readonly resets_at?: string; readonly window_hours: number };
  credit_cap_exceeded: { readonly resets_at?: string; readonly window_hours?: number };
  payment_failed: { readonly hosted_invoice_url?: string };
  sport_scope_denied: { readonly sport: string; readonly granted_scopes: readonly string[] };
  validation_error: { readonly errors: readonly FieldError[] };
  rate_limit_exceeded: Retry;
  concurrency_limit_exceeded: Retry;
  stream_limit_exceeded: Retry;
  service_unavailable: Retry;
}
type ExtrasOf<C extends ErrorCode> = C extends keyof Extras ? Extras[C] : Record<never, never>;
type ExtrasArgument<C extends ErrorCode> =
  Record<never, never> extends ExtrasOf<C> ? [extras?: ExtrasOf<C>] : [extras: ExtrasOf<C>];

/** An error that the client is told: a refusal, or a failure with a code. */
export class ApiError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly extras: ExtrasOf<C>;
  constructor(code: C, message: string, ...[extras]: ExtrasArgument<C>) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.extras = (extras ?? {}) as ExtrasOf<C>;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

export const badRequest = (message: string): ApiError => new ApiError('bad_request', message);
export const notFound = (message: string): ApiError => new ApiError('not_found', message);

export interface ErrorEnvelope {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly status: number;
    readonly doc_url: string;
    readonly request_id: string;
  } & Readonly<Record<string, unknown>>;
  readonly detail: string;
}

/** Pages that the envelope of an error links to, below the server's public address. */
const PAGES = { upgrade_url: '/billing#plans', topup_url: '/billing#credits', billing_url: '/billing' };

/** Names of the links in the envelope of this code. */
export function errorLinksOf(code: ErrorCode): readonly (keyof typeof PAGES)[] {
  if (ERRORS[code].status === 402) return ['upgrade_url', 'topup_url', 'billing_url'];
  return code === 'sport_scope_denied' || code === 'key_limit_reached' ? ['upgrade_url'] : [];
}

/** The error body of every endpoint and tool. `baseUrl` has no slash at its end. */
export function errorEnvelope(error: ApiError, baseUrl: string, requestId: string): ErrorEnvelope {
  // The message may quote what the client sent.
  const message = redactApiKeys(error.message);
  const links: Record<string, string> = {};
  for (const name of errorLinksOf(error.code)) links[name] = baseUrl + PAGES[name];
  return {
    error: {
      code: error.code,
      message,
      status: error.status,
      doc_url: `${baseUrl}/docs/errors/${error.code}`,
      request_id: requestId,
      ...error.extras,
      ...links,
    },
    detail: message,
  };
}

/** Why an API key is refused. A partly guessed key gets `unknown` and no more, so that guessing teaches nothing. */
export type ApiKeyFault = 'missing' | 'unknown' | 'deactivated';

/** No valid API key. The message says whether a key was sent; only `/compat` has a code for each fault. */
export class ApiKeyError extends ApiError<'unauthorized'> {
  readonly fault: ApiKeyFault;
  constructor(fault: ApiKeyFault) {
    super(
      'unauthorized',
      fault === 'missing'
        ? 'A valid API key is required: Authorization: Bearer <API_KEY>.'
        : 'The API key is malformed, unknown, revoked or expired.',
    );
    this.fault = fault;
  }
}

/**
 * The client disconnected before its operation ran. The operation does not run and costs nothing; no answer is sent.
 */
export class CallAborted extends Error {
  constructor() {
    super('the client is gone');
    this.name = 'CallAborted';
  }
}

/** The status of such a call in the account's usage: proxies log the same one. */
export const CLIENT_CLOSED_REQUEST = 499;
