import { expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { withQuarantineWarnings } from '../../../src/ingest/intake/intake-monitoring.ts';
import { FeedIntake } from '../../../src/ingest/pipeline/feed-intake.ts';
import { createMemoryIdentities } from '../identities/memory-identities.ts';

const NOW = Date.parse('2026-09-11T00:00:00Z');
const about = { sport: 'nfl', league: 'nfl' };

/** A server's intake, started on what an earlier one has left. */
async function opened(registry: ReturnType<typeof createMemoryIdentities>) {
  const identities = registry.open();
  const log = createMemoryLog({ now: () => NOW });
  const warned: Record<string, unknown>[] = [];
  const inner = new FeedIntake({ log, identities, now: () => NOW, pause: async () => {}, random: () => 0 });
  const intake = await withQuarantineWarnings(inner, identities, (fields) => warned.push({ ...fields }));
  const take = async (messages: readonly object[]) => {
    await intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
    return warned.splice(0);
  };
  return { take };
}

const scores = (source: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => ({
    kind: 'score',
    source,
    at: '2026-09-10T19:00:00Z',
    ref: `game-${from + n}`,
    status: 'inprogress',
  }));
const injury = { kind: 'injury', source: 'a', at: '2026-09-10T19:00:00Z', ...about, player: 'X', status: 'out' };

it('warns at the first message of a source and reason, and at each tenfold number', async () => {
  const registry = createMemoryIdentities();
  const { take } = await opened(registry);
  const byRef = (source: string, messages: number) => ({ source, waits_for: 'an event by its ref', messages });
  expect(await take(scores('a', 0, 1))).toEqual([byRef('a', 1)]);
  expect(await take(scores('a', 1, 9))).toEqual([]);
  expect(await take(scores('a', 9, 11))).toEqual([byRef('a', 11)]);
  expect(await take(scores('b', 0, 2))).toEqual([byRef('b', 2)]);
  expect(await take([{ ...injury, team: 'Chiefs' }])).toEqual([
    { source: 'a', waits_for: 'a team of nfl by name', messages: 1 },
  ]);
  expect(await take(scores('a', 11, 1200))).toEqual([byRef('a', 1200)]);

  const next = await opened(registry);
  expect(await next.take(scores('a', 1200, 1300))).toEqual([]);
  expect(await next.take(scores('c', 0, 1))).toEqual([byRef('c', 1)]);
});
