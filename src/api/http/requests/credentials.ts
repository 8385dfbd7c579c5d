import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isRepeatedHeader } from './request-headers.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;
const HEADER = 'authorization';

/**
 * The key of `Authorization: Bearer KEY`. Undefined without the header. Empty, which is no valid key, if the header is
 * malformed or repeated: a proxy in front of the server might have checked the other one.
 */
export function readBearerKey(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  if (isRepeatedHeader(request.rawHeaders, HEADER)) return '';
  return BEARER.exec(header)?.[1] ?? '';
}

/** The key of `?api_key=KEY`, for clients that cannot set headers; empty if it is repeated. */
export function readQueryKey(search: string): string | undefined {
  if (!search.includes('api_key')) return undefined;
  const keys = new URLSearchParams(search).getAll('api_key');
  return keys.length > 1 ? '' : keys[0];
}

/** Compares secrets of any length in constant time. */
export const isSameSecret = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
