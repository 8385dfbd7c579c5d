import { parseRetryAfter } from '../../platform/async/retry-after.ts';
import type { RequestOutcome } from './connector-figures.ts';
import type { HttpExchange } from './provider-client.ts';
import type { RequestResult } from './request-schedule.ts';

/** Class of an answer, before its content is read. */
type ClassifiedAnswer =
  | { readonly kind: 'whole'; readonly body: unknown }
  | { readonly kind: 'not_modified' }
  | ({ readonly kind: 'failed' } & FailedAnswer);

export interface FailedAnswer {
  readonly outcome: RequestOutcome;
  /** Code shown in health. */
  readonly code: string;
  readonly message: string;
  readonly result: Exclude<RequestResult, 'success'>;
  /** The host answered, but has nothing at this address. */
  readonly isMissing?: true;
  /** Milliseconds for which the host asks for no requests. */
  readonly restMs?: number;
  /** The provider does not know the key, or its quota is used up. */
  readonly refused?: 'key' | 'quota';
}

/** Statuses that concern one path, not the whole host. */
const MISSING = [400, 404, 410, 422];
/** The provider's code for a used-up quota. */
const OUT_OF_CREDITS = 'OUT_OF_USAGE_CREDITS';

/** @param now milliseconds, for a `Retry-After` that is a date */
export function classifyAnswer({ status, headers, body, failure }: HttpExchange, now: number): ClassifiedAnswer {
  if (failure) {
    const { code, message } = failure;
    return { kind: 'failed', outcome: code, code, message, result: code === 'too_large' ? 'failed' : 'retry' };
  }
  if (status === 304) return { kind: 'not_modified' };
  if (status === 200) {
    const value = parsed(body);
    if (value !== undefined) return { kind: 'whole', body: value };
    const message = 'the answer is not JSON, or not all of it';
    return { kind: 'failed', outcome: 'not_json', code: 'not_json', message, result: 'retry' };
  }
  return { kind: 'failed', ...failureOfStatus(status ?? 0, headers, body, now) };
}

function failureOfStatus(
  status: number,
  headers: HttpExchange['headers'],
  body: string | null,
  now: number,
): FailedAnswer {
  const seconds = status === 429 || status === 503 ? parseRetryAfter(headers['retry-after'], now) : undefined;
  const quota = status === 401 && (parsed(body) as { error_code?: unknown } | undefined)?.error_code === OUT_OF_CREDITS;
  return {
    outcome: outcomeOf(status),
    code: quota ? 'quota' : `http_${status}`,
    message: quota ? 'nothing is left of the quota' : `the answer has status ${status}`,
    result: status >= 500 || seconds !== undefined ? 'retry' : 'failed',
    ...(MISSING.includes(status) && { isMissing: true }),
    ...(seconds !== undefined && { restMs: seconds * 1000 }),
    ...(status === 401 && { refused: quota ? ('quota' as const) : ('key' as const) }),
  };
}

function outcomeOf(status: number): RequestOutcome {
  if (status === 429) return 'http_429';
  if (status >= 500) return 'http_5xx';
  return status >= 400 ? 'http_4xx' : 'http_3xx';
}

/** Undefined if the body is no JSON, or is `null`, which has no content either. */
function parsed(body: string | null): unknown {
  try {
    return JSON.parse(body ?? '') ?? undefined;
  } catch {
    return undefined;
  }
}
