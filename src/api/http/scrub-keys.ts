import { withoutKeys } from '../calls/keys-in-text.ts';

/** A query's or an object's `api_key` or `apiKey`, however often its quotes were escaped on the way into the line. */
const NAMED = /(api_?key(?:\\*"|%22)?\s*(?:[=:]|%3D)\s*(?:\\*")?)[^\s"\\&#,;}]+/gi;
const BEARER = /(\bBearer +)[^\s"\\,;]+/gi;

/**
 * A line of the log without secrets of callers: keys stand in URLs, since browsers' EventSource cannot set headers,
 * and errors quote URLs. The public part of a key stays, so that the line can be understood.
 */
export const scrubKeys = (line: string): string =>
  withoutKeys(line).replace(NAMED, '$1[hidden]').replace(BEARER, '$1[hidden]');
