import type { IncomingMessage } from 'node:http';
import { checkIdempotencyKey, IDEMPOTENCY_KEY, refusedKey } from '../calls/once/idempotency-key.ts';
import { isRepeated } from './repeated-header.ts';

const NAME = IDEMPOTENCY_KEY.toLowerCase();

/** The key under which the client may repeat the request. @throws ApiError validation_error */
export function idempotencyKey({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const key = headers[NAME] as string | undefined;
  if (key === undefined) return undefined;
  if (isRepeated(rawHeaders, NAME)) throw refusedKey('must not be given more than once', 'repeated');
  checkIdempotencyKey(key);
  return key;
}
