import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/api/calls/operation/operation.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { START } from '../http/serving.ts';
import { feedGames, type Games } from './games.ts';
import { look, metersOf, outcomeOf } from './metering.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from './serving.ts';

/* The budget that score polls share. Rows that are missing: get_live_score and list_events of MCP, 3 slip gradings. */

/** While it is there, every score poll waits for it once it runs. */
let gate: Gate | undefined;
interface Gate {
  readonly open: Promise<void>;
  entered(): void;
}

const gated = operations.map(
  (operation): Operation =>
    operation.sharedLimit
      ? {
          ...operation,
          async run(input, context) {
            if (gate && operation.sharedLimit!(input)) {
              gate.entered();
              await gate.open;
            }
            return operation.run(input, context);
          },
        }
      : operation,
);

let server: AgentServer;
let games: Games;
let key: string;
beforeEach(async () => {
  gate = undefined;
  server = await serveAgent({ operations: gated, plans: { enterprise: DEFAULT_PLANS['enterprise']! } });
  games = await feedGames(server);
  ({ key } = await server.newKey({ plan: 'growth' }));
});
afterEach(() => server.close());

const score = (by = key, query = '') => server.ask(`/v1/events/${games.full}/score${query}`, { key: by });
const list = (by = key) => server.ask('/v1/events?include_scores=true', { key: by });
const AS_OF = '?as_of=2026-03-01T12:00:00Z';

describe('the score-poll budget', () => {
  it('is 20 in 60 seconds, of reads of a score, those as of a moment, and lists with scores together', async () => {
    const polls = [score, list, () => score(key, AS_OF), () => score(key, `${AS_OF}&as_of_basis=observed`)];
    for (let asked = 0; asked < 20; asked++) {
      server.clock.time = START + asked * 100;
      expect((await polls[asked % 4]!()).status).toBe(200);
    }
    for (const poll of polls) {
      const refused = await poll();
      expect(outcomeOf(refused)).toBe('429 rate_limit_exceeded');
      // The oldest poll leaves in 58.1 seconds.
      expect([refused.body.error.retry_after, metersOf(refused).retryAfter]).toEqual([59, 59]);
      expect(metersOf(refused)).toMatchObject({ used: 0, credits: 50_000 - 20 });
    }
    server.clock.time = START + 59_999;
    expect((await score()).headers.get('retry-after')).toBe('1');
    server.clock.time = START + 60_000;
    expect((await list()).status).toBe(200);
    expect((await score()).status).toBe(429);
    server.clock.time = START + 60_100;
    expect((await score()).status).toBe(200);
  });

  it('a refused poll counts in no window: neither in that of polls nor in that of requests', async () => {
    for (let asked = 0; asked < 20; asked++) await score();
    const before = await look(server, key);
    for (let asked = 0; asked < 5; asked++) {
      const refused = await score();
      expect([refused.status, metersOf(refused).left]).toEqual([429, before.left]);
    }
    expect(await look(server, key)).toEqual({ left: before.left! - 1, credits: before.credits });
    server.clock.time += 60_000;
    for (let asked = 0; asked < 20; asked++) expect((await score()).status).toBe(200);
  });

  it('is of each key, also on plans without a limit of requests', async () => {
    const { key: enterprise, record } = await server.newKey({ plan: 'enterprise' });
    const { key: second } = await server.newKey({ account: { id: record.accountId } });
    for (let asked = 0; asked < 20; asked++) expect((await score(enterprise)).status).toBe(200);
    const refused = await list(enterprise);
    expect(outcomeOf(refused)).toBe('429 rate_limit_exceeded');
    expect(metersOf(refused)).toMatchObject({ limit: null, left: null, retryAfter: 60 });
    expect((await score(second)).status).toBe(200);
    expect((await score()).status).toBe(200);
  });

  it('does not apply to the operator’s own key', async () => {
    for (let asked = 0; asked < 50; asked++) expect((await score(BOOTSTRAP_KEY)).status).toBe(200);
  });

  it('does not count calls without scores, nor calls refused before', async () => {
    const others = ['/v1/events', '/v1/events?include_scores=false', `/v1/events/${games.full}`];
    const wrong = ['/v1/events/abc/score', '/v1/events?include_scores=1', '/v1/events?include_scores=true&limit=0'];
    for (let asked = 0; asked < 5; asked++) {
      for (const path of others) expect((await server.ask(path, { key })).status).toBe(200);
      for (const path of wrong) expect((await server.ask(path, { key })).status).toBe(422);
    }
    for (let asked = 0; asked < 20; asked++) expect((await score()).status).toBe(200);
    for (const path of others) expect((await server.ask(path, { key })).status).toBe(200);
    expect((await score()).status).toBe(429);
  });

  it('is spent by what is answered without data too: 304, 404', async () => {
    const tag = (await score()).headers.get('etag')!;
    for (let asked = 0; asked < 10; asked++) {
      const held = { key, headers: { 'if-none-match': tag } };
      expect((await server.ask(`/v1/events/${games.full}/score`, held)).status).toBe(304);
    }
    for (let asked = 0; asked < 9; asked++) {
      expect((await server.ask(`/v1/events/${games.unknown}/score`, { key })).status).toBe(404);
    }
    expect(outcomeOf(await score())).toBe('429 rate_limit_exceeded');
  });
});

describe('at the same moment', () => {
  it('4 polls of a key are answered, of any kind; one more is refused, and counts in no window', async () => {
    const { release, running } = await fourRunning();
    for (const poll of [score, list, () => score(key, AS_OF)]) {
      const refused = await poll();
      expect(outcomeOf(refused)).toBe('429 concurrency_limit_exceeded');
      expect([refused.body.error.retry_after, metersOf(refused).retryAfter]).toEqual([1, 1]);
      expect(metersOf(refused)).toMatchObject({ left: 9996, used: 0, credits: 50_000 });
    }
    // Others are not in the way of anything else, nor of another key.
    expect((await server.ask('/v1/events', { key })).status).toBe(200);
    const { key: other } = await server.newKey({ plan: 'growth' });
    gate = undefined;
    expect((await score(other)).status).toBe(200);
    release();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // 16 are left of the 20: none that was refused is counted.
    for (let asked = 0; asked < 16; asked++) expect((await score()).status).toBe(200);
    expect(outcomeOf(await score())).toBe('429 rate_limit_exceeded');
  });

  it('a slot is free again when its poll has failed', async () => {
    const { release, running } = await fourRunning(() => server.ask(`/v1/events/${games.unknown}/score`, { key }));
    release();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    gate = undefined;
    expect((await score()).status).toBe(200);
  });

  it('does not apply to the operator’s own key', async () => {
    const { release, running } = await fourRunning(() => score(BOOTSTRAP_KEY, AS_OF), 9);
    release();
    expect((await Promise.all(running)).every(({ status }) => status === 200)).toBe(true);
  });

  /** So many polls that run, and end when they are released. */
  async function fourRunning(poll?: () => ReturnType<typeof score>, count = 4) {
    const polls = [score, list, () => score(key, AS_OF), list];
    let release!: () => void;
    let entered = 0;
    let all!: () => void;
    const allIn = new Promise<void>((resolve) => (all = resolve));
    const open = new Promise<void>((resolve) => (release = resolve));
    gate = {
      open,
      entered: () => {
        if (++entered === count) all();
      },
    };
    const running = Array.from({ length: count }, (_, index) => (poll ?? polls[index % 4]!)());
    await allIn;
    return { release, running };
  }
});
