import type { IncomingMessage } from 'node:http';
import {
  checkIdempotencyKey,
  IDEMPOTENCY_KEY,
  invalidIdempotencyKey,
} from '../../calls/idempotency/idempotency-key.ts';
import { POSITION_HEADER } from '../../calls/pipeline/position-tokens.ts';

/**
 * Whether a request repeats a header. Node shows only the first of some headers, and joins others.
 * @param name in lower case
 */
export function isRepeatedHeader(rawHeaders: readonly string[], name: string): boolean {
  let seen = false;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i]!;
    if (given.length !== name.length || given.toLowerCase() !== name) continue;
    if (seen) return true;
    seen = true;
  }
  return false;
}

const IDEMPOTENCY_HEADER_NAME = IDEMPOTENCY_KEY.toLowerCase();

/** The `Idempotency-Key` of the request. @throws ApiError validation_error */
export function readIdempotencyKey({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const key = headers[IDEMPOTENCY_HEADER_NAME] as string | undefined;
  if (key === undefined) return undefined;
  if (isRepeatedHeader(rawHeaders, IDEMPOTENCY_HEADER_NAME))
    throw invalidIdempotencyKey('must not be given more than once', 'repeated');
  checkIdempotencyKey(key);
  return key;
}

const POSITION_HEADER_NAME = POSITION_HEADER.toLowerCase();

/** The position that the answer must show. Node joins repeated headers by commas, as clients may do themselves. */
export const readPosition = ({ headers }: IncomingMessage): string | undefined =>
  headers[POSITION_HEADER_NAME] as string | undefined;
