import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import { DAY, MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import type { CommitListener } from '../../../src/event-log/port/event-log.ts';
import type { CountedTrackRecord } from '../../../src/forecasting/track-record/count-track-record.ts';
import {
  createTrackRecordService,
  type StoredTrackRecord,
  type TrackRecordService,
} from '../../../src/forecasting/track-record/track-record-service.ts';
import { isPublishedAt } from '../../../src/intelligence/evaluation/publication-rule.ts';
import { createTimers } from '../../api/streams/timers.ts';

const MIDNIGHT = Date.UTC(2026, 2, 1);
const NONE = { rows: [], publications: [], months: [], blends: { turns: [], version: '' } };

let world: ReturnType<typeof newWorld>;
let keeper: TrackRecordService;
beforeEach(() => {
  world = newWorld();
  keeper = world.open();
});
afterEach(() => keeper.close());

/** A log that announces appends, a count whose duration the test sets, and a clock that the test moves. */
function newWorld() {
  const timers = createTimers();
  const clock = { time: MIDNIGHT + 12 * 60 * MINUTE };
  const state = { head: 5n, kept: undefined as StoredTrackRecord | undefined, takes: 0, fails: false, hangs: false };
  const counts: number[] = [];
  const errors: unknown[] = [];
  let listener: CommitListener = () => {};
  const count = async (until: number, signal: AbortSignal): Promise<CountedTrackRecord> => {
    counts.push(until);
    timers.advance(state.takes);
    await setImmediate();
    if (state.hangs) await once(signal, 'abort');
    signal.throwIfAborted();
    if (state.fails) throw new Error('the log cannot be read');
    const h2h = { ...NONE, rows: [{ season: counts.length } as never], publications: [MIDNIGHT - DAY] };
    const ofSport = { h2h, spreads: NONE, totals: NONE };
    return { until, position: String(state.head), sports: { nfl: ofSport } as never };
  };
  const open = (basis = () => 'one') =>
    createTrackRecordService({
      basisAt: basis,
      count,
      now: () => clock.time,
      pace: timers,
      onError: (error) => void errors.push(error),
      log: {
        head: async () => toPosition(state.head),
        onCommitted(listen) {
          listener = listen;
          return () => {};
        },
      },
      store: {
        read: async () => state.kept,
        async write(kept) {
          state.kept = kept;
        },
      },
    });
  return {
    timers,
    clock,
    state,
    counts,
    errors,
    open,
    commit(stream: string, at: string) {
      state.head += 1n;
      listener([{ stream, data: { at } } as never], toPosition(state.head - 1n));
    },
    async pass(milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += SECOND) {
        timers.advance(SECOND);
        for (let turn = 0; turn < 4; turn++) await setImmediate();
      }
    },
  };
}

const YESTERDAY = '2026-02-28T20:00:00Z';

