/** Keys that this server has made, wherever they stand. */
const API_KEY_PATTERN = /\bllk_([A-Za-z0-9]{1,12})\.[A-Za-z0-9_-]+/g;

/** What a client has put into a wrong place must not be stored, logged or repeated with it. */
export const containsApiKey = (text: string): boolean => text.search(API_KEY_PATTERN) >= 0;

/** The public part of a key stays, so that the text can be understood. */
export const redactApiKeys = (text: string): string => text.replace(API_KEY_PATTERN, 'llk_$1.[hidden]');

/** A query's or an object's `api_key` or `apiKey`, however often its quotes were escaped on the way into the line. */
const NAMED_KEY_PATTERN = /(api_?key(?:\\*"|%22)?\s*(?:[=:]|%3D)\s*(?:\\*")?)[^\s"\\&#,;}]+/gi;
const BEARER_KEY_PATTERN = /(\bBearer +)[^\s"\\,;]+/gi;

/**
 * A line of the log without secrets of callers: keys stand in URLs, since browsers' EventSource cannot set headers,
 * and errors quote URLs. The public part of a key stays, so that the line can be understood.
 */
export const redactSecrets = (line: string): string =>
  redactApiKeys(line).replace(NAMED_KEY_PATTERN, '$1[hidden]').replace(BEARER_KEY_PATTERN, '$1[hidden]');
