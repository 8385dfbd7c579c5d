import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/domain/event-sourcing/record.ts';
import { CHANGE_TYPES, describeDeliveryCosts, WEBHOOK_EVENT_TYPES } from '../../src/domain/webhook-types.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import type { ChangeMapper } from '../../src/read-models/change-feed/change-mapper.ts';
import {
  CHANGE_MAPPERS,
  createRecordMapper,
  SUBSCRIPTION_MAPPERS,
} from '../../src/read-models/change-feed/record-mapper.ts';
import { createMemoryStore } from '../../src/read-models/store/memory-store.ts';
import { T0 } from './dispatching/dispatcher-harness.ts';

const at = new Date(T0).toISOString();

/** Tells of each record, so many times. */
const teller = (
  eventType: ChangeMapper['changeTypes'][number],
  recordTypes: readonly string[],
  count: number,
): ChangeMapper => ({
  changeTypes: [eventType],
  recordTypes,
  create: () => async (record) =>
    Array.from({ length: count }, (_, index) => {
      const base = { eventType, eventId: 1, sport: 'nba', league: 'nba', data: {}, observedAt: at, at };
      return { ...base, position: record.position, index };
    }),
});

const record = (type: string, position: bigint): LogRecord =>
  ({ type, position, stream: 's', revision: 0, version: 1, data: { at }, meta: {}, recordedAt: at }) as never;

describe('the types that a subscription can be told of', () => {
  it('have one teller each', () => {
    const told = CHANGE_MAPPERS.flatMap(({ changeTypes }) => changeTypes);
    expect(told.sort()).toEqual([...CHANGE_TYPES].sort());
    // A moment of a game without a new score is a `score` too.
    const toSubscriptions = new Set(SUBSCRIPTION_MAPPERS.flatMap(({ changeTypes }) => changeTypes));
    expect([...toSubscriptions].sort()).toEqual([...WEBHOOK_EVENT_TYPES].sort());
  });

  it('have their prices told in words', () => {
    expect(describeDeliveryCosts()).toBe('Deliveries of `injury` cost 0.5 credits each, the others nothing.');
    expect(describeDeliveryCosts({ a: { credits: 1 }, b: { credits: 0 }, c: { credits: 2 } })).toBe(
      'Deliveries of `a` cost 1 credits each, of `c` cost 2 credits each, the others nothing.',
    );
    expect(describeDeliveryCosts({ a: { credits: 0 } })).toBe('Deliveries cost nothing.');
  });
});

describe('several tellers', () => {
  it('tell of one record in the order of their list, each message by a name of its own', async () => {
    const mappers = [teller('score', ['A'], 2), teller('line_move', ['B'], 1), teller('injury', ['A', 'B'], 2)];
    const log = createMemoryLog({ now: () => T0 });
    const toldOf = createRecordMapper({ log, store: createMemoryStore(), mappers });
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
