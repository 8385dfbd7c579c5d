import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { START } from '../http/serving.ts';
import { feedGames, type Games } from './games.ts';
import { holdRequest, look, metersOf, outcomeOf } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

/* What a new key begins with: what the key that made it has used up. */

const KEYS = '/api/agent/keys';
const folder = temporaryFolder();
let server: AgentServer;
let games: Games;
beforeEach(async () => {
  server = await serveAgent({ plans: DEFAULT_PLANS });
  games = await feedGames(server);
});
afterEach(() => server.close());

async function make(key: string): Promise<{ readonly id: number; readonly key: string }> {
  const { status, body } = await server.post(KEYS, { name: 'x' }, { key });
  expect(status).toBe(201);
  return body;
}
const call = (key: string) => server.ask('/v1/health', { key });
const poll = (key: string) => server.ask(`/v1/events/${games.full}/score`, { key });
const revoke = (id: number, key: string) => server.ask(`${KEYS}/${id}`, { method: 'DELETE', key });

describe('fault 4: a new key', () => {
  it('begins with the requests of the key that made it, that one included; from then on the two go apart', async () => {
    const { key } = await server.newKey();
    for (let calls = 0; calls < 5; calls++) {
      server.clock.time = START + calls * 1000;
      await call(key);
    }
    const made = await make(key);
    expect(metersOf(await call(made.key))).toMatchObject({ left: 13, reset: Math.ceil((START + 60_000) / 1000) });
    expect(metersOf(await call(key)).left).toBe(13);
    expect(metersOf(await call(key)).left).toBe(12);
    expect(metersOf(await call(made.key)).left).toBe(12);
    // What was copied leaves when what it was copied from leaves.
    server.clock.time = START + 60_000;
    expect(metersOf(await call(made.key)).left).toBe(12);
    server.clock.time = START + 61_000;
    expect(metersOf(await call(made.key)).left).toBe(12);
    server.clock.time = START + 64_000;
    expect(metersOf(await call(made.key)).left).toBe(17);
  });

  it('begins with its score polls', async () => {
    const { key } = await server.newKey({ plan: 'growth' });
    for (let polls = 0; polls < 15; polls++) expect((await poll(key)).status).toBe(200);
    const made = await make(key);
    for (let polls = 0; polls < 5; polls++) expect((await poll(made.key)).status).toBe(200);
    expect(outcomeOf(await poll(made.key))).toBe('429 rate_limit_exceeded');
    for (let polls = 0; polls < 5; polls++) expect((await poll(key)).status).toBe(200);
    expect(outcomeOf(await poll(key))).toBe('429 rate_limit_exceeded');
  });

  it('begins with what a key has used that was revoked within the last minute, where that is more', async () => {
    const first = await server.newKey();
    const second = await server.newKey({ account: { id: first.record.accountId } });
    for (let calls = 0; calls < 15; calls++) await call(second.key);
    await server.keyRegistry.revoke(second.record.id, new Date(START).toISOString());
    await call(first.key);
    server.clock.time = START + 59_999;
    const made = await make(first.key);
    expect(metersOf(await call(made.key)).left).toBe(4);
    await revoke(made.id, first.key);
    // By now the window of that one is empty, and so is what was taken over from it.
    server.clock.time = START + 60_000;
    const next = await make(first.key);
    expect(metersOf(await call(next.key)).left).toBe(16);
  });

  it('takes nothing over from keys of other accounts, and none of the operator’s does', async () => {
    const other = await server.newKey();
    for (let calls = 0; calls < 15; calls++) await call(other.key);
    await server.keyRegistry.revoke(other.record.id, new Date(START).toISOString());
    const { key, record } = await server.newKey();
    const made = await make(key);
    expect(metersOf(await call(made.key)).left).toBe(18);
    const { key: operators } = await server.newKey({ account: { id: record.accountId } });
    expect(metersOf(await call(operators)).left).toBe(19);
  });

  it('has the slots in use that running calls of its creator hold, until they end', async () => {
    const { key } = await server.newKey({ plan: 'growth' });
    await look(server, key);
    const held = await Promise.all(Array.from({ length: 10 }, () => holdRequest(server, key)));
    const made = await make(key);
    await look(server, made.key);
    const own = await Promise.all(Array.from({ length: 6 }, () => holdRequest(server, made.key)));
    expect(outcomeOf(await call(made.key))).toBe('429 concurrency_limit_exceeded');
    await held[0]!.finish();
    expect((await call(made.key)).status).toBe(200);
    const last = await holdRequest(server, made.key);
    expect(outcomeOf(await call(made.key))).toBe('429 concurrency_limit_exceeded');
    for (const one of held.slice(1)) await one.finish();
    // Now it has all of its own places, but for those that it holds itself.
    const more = await Promise.all(Array.from({ length: 9 }, () => holdRequest(server, made.key)));
    expect(outcomeOf(await call(made.key))).toBe('429 concurrency_limit_exceeded');
    for (const one of [...own, last, ...more]) await one.finish();
    // What came later takes nothing from it.
    const later = await Promise.all(Array.from({ length: 15 }, () => holdRequest(server, key)));
    expect((await call(made.key)).status).toBe(200);
    for (const one of later) await one.finish();
  });

  it('has them still after a restart', async () => {
    await server.close();
    const file = folder.path('windows');
    server = await serveAgent({ plans: DEFAULT_PLANS, file });
    games = await feedGames(server);
    const { key } = await server.newKey({ plan: 'growth' });
    const gone = await make(key);
    server.clock.time = START + 1;
    for (let calls = 0; calls < 7; calls++) await call(gone.key);
    for (let polls = 0; polls < 15; polls++) await poll(key);
    await revoke(gone.id, key);
    server.clock.time = START + 20_000;
    const first = await make(key);
    server.clock.time = START + 21_000;
    const second = await make(first.key);
    await call(second.key);
    const before = [key, first.key, second.key];
    const stands = async () => {
      const lefts = [];
      for (const one of before) lefts.push(metersOf(await call(one)).left);
      return lefts;
    };
    server.clock.time = START + 22_000;
    const lefts = await stands();
    await server.close();
    server = await serveAgent({ plans: DEFAULT_PLANS, file, time: START + 59_000 });
    expect(await stands()).toEqual(lefts.map((left) => left! - 1));
    for (const one of [second.key, first.key]) {
      for (let polls = 0; polls < 5; polls++) expect((await poll(one)).status).toBe(200);
      expect(outcomeOf(await poll(one))).toBe('429 rate_limit_exceeded');
    }
    // All that was taken over has left; what is counted is what each was asked since.
    server.clock.time = START + 83_000;
    expect(metersOf(await call(second.key)).left).toBe(120 - 7);
  });
});
