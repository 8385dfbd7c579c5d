/** Keys issued by this server, anywhere in a text. */
const API_KEY_PATTERN = /\bllk_([A-Za-z0-9]{1,12})\.[A-Za-z0-9_-]+/g;

/** A key that a client sent in a wrong field must not be stored, logged or echoed. */
export const containsApiKey = (text: string): boolean => text.search(API_KEY_PATTERN) >= 0;

/** Keeps the public part of the key, so that the text can be understood. */
export const redactApiKeys = (text: string): string => text.replace(API_KEY_PATTERN, 'llk_$1.[hidden]');

/**
 * `api_key` or `apiKey` in a query or an object. Quotes may have been escaped several times before they reached the
 * line.
 */
const NAMED_KEY_PATTERN = /(api_?key(?:\\*"|%22)?\s*(?:[=:]|%3D)\s*(?:\\*")?)[^\s"\\&#,;}]+/gi;
const BEARER_KEY_PATTERN = /(\bBearer +)[^\s"\\,;]+/gi;

/**
 * Removes the secrets of callers from a line of the log. URLs contain keys, since EventSource in browsers cannot set
 * headers, and errors quote URLs. The public part of a key stays, so that the line can be understood.
 */
export const redactSecrets = (line: string): string =>
  redactApiKeys(line).replace(NAMED_KEY_PATTERN, '$1[hidden]').replace(BEARER_KEY_PATTERN, '$1[hidden]');
