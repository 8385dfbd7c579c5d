import { expect } from 'vitest';

/** A server that can be asked at `/mcp`, with the key that is sent unless another one is told. */
export interface Talked {
  readonly url: string;
  readonly key: string;
}

export interface Said {
  /** null: none. */
  readonly key?: string | null;
  readonly method?: string;
  /** In the place of those that every client sends; null takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent as it is. */
  readonly body?: string | Uint8Array;
  /** After the path, such as `?tools=core`. */
  readonly search?: string;
}

export const rpc = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  method,
  ...(params === undefined ? {} : { params }),
});

export const callOf = (name: unknown, args?: unknown, meta?: unknown, id: unknown = 1) =>
  rpc('tools/call', { name, ...(args === undefined ? {} : { arguments: args }), ...(meta ? { _meta: meta } : {}) }, id);

/** Sends a message to `/mcp` as clients do. */
export async function say({ url, key: own }: Talked, message?: unknown, said: Said = {}) {
  const { key = own, method = 'POST', body = message === undefined ? undefined : JSON.stringify(message) } = said;
  const given = {
    accept: 'application/json, text/event-stream',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...said.headers,
  };
  const headers = Object.entries(given).filter((header): header is [string, string] => header[1] !== null);
  const response = await fetch(`${url}/mcp${said.search ?? ''}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body as string }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) };
}
export type Heard = Awaited<ReturnType<typeof say>>;

/** What a tool has come to: the status that REST would have, the value, the price. */
export function outcomeOf({ status, body }: Heard) {
  expect(status).toBe(200);
  const { result } = body;
  expect(result, JSON.stringify(body)).toBeDefined();
  expect(result.content).toEqual([{ type: 'text', text: expect.any(String) }]);
  const text = result.content[0].text as string;
  const value = JSON.parse(text);
  expect(JSON.stringify(value)).toBe(text);
  if (result.isError) {
    expect(Object.keys(result).sort()).toEqual(['_meta', 'content', 'isError']);
    expect(result._meta.credits_used).toBe(0);
    return { isError: true, error: value.error, value, credits: 0 };
  }
  expect(result.structuredContent).toEqual(value);
  return { isError: false, error: undefined, value, credits: result._meta.credits_used as number };
}
