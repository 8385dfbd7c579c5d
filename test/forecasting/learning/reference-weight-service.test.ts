import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, formatTime, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import type { RecordFeedMessage } from '../../../src/event-log/subscription/record-feed.ts';
import {
  createReferenceWeightService,
  type ReferenceWeightService,
} from '../../../src/forecasting/learning/reference-weight-service.ts';
import { createTimers } from '../../api/streams/timers.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

let world: ReturnType<typeof newWorld>;
beforeEach(() => {
  world = newWorld();
});
afterEach(() => world.service.close());

/** A learner that says what it is told to, and a feed that brings what the test puts into it. */
function newWorld() {
  const timers = createTimers();
  const start = NOON;
  const now = () => start + timers.now();
  const state = {
    isDone: true,
    wholeAt: undefined as number | undefined,
    learnt: [] as string[],
    refreshed: 0,
    told: 0,
    came: undefined as 'late' | 'due' | undefined,
  };
  let bring = (_: RecordFeedMessage | undefined): void => {};
  const service: ReferenceWeightService = createReferenceWeightService({
    learnt: { refresh: async () => void state.refreshed++, notifyChanges: () => void state.told++ },
    learner: {
      async learnDue(at) {
        state.learnt.push(formatTime(at));
        const { wholeAt } = state;
        state.wholeAt = undefined;
        if (wholeAt !== undefined) return { wholeAt };
        return state.isDone ? 'done' : 'again';
      },
      noteResult: () => state.came,
    },
    feed: {
      endPositions: async () => new Map(),
      subscribe({ signal }: { signal?: AbortSignal } = {} as never) {
        signal?.addEventListener('abort', () => bring(undefined), { once: true });
        const next = () =>
          new Promise<IteratorResult<RecordFeedMessage, undefined>>((resolve) => {
            bring = (value) => resolve(value ? { value, done: false } : { value: undefined, done: true });
          });
        return {
          next,
          return: async () => ({ value: undefined, done: true as const }),
          [Symbol.asyncIterator]() {
            return this;
          },
        };
      },
    },
    gate: { isOpen: true },
    now,
    setTimer: timers.setTimer,
    onError: (error) => expect.fail(String(error)),
  });
  const settle = async () => {
    for (let turn = 0; turn < 6; turn++) await setImmediate();
  };
  return {
    ...{ service, state, timers },
    async begin() {
      service.start(true);
      await settle();
    },
    async pass(milliseconds: number) {
      timers.advance(milliseconds);
      await settle();
    },
    async bring(type: string) {
      const data = { sport: 'nba', at: '2025-01-01T00:00:00Z', content: { status: 'final' } };
      bring({ kind: 'records', partition: '', position: 1n, records: [{ type, data, meta: {} }] } as never);
      await settle();
    },
  };
}

it('looks when it starts, and again when the next month is due, with no look but one a day between', async () => {
  await world.begin();
  for (let hours = 0; hours < 31 * 24; hours++) await world.pass(HOUR);
  expect(world.state.learnt).toHaveLength(32);
  expect(world.state.learnt.at(-1)).toBe('2026-04-01T12:00:00Z');
});

it('given a month that comes in while it is due, then it looks again when it may be whole', async () => {
  world.state.wholeAt = NOON + 7 * MINUTE;
  await world.begin();
  for (let minutes = 0; minutes < 30; minutes++) await world.pass(MINUTE);
  expect(world.state.learnt.map((at) => at.slice(14, 16))).toEqual(['00', '07']);
});

it('tries again what was not done, after a longer wait each time', async () => {
  world.state.isDone = false;
  await world.begin();
  for (let minutes = 0; minutes < 8; minutes++) await world.pass(MINUTE);
  expect(world.state.learnt.map((at) => at.slice(14, 16))).toEqual(['00', '01', '03', '07']);
  world.state.isDone = true;
  for (let minutes = 0; minutes < 60; minutes++) await world.pass(MINUTE);
  expect(world.state.learnt.map((at) => at.slice(14, 16))).toEqual(['00', '01', '03', '07', '15']);
});

it('given a history that is being imported, then it learns from it when no result has come for ten minutes', async () => {
  await world.begin();
  world.state.came = 'due';
  for (let minutes = 0; minutes < 30; minutes++) {
    await world.bring('ScoreChanged');
    await world.pass(MINUTE);
  }
  expect(world.state.learnt).toHaveLength(1);
  // What happens today does not keep it waiting.
  world.state.came = undefined;
  for (let minutes = 0; minutes < 10; minutes++) {
    await world.bring('ScoreChanged');
    await world.pass(MINUTE);
  }
  expect(world.state.learnt).toHaveLength(2);
});

it('given weights that another process has learnt, when the feed tells of them, then they are read and told of at once', async () => {
  await world.begin();
  const { refreshed, told } = world.state;
  await world.bring('ReferenceWeightsLearnt');
  expect([world.state.refreshed - refreshed, world.state.told - told, world.state.learnt]).toEqual([
    ...[1, 1, ['2026-03-01T12:00:00Z']],
  ]);
  await world.pass(DAY);
  expect(world.state.learnt).toHaveLength(2);
});
