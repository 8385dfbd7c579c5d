import { vi } from 'vitest';
import type { Ambient } from '../../../src/api/client/ambient.ts';
import { type Client, type ClientOptions, createClient } from '../../../src/api/client/create-client.ts';

/** One answer of a script: what comes, or an error in its place. */
export type Scripted = Response | Error | (() => Response | Promise<Response>);

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** An error as the server writes it. */
export const envelope = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  json(
    {
      error: { code, message: `says ${code}`, status, doc_url: 'https://x.example', request_id: 'made-1', ...more },
      detail: `says ${code}`,
    },
    status,
    headers,
  );

/** Answers one after the other, for requests that are noted. */
export function scriptedFetch(...script: Scripted[]) {
  const requests: SentRequest[] = [];
  const scripted = async (input: unknown, init: RequestInit = {}) => {
    init.signal?.throwIfAborted();
    const { method = 'GET', body } = init;
    // A copy: the client may change its own for the next try.
    requests.push({ method, url: String(input), headers: new Headers(init.headers as Headers), body });
    const next = script.shift();
    if (next === undefined) throw new Error('the script is over');
    if (next instanceof Error) throw next;
    return typeof next === 'function' ? next() : next;
  };
  return { requests, fetch: scripted as unknown as typeof fetch };
}

/** A client of a script, whose waits are noted and over at once, and whose keys are counted. */
export function scriptedClient(
  script: Scripted[],
  options: Partial<ClientOptions> = {},
  ambient: Partial<Ambient> = {},
) {
  const { requests, fetch } = scriptedFetch(...script);
  const sleep = vi.fn(async (_milliseconds: number, _signal?: AbortSignal) => {});
  let keys = 0;
  const newKey = () => `key-${++keys}`;
  const client: Client = createClient(
    { baseUrl: 'https://sports.example', apiKey: 'llk_1', fetch, ...options },
    { sleep, newKey, now: () => Date.parse('2026-03-01T12:00:00Z'), ...ambient },
  );
  return { client, requests, waits: () => sleep.mock.calls.map(([milliseconds]) => milliseconds) };
}