describe('the track record service', () => {
  it('counts soon after the start, and then not again while nothing arrives', async () => {
    await keeper.start();
    await world.pass(10 * MINUTE);
    expect(world.counts).toEqual([MIDNIGHT]);
  });

  it('counts on request, once for all waiting callers', async () => {
    const both = await Promise.all([keeper.rows('nfl', 'h2h'), keeper.rows('nfl', 'h2h')]);
    expect(both).toEqual([[{ season: 1 }], [{ season: 1 }]]);
    expect(await keeper.rows('chess', 'h2h')).toEqual([]);
    expect(world.counts).toHaveLength(1);
  });

  it('counts anew at midnight', async () => {
    await keeper.start();
    await world.pass(MINUTE);
    world.clock.time = MIDNIGHT + DAY;
    await world.pass(MINUTE);
    expect(world.counts).toEqual([MIDNIGHT, MIDNIGHT + DAY]);
  });

  it('counts late facts of past games once, when no more of them arrive', async () => {
    await keeper.start();
    await world.pass(MINUTE);
    for (let i = 0; i < 60; i++) {
      world.commit('event-1', YESTERDAY);
      await world.pass(2 * SECOND);
      expect(world.counts).toHaveLength(1);
    }
    await world.pass(MINUTE);
    expect(world.counts).toHaveLength(2);
    await world.pass(10 * MINUTE);
    expect(world.counts).toHaveLength(2);
  });

  it.each([
    ['odds-1', '2026-03-01T00:00:00Z', 1],
    ['account-1', YESTERDAY, 1],
    ['injuries-1', YESTERDAY, 1],
    ['odds-1', YESTERDAY, 2],
    ['player-1', YESTERDAY, 2],
  ])('a fact of %s at %s: %i counts', async (stream, at, counts) => {
    await keeper.start();
    await world.pass(MINUTE);
    world.commit(stream, at);
    await world.pass(2 * MINUTE);
    expect(world.counts).toHaveLength(counts);
  });

  it('counts again when weights that it rests on have come, once they are all there', async () => {
    await keeper.close();
    let weights = 'first';
    keeper = world.open(() => weights);
    await keeper.start();
    await world.pass(MINUTE);
    for (let month = 0; month < 30; month++) {
      weights = `month ${month}`;
      await world.pass(5 * SECOND);
      expect(world.counts).toHaveLength(1);
    }
    await world.pass(10 * MINUTE);
    expect([world.counts.length, world.state.kept?.basis]).toEqual([2, 'month 29']);
  });

  it('pauses four times as long as a count took', async () => {
    world.state.takes = 5 * MINUTE;
    await keeper.start();
    await world.pass(MINUTE);
    world.commit('event-1', YESTERDAY);
    await world.pass(19 * MINUTE);
    expect(world.counts).toHaveLength(1);
    world.state.takes = 0;
    await world.pass(3 * MINUTE);
    expect(world.counts).toHaveLength(2);
  });

  it('answers after a restart from the stored count, and counts only if the log has grown', async () => {
    await keeper.rows('nfl', 'h2h');
    const second = world.open();
    expect(await second.rows('nfl', 'h2h')).toEqual([{ season: 1 }]);
    await second.start();
    await world.pass(MINUTE);
    expect(world.counts).toHaveLength(1);
    await second.close();
    world.state.head += 1n;
    const third = world.open();
    await third.start();
    await world.pass(MINUTE);
    expect(world.counts).toHaveLength(2);
    expect(await third.rows('nfl', 'h2h')).toEqual([{ season: 2 }]);
    await third.close();
  });

  it('ignores a stored count of other models, of a longer log, and of a future day', async () => {
    await keeper.rows('nfl', 'h2h');
    const changes = [
      () => world.open(() => 'other'),
      () => {
        world.state.head -= 2n;
        return world.open();
      },
      () => {
        world.clock.time -= DAY;
        return world.open();
      },
    ];
    for (const [index, change] of changes.entries()) {
      const other = change();
      expect(await other.rows('nfl', 'h2h')).toEqual([{ season: index + 2 }]);
      await other.close();
    }
  });

  it('publishes nothing before the first count, and then by the moment', async () => {
    const at = (moment: number) => [
      isPublishedAt(keeper.publicationsOf('nfl').h2h, moment),
      keeper.reliabilityOf('nfl', moment),
    ];
    expect(at(MIDNIGHT)).toEqual([false, 'emerging']);
    await keeper.rows('nfl', 'h2h');
    expect(at(MIDNIGHT)).toEqual([true, 'established']);
    expect(at(MIDNIGHT - 2 * DAY)).toEqual([false, 'emerging']);
    const again = world.open();
    await again.start();
    expect(isPublishedAt(again.publicationsOf('nfl').h2h, MIDNIGHT)).toBe(true);
    await again.close();
    expect(isPublishedAt(keeper.publicationsOf('nfl').spreads, MIDNIGHT)).toBe(false);
    expect(keeper.reliabilityOf('chess', MIDNIGHT)).toBe('emerging');
  });

  it('lets no caller wait for ever for the first count', async () => {
    world.state.hangs = true;
    const refused = expect(keeper.rows('nfl', 'h2h')).rejects.toMatchObject({ code: 'unavailable', retryAfter: 30 });
    await world.pass(11 * SECOND);
    await refused;
    await keeper.close();
    expect([world.counts.length, world.errors]).toEqual([1, []]);
  });

  it('reports that there is none if the first count has failed', async () => {
    world.state.fails = true;
    await expect(keeper.rows('nfl', 'h2h')).rejects.toMatchObject({ code: 'unavailable' });
    expect(world.errors).toHaveLength(1);
  });

  it('tries again some time after a failure, and answers with the former count meanwhile', async () => {
    await keeper.start();
    await world.pass(MINUTE);
    world.state.fails = true;
    world.commit('event-1', YESTERDAY);
    await world.pass(9 * MINUTE);
    expect([world.counts.length, world.errors.length]).toEqual([2, 1]);
    expect(await keeper.rows('nfl', 'h2h')).toEqual([{ season: 1 }]);
    world.state.fails = false;
    await world.pass(3 * MINUTE);
    expect(await keeper.rows('nfl', 'h2h')).toEqual([{ season: 3 }]);
  });
});
