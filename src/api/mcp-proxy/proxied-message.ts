import { isObject } from './answer-messages.ts';

/** A message of a client, as far as the proxy must know it. */
export type ProxiedMessage =
  | { readonly kind: 'request'; readonly id: string | number; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'response' }
  | { readonly kind: 'malformed'; readonly code: number; readonly message: string };

type Params = Readonly<Record<string, unknown>>;

const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;

/** Reads a line. Whatever the server can judge better, such as the params, is left to it. */
export function readProxiedMessage(line: string): ProxiedMessage {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return malformed('The line is not JSON.', PARSE_ERROR);
  }
  if (Array.isArray(value)) return malformed('Batches are not taken: send one message a line.');
  if (!isObject(value)) return malformed('A message is an object.');
  const { id, method } = value;
  const params = isObject(value['params']) ? value['params'] : {};
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' };
  if (typeof method !== 'string') return malformed('method must be a string.');
  if (id === undefined) return { kind: 'notification', method, params };
  if (typeof id !== 'string' && typeof id !== 'number') return malformed('id must be a string or a number.');
  return { kind: 'request', id, method, params };
}

const malformed = (message: string, code = INVALID_REQUEST): ProxiedMessage => ({ kind: 'malformed', code, message });
