import type { ErrorEnvelope } from './generated/api-types.ts';

/** What an error envelope holds. */
export type EnvelopeError = ErrorEnvelope['error'];

export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly error?: EnvelopeError | null;
  readonly cause?: unknown;
}

/** Code of a failure to get an answer at all, or the whole of it. */
export const NETWORK_ERROR = 'network_error';
/** Code of an answer that is none of Ledgerline's: a proxy's page, for example. */
export const UNEXPECTED_ANSWER = 'unexpected_answer';
/** Code of a webhook that is not what the secret signed, or not of now. */
export const INVALID_WEBHOOK = 'invalid_webhook';

/** A call that failed. */
export class LedgerlineError extends Error {
  /** HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** That of the envelope, such as `not_found`; or `network_error`, `unexpected_answer`, `invalid_webhook`. */
  readonly code: string;
  /** `X-Request-Id`, by which the server's log has it. */
  readonly requestId: string | null;
  /** Seconds, where the server named some. */
  readonly retryAfter: number | null;
  /** The envelope's `error`, with what it tells beyond its message; null where there was no envelope. */
  readonly error: EnvelopeError | null;

  constructor({ status, code, message, requestId = null, retryAfter = null, error = null, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LedgerlineError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.error = error;
  }
}

/**
 * The failure that an error envelope tells of.
 * @param text of the body
 * @param now milliseconds
 */
export function failureOf({ status, headers }: Response, text: string, now: number): LedgerlineError {
  const error = envelopeError(text);
  return new LedgerlineError({
    status,
    code: error?.code ?? UNEXPECTED_ANSWER,
    message: error?.message ?? `the answer is HTTP ${status} without an error envelope`,
    requestId: error?.request_id ?? headers.get('x-request-id'),
    retryAfter: secondsOf(headers.get('retry-after'), now) ?? error?.retry_after ?? null,
    error,
  });
}

/** The envelope's `error`; null where the text is no envelope. */
export function envelopeError(text: string): EnvelopeError | null {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<EnvelopeError> };
    return typeof error?.code === 'string' && typeof error.message === 'string' ? (error as EnvelopeError) : null;
  } catch {
    return null;
  }
}

/** Of `Retry-After`: seconds, or a date as proxies may send it. Null where it is absent, or neither. */
function secondsOf(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
