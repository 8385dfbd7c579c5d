import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/domain/record.ts';
import { WEBHOOK_EVENT_TYPES, webhookPricesInWords } from '../../src/domain/webhook-types.ts';
import { createMemoryLog } from '../../src/event-log/memory-log.ts';
import type { Teller } from '../../src/read-models/changes/teller.ts';
import { createToldOf, TELLERS } from '../../src/read-models/changes/told-of.ts';
import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import { T0 } from './dispatching.ts';

const at = new Date(T0).toISOString();

/** Tells of each record, so many times. */
const teller = (eventType: Teller['tells'][number], recordTypes: readonly string[], count: number): Teller => ({
  tells: [eventType],
  recordTypes,
  open: () => async (record) =>
    Array.from({ length: count }, (_, index) => {
      const base = { eventType, eventId: 1, sport: 'nba', league: 'nba', data: {}, observedAt: at, at };
      return { ...base, position: record.position, index };
    }),
});

const record = (type: string, position: bigint): LogRecord =>
  ({ type, position, stream: 's', revision: 0, version: 1, data: { at }, meta: {}, recordedAt: at }) as never;

describe('the types that a subscription can be told of', () => {
  it('have one teller each', () => {
    const told = TELLERS.flatMap(({ tells }) => tells);
    expect(told.sort()).toEqual([...WEBHOOK_EVENT_TYPES].sort());
  });

  it('have their prices told in words', () => {
    expect(webhookPricesInWords()).toBe('Deliveries of `injury` cost 0.5 credits each, the others nothing.');
    expect(webhookPricesInWords({ a: { credits: 1 }, b: { credits: 0 }, c: { credits: 2 } })).toBe(
      'Deliveries of `a` cost 1 credits each, of `c` cost 2 credits each, the others nothing.',
    );
    expect(webhookPricesInWords({ a: { credits: 0 } })).toBe('Deliveries cost nothing.');
  });
});

describe('several tellers', () => {
  it('tell of one record in the order of their list, each message by a name of its own', async () => {
    const tellers = [teller('score', ['A'], 2), teller('line_move', ['B'], 1), teller('injury', ['A', 'B'], 2)];
    const log = createMemoryLog({ now: () => T0 });
    const toldOf = createToldOf({ log, store: createMemoryStore(), tellers });
    const told = await toldOf([record('A', 1n), record('B', 2n), record('C', 3n)], () => true);
    expect(told.map(({ eventType, position, index }) => [eventType, position, index])).toEqual([
      ['score', 1n, 0],
      ['score', 1n, 1],
      ['injury', 1n, 10_000],
      ['injury', 1n, 10_001],
      ['line_move', 2n, 0],
      ['injury', 2n, 10_000],
      ['injury', 2n, 10_001],
    ]);
  });
});
