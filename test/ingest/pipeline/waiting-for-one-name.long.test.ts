import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { SqlIdentities } from '../../../src/ingest/identities/sql/sql-identities.ts';
import { FeedIntake } from '../../../src/ingest/pipeline/feed-intake.ts';
import { MAX_RETRIED_PER_BATCH } from '../../../src/ingest/pipeline/quarantine.ts';
import { createKyselyRunner } from '../../../src/platform/sql/query-runner.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry, type RegistryDatabase } from '../../../src/server/composition/registry.ts';

const NOW = Date.parse('2026-09-11T00:00:00Z');
/** More than are retried in three batches. */
const MANY = 3 * MAX_RETRIED_PER_BATCH + 20;

let registry: RegistryDatabase;
beforeEach(async () => {
  registry = await openRegistry(openSqliteDatabase({ file: ':memory:', synchronous: 'normal' }));
});
afterEach(() => registry.destroy());

const team = (source: string, ref: string, name: string) => ({
  ...{ kind: 'team', source, at: '2026-09-01T00:00:00Z', sport: 'nfl', league: 'nfl' },
  ...{ ref, name, abbreviation: ref.toUpperCase() },
});
/** The score of a game that only its sides name. */
const byMatch = (n: number, home: string, away: string) => ({
  ...{ kind: 'score', source: 'other', at: new Date(NOW - 4_000_000 + n * 1000).toISOString(), status: 'inprogress' },
  match: { sport: 'nfl', league: 'nfl', starts_at: '2026-09-10T18:00:00Z', home, away },
});

describe.each([
  ['alone', true],
  ['beside others', false],
])('an intake that writes %s', (_, isSoleWriter) => {
  /** After too many claims it gives up, where it would else go on for ever. */
  async function given() {
    const identities = await SqlIdentities.open(registry, createKyselyRunner(registry), { isSoleWriter });
    const claims = { count: 0, most: Number.POSITIVE_INFINITY };
    const counting = new Proxy(identities, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (name !== 'claimQuarantined') return member.bind(target);
        return async (...args: unknown[]) => {
          if (++claims.count > claims.most) throw new Error('it goes on for ever');
          return member.apply(target, args);
        };
      },
    });
    const log = createMemoryLog({ now: () => NOW });
    const ports = { log, identities: counting, now: () => NOW, pause: async () => {}, random: () => 0 };
    const intake = new FeedIntake({ ...ports, ...(isSoleWriter ? {} : { owner: 'one' }) });
    const take = async (...messages: readonly object[]) => {
      const { outcomes } = await intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
      const rejected = outcomes.find(({ status }) => status === 'rejected');
      if (rejected) throw new Error(JSON.stringify(rejected));
      return outcomes.map(({ status }) => status);
    };
    const waiting = async () => (await identities.listQuarantined(10_000)).length;
    return { intake, take, waiting, claims };
  }

  it('retries each of many messages once that wait for a name which several teams have', async () => {
    const { intake, take, waiting, claims } = await given();
    await take(team('a', 'x1', 'Chiefs'), team('a', 'x2', 'Chiefs'), team('a', 'y', 'Bills'));
    const messages = Array.from({ length: MANY }, (_, n) => byMatch(n, 'Chiefs', 'Bills'));
    expect(new Set(await take(...messages))).toEqual(new Set(['quarantined']));
    // When a third team has the name, then they wait on, and the sender gets its answer.
    Object.assign(claims, { count: 0, most: 40 });
    expect(await take(team('a', 'x3', 'Chiefs'))).toEqual(['accepted']);
    expect(claims.count).toBeGreaterThan(3);
    expect(claims.count).toBeLessThan(10);
    expect(await waiting()).toBe(MANY);
    // And a start ends too.
    claims.count = 0;
    await intake.retryQuarantined();
    expect(claims.count).toBeLessThan(10);
  });

  it('releases what waits for things that a later batch of them makes known', async () => {
    const { take, waiting } = await given();
    const sources = Array.from({ length: MANY }, (_, n) => `source-${n}`);
    const bySides = sources.map((source, n) => ({ ...byMatch(n, 'Chiefs', 'Bills'), source, ref: 'own' }));
    const byRef = sources.map((source, n) => ({ ...byMatch(MANY + n, '', ''), match: undefined, source, ref: 'own' }));
    expect(new Set(await take(...byRef, ...bySides))).toEqual(new Set(['quarantined']));
    const participants = [
      { role: 'home', name: 'Chiefs' },
      { role: 'away', name: 'Bills' },
    ];
    const schedule = {
      ...{ kind: 'schedule', source: 'a', at: '2026-09-01T00:00:00Z', sport: 'nfl', league: 'nfl', ref: 'a-1' },
      ...{ starts_at: '2026-09-10T18:00:00Z', participants },
    };
    expect(await take(schedule)).toEqual(['accepted']);
    expect(await waiting()).toBe(0);
  });
});
