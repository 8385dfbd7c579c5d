import { parseRetryAfter } from '../../platform/async/retry-after.ts';
import { JsonRefused, parseBoundedJson } from '../../platform/json/bounded-json.ts';
import { ANSWER_BOUNDS } from '../parsing/json-bounds.ts';
import type { RequestOutcome } from './connector-figures.ts';
import type { HttpExchange } from './provider-client.ts';
import type { RequestResult } from './request-schedule.ts';

/** Class of an answer, before its content is read. */
type ClassifiedAnswer =
  | { readonly kind: 'whole'; readonly body: unknown }
  | { readonly kind: 'not_modified' }
  | ({ readonly kind: 'failed' } & FailedAnswer);

/** The provider does not know the key, or the key's quota is used up, or the provider answers nobody like this server. */
export type Refusal = 'key' | 'quota' | 'sender';

export interface FailedAnswer {
  readonly outcome: RequestOutcome;
  /** Code shown in health. */
  readonly code: string;
  readonly message: string;
  readonly result: Exclude<RequestResult, 'success'>;
  /** The host answered, but has nothing at this address. */
  readonly isMissing?: true;
  /** Milliseconds for which the host asks for no requests. */
  readonly waitMs?: number;
  readonly refused?: Refusal;
}

/** Statuses that concern one path, not the whole host. */
const MISSING = [400, 404, 410, 422];
/** The provider's code for a used-up quota. */
const OUT_OF_CREDITS = 'OUT_OF_USAGE_CREDITS';

/**
 * @param now milliseconds, for a `Retry-After` that is a date
 * @param hasKey the request had the operator's key
 */
export async function classifyAnswer(exchange: HttpExchange, now: number, hasKey: boolean): Promise<ClassifiedAnswer> {
  const { status, headers, body, failure } = exchange;
  if (failure) {
    const { code, message } = failure;
    return { kind: 'failed', outcome: code, code, message, result: code === 'too_large' ? 'failed' : 'retry' };
  }
  if (status === 304) return { kind: 'not_modified' };
  if (status === 200) {
    const value = await parseAnswer(body);
    return value instanceof JsonRefused ? { kind: 'failed', ...failureOfBody(value) } : { kind: 'whole', body: value };
  }
  return { kind: 'failed', ...(await failureOfStatus(status ?? 0, headers, body, now, hasKey)) };
}

/** Asking again soon may bring the rest of an answer, but no smaller one. */
const failureOfBody = ({ code, message }: JsonRefused): FailedAnswer => ({
  outcome: code === 'not_json' ? 'not_json' : 'too_large',
  code,
  message: `the answer ${message}`,
  result: code === 'not_json' ? 'retry' : 'failed',
});

async function failureOfStatus(
  status: number,
  headers: HttpExchange['headers'],
  body: string | null,
  now: number,
  hasKey: boolean,
): Promise<FailedAnswer> {
  const seconds = status === 429 || status === 503 ? parseRetryAfter(headers['retry-after'], now) : undefined;
  const quota = status === 401 && (await errorCodeOf(body)) === OUT_OF_CREDITS;
  const refused = refusalOf(status, quota, hasKey);
  return {
    outcome: outcomeOf(status),
    code: quota ? 'quota' : `http_${status}`,
    message: quota
      ? 'nothing is left of the quota'
      : refused === 'sender'
        ? refusalText(status)
        : `the answer has status ${status}`,
    result: status >= 500 || seconds !== undefined ? 'retry' : 'failed',
    ...(MISSING.includes(status) && { isMissing: true }),
    ...(seconds !== undefined && { waitMs: seconds * 1000 }),
    ...(refused !== undefined && { refused }),
  };
}

function refusalOf(status: number, quota: boolean, hasKey: boolean): Refusal | undefined {
  if (quota) return 'quota';
  if (status === 401 && hasKey) return 'key';
  return status === 401 || status === 403 ? 'sender' : undefined;
}

/** What the operator can do about a refusal. */
const refusalText = (status: number): string =>
  `the provider refuses this server (status ${status}): set FEED_CONTACT to an https address where you can be ` +
  'reached, or FEED_USER_AGENT to a User-Agent that it answers (docs/live-feeds.md)';

function outcomeOf(status: number): RequestOutcome {
  if (status === 429) return 'http_429';
  if (status >= 500) return 'http_5xx';
  return status >= 400 ? 'http_4xx' : 'http_3xx';
}

const errorCodeOf = async (body: string | null): Promise<unknown> =>
  ((await parseAnswer(body)) as { readonly error_code?: unknown }).error_code;

/** The value of an answer's body, or why it has none: `null` has no content either. */
export async function parseAnswer(body: string | null): Promise<unknown> {
  try {
    const value = await parseBoundedJson(Buffer.from(body ?? ''), ANSWER_BOUNDS);
    return value ?? new JsonRefused('not_json', 'is empty');
  } catch (error) {
    if (error instanceof JsonRefused) return error;
    throw error;
  }
}
