import type { OperationShape } from './operation-shape.ts';
import type { ReadyRequest } from './send.ts';

/** What can be said of any call. */
export interface CallOptions {
  /** Ends the call, its retries and its waits. */
  readonly signal?: AbortSignal;
  /** Of one's own, so that the call can be repeated by another process; made by the client unless given. Ignored where
   *  the operation does not honour it. */
  readonly idempotencyKey?: string;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface RequestParts {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly newKey: () => string;
}

/**
 * The request that makes a call. Arguments that the operation does not know are left out.
 * @throws TypeError where an argument of the path is missing
 */
export function requestOf(
  shape: OperationShape,
  given: Arguments,
  { signal, idempotencyKey }: CallOptions,
  { baseUrl, apiKey, newKey }: RequestParts,
): ReadyRequest {
  const { method, path, query = [], body, idempotent } = shape;
  const headers = new Headers({ authorization: `Bearer ${apiKey}` });
  if (idempotent) headers.set('idempotency-key', idempotencyKey ?? newKey());
  if (body) headers.set('content-type', 'application/json');
  return {
    method,
    url: baseUrl + filled(path, given) + searchOf(query, given),
    headers,
    ...(body ? { body: JSON.stringify(picked(body, given)) } : {}),
    isRepeatable: method === 'GET' || idempotent === true,
    signal,
  };
}

function filled(path: string, given: Arguments): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(given[name] ?? '');
    // Without a text, or with dots, the path would be that of another operation.
    if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} must be given`);
    return encodeURIComponent(text);
  });
}

/** What is null or undefined is absent. */
function searchOf(names: readonly string[], given: Arguments): string {
  const search = new URLSearchParams();
  for (const name of names) {
    const value = given[name];
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size > 0 ? `?${search}` : '';
}

const picked = (names: readonly string[], given: Arguments): Arguments =>
  Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
