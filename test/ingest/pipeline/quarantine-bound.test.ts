import { afterEach, expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { SqlIdentities } from '../../../src/ingest/identities/sql/sql-identities.ts';
import { FeedIntake } from '../../../src/ingest/pipeline/feed-intake.ts';
import type { QuarantineBound } from '../../../src/ingest/pipeline/quarantine-bound.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry, type RegistryDatabase } from '../../../src/server/composition/registry.ts';

const NOW = Date.parse('2026-09-11T00:00:00Z');
const AT = '2026-09-10T19:00:00Z';
const GIB = 1024 ** 3;

let registry: RegistryDatabase;
afterEach(() => registry.destroy());

async function opened(quarantine: QuarantineBound) {
  registry ??= await openRegistry(openSqliteDatabase({ file: ':memory:', synchronous: 'normal' }));
  const identities = await SqlIdentities.open(registry);
  const log = createMemoryLog({ now: () => NOW });
  const intake = new FeedIntake({
    log,
    identities,
    quarantine,
    now: () => NOW,
    pause: async () => {},
    random: () => 0,
  });
  const take = async (messages: readonly object[]) =>
    (await intake.accept(messages.map((value, index) => ({ line: index + 1, value })))).outcomes;
  return { identities, take };
}

const scores = (from: number, to: number, text = '') =>
  Array.from({ length: to - from }, (_, n) => ({
    kind: 'score',
    source: 'a',
    at: AT,
    ref: `game-${from + n}${text}`,
    status: 'inprogress',
  }));
const schedule = (ref: string, starts_at = '2026-09-10T18:00:00Z') => ({
  kind: 'schedule',
  source: 'a',
  at: AT,
  ref,
  sport: 'nfl',
  league: 'nfl',
  starts_at,
  participants: [
    { role: 'home', name: 'Buffalo Bills' },
    { role: 'away', name: 'Miami Dolphins' },
  ],
});
const statuses = (outcomes: readonly { readonly status: string }[]) => outcomes.map(({ status }) => status);

it('given a full quarantine, then a message is refused with what to do, and none that was acknowledged is lost', async () => {
  registry = await openRegistry(openSqliteDatabase({ file: ':memory:', synchronous: 'normal' }));
  const { identities, take } = await opened({ maxMessages: 3, maxBytes: GIB });

  // One batch, and one after it.
  const outcomes = [...(await take(scores(0, 5))), ...(await take(scores(5, 6)))];

  expect(statuses(outcomes)).toEqual([...Array(3).fill('quarantined'), ...Array(3).fill('rejected')]);
  expect(outcomes[5]).toMatchObject({
    code: 'quarantine_full',
    message: expect.stringContaining('Send what it waits for, then send this message again.'),
  });
  expect(await identities.quarantineSize()).toMatchObject({ messages: 3 });
  // A message that is there already is known, and what has a game needs no place.
  expect(statuses(await take(scores(0, 1)))).toEqual(['unchanged']);

  // What waited comes out, and the place is free again.
  expect(statuses(await take([schedule('game-0')]))).toEqual(['accepted']);
  expect(await identities.quarantineSize()).toMatchObject({ messages: 2 });
  expect(statuses(await take([schedule('game-9', '2026-12-10T18:00:00Z'), ...scores(4, 6)]))).toEqual([
    'accepted',
    'quarantined',
    'rejected',
  ]);
});

it('given as many bytes as it may hold, then the next message is refused, after a restart too', async () => {
  registry = await openRegistry(openSqliteDatabase({ file: ':memory:', synchronous: 'normal' }));
  const bound = { maxMessages: 1000, maxBytes: 3000 };
  const first = await opened(bound);
  const outcomes = statuses(await first.take(scores(0, 20, 'x'.repeat(100))));
  const kept = outcomes.filter((one) => one === 'quarantined').length;
  expect([kept > 5, kept < 20]).toEqual([true, true]);

  const { identities, take } = await opened(bound);
  const { messages, bytes } = await identities.quarantineSize();
  expect(messages).toBe(kept);
  expect([bytes > 2500, bytes <= 3000]).toEqual([true, true]);
  expect(statuses(await take(scores(50, 52, 'x'.repeat(100))))).toEqual(['rejected', 'rejected']);
});

it('given a folder of a version that did not store the bytes, then they are estimated at the start', async () => {
  registry = await openRegistry(openSqliteDatabase({ file: ':memory:', synchronous: 'normal' }));
  const { identities, take } = await opened({ maxMessages: 1000, maxBytes: GIB });
  await take(scores(0, 10));
  const { bytes } = await identities.quarantineSize();
  await registry.schema.alterTable('quarantine_counts').dropColumn('bytes').execute();

  const again = await SqlIdentities.open(registry);
  const estimated = await again.quarantineSize();
  expect(estimated.messages).toBe(10);
  expect(Math.abs(estimated.bytes - bytes)).toBeLessThan(20);
});
