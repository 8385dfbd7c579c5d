import { expect, it } from 'vitest';
import type { KeyRequest } from '../../../src/accounts/keys/key-registry.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { BASE_URL } from '../http/serving.ts';
import { expectMembers } from '../spec/members.ts';
import type { Answer, Ask } from '../spec/server.ts';
import type { Games } from './games.ts';
import { look, metersOf } from './metering.ts';
import type { AgentServer } from './serving.ts';

/** One row of the table of errors: who asks for what. */
export interface Row {
  readonly name: string;
  /** Of the account; growth unless told, so that credits and cap are no one's concern. */
  readonly plan?: string;
  readonly scopes?: readonly string[];
  readonly before?: (caller: Caller) => Promise<unknown>;
  readonly path: string | ((games: Games) => string);
  readonly ask?: Ask;
  /** Sent by POST, as JSON unless it is text. */
  readonly body?: unknown;
  /** Members of the envelope beside those of every error. */
  readonly extras?: object | (() => object);
  readonly allow?: string;
}

export interface Caller {
  readonly key: string;
  readonly accountId: number;
}

export async function newCaller(server: AgentServer, request: Partial<KeyRequest> = {}): Promise<Caller> {
  const { key, record } = await server.newKey({ plan: 'growth', ...request });
  return { key, accountId: record.accountId };
}

export const UPGRADE = { upgrade_url: `${BASE_URL}/billing#plans` };
export const PAGES = { ...UPGRADE, topup_url: `${BASE_URL}/billing#credits`, billing_url: `${BASE_URL}/billing` };

/** Everything that all errors share. */
export function expectEnvelope(
  { status, body, headers }: Answer,
  wanted: number,
  code: string,
  extras: object = {},
): void {
  expect([status, body.error?.code]).toEqual([wanted, code]);
  expectMembers(body, ['error', 'detail']);
  expectMembers(body.error, ['code', 'message', 'status', 'doc_url', 'request_id', ...Object.keys(extras)]);
  expect(body.error).toMatchObject({ status: wanted, doc_url: `${BASE_URL}/docs/errors/${code}`, ...extras });
  expect(body.error.message).not.toBe('');
  expect(body.detail).toBe(body.error.message);
  expect(body.error.request_id).toBe(headers.get('x-request-id'));
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('cache-control')).toBe('no-store');
}

export interface World {
  readonly server: AgentServer;
  readonly games: Games;
}

/** Asks between two looks: an error costs nothing, and counts in the window. */
export function expectRows(world: () => World, status: number, code: string, rows: readonly Row[]): void {
  it.each(rows)('$name', async ({ plan, scopes, before, path, ask, body, extras, allow }) => {
    const { server, games } = world();
    const caller = await newCaller(server, { ...(plan ? { plan } : {}), ...(scopes ? { scopes } : {}) });
    await before?.(caller);
    const { key } = caller;
    const first = await look(server, key);
    const url = typeof path === 'string' ? path : path(games);
    const given = { key, ...ask };
    const answer = await (body === undefined ? server.ask(url, given) : server.post(url, body, given));
    expectEnvelope(answer, status, code, typeof extras === 'function' ? extras() : extras);
    expect(answer.headers.get('allow')).toBe(allow ?? null);
    expect(metersOf(answer)).toEqual({
      limit: DEFAULT_PLANS[plan ?? 'growth']!.requests_per_minute,
      left: first.left! - 1,
      reset: server.clock.time / 1000 + 60,
      used: 0,
      credits: first.credits,
      retryAfter: null,
    });
    expect(await look(server, key)).toEqual({ left: first.left! - 2, credits: first.credits });
  });
}
