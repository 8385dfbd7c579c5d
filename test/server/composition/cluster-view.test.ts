import { describe, expect, it, onTestFinished } from 'vitest';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import type { PartitionPositions, Position } from '../../../src/domain/event-sourcing/position.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createClusterView, FEED_PARTITIONS, feedPartitionOf } from '../../../src/server/cluster/cluster-view.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { crossing } from '../../read-models/projector/partitioned/partitioned-harness.ts';
import { tallies } from '../../read-models/toys.ts';

const TOYS = [tallies(), crossing()];

/** Projectors that project when they are told to, behind a broker that can be taken away. */
function viewed() {
  const timers = createTimers();
  const log = createMemoryLog();
  const state = { isAway: false, isKnown: true };
  const ends = new Map<string, Position | null>([...FEED_PARTITIONS].map((name) => [name, null]));
  let places: ReadonlyMap<string, PartitionPositions> = new Map();

  const feed = {
    async endPositions() {
      if (state.isAway) throw new UnavailableError('the broker is away');
      for (const { meta, position } of await log.readAll(null, 1000))
        ends.set(feedPartitionOf(meta.partition), position);
      return new Map(ends);
    },
  };
  const view = createClusterView({
    projections: TOYS,
    log,
    feed,
    checkpointsOf: async () => places,
    isFeedAway: () => state.isAway && state.isKnown,
    now: timers.now,
    setTimer: timers.setTimer,
  });
  onTestFinished(view.close);
  view.startLooking();

  async function tell(key: number) {
    const event = { type: 'Counted', version: 1, data: { key, amount: 1 }, meta: { partition: `toy-${key}` } };
    await log.append(`toys-${key}`, [event], 'any');
  }
  /** Projects what stands in the log. */
  async function project() {
    const own = new Map<string, bigint>();
    for (const { meta, position } of await log.readAll(null, 1000)) own.set(feedPartitionOf(meta.partition), position);
    const head = await log.head();
    places = new Map([
      ['tallies', own],
      ['grouped', new Map(head === null ? [] : [[ONE_PARTITION, head]])],
    ]);
  }
  async function pass(seconds: number) {
    for (let passed = 0; passed < seconds; passed++) {
      await settled();
      timers.advance(1000);
    }
    await settled();
  }
  return { state, view, timers, tell, project, pass };
}

const settled = async () => {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
};

describe('how old the documents of a cluster are', () => {
  it('is told once what stands in the log has been missing for more than five seconds', async () => {
    const { view, tell, project, pass } = viewed();
    await tell(1);
    await project();
    await pass(60);
    expect(view.staleSeconds()).toBeUndefined();

    await tell(2);
    await pass(5);
    expect(view.staleSeconds()).toBeUndefined();
    await pass(3);
    expect(view.staleSeconds()).toBe(7);
    await pass(100);
    expect(view.staleSeconds()).toBe(107);

    await project();
    await pass(1);
    expect(view.staleSeconds()).toBeUndefined();
  });

  it.each([
    ['is known to be away', true],
    ['refuses', false],
  ])('is told while the broker %s, by what the log alone holds', async (_, isKnown) => {
    const { view, state, tell, project, pass } = viewed();
    await tell(1);
    await project();
    await pass(2);
    Object.assign(state, { isAway: true, isKnown });
    await pass(60);
    // Nothing was appended meanwhile: what can be read is the newest.
    expect(view.staleSeconds()).toBeUndefined();

    await tell(1);
    await pass(10);
    expect(view.staleSeconds()).toBe(9);
    expect(view.status()).toMatchObject([
      { name: 'tallies', lag_events: 1 },
      { name: 'grouped', lag_events: 1 },
    ]);

    state.isAway = false;
    await tell(2);
    await project();
    await pass(1);
    expect(view.staleSeconds()).toBeUndefined();
  });
});

describe('who waits for what a request recorded', () => {
  it('is told at once where the broker is away, and soon where it goes away meanwhile', async () => {
    const { view, state, timers, tell } = viewed();
    await tell(1);
    const waiting = view.projectedSoon();
    const told = expect(waiting).rejects.toThrow('Nothing is projected now.');
    await settled();
    state.isAway = true;
    timers.advance(250);
    await told;

    const before = timers.size;
    await expect(view.projectedSoon()).rejects.toThrow(UnavailableError);
    expect(timers.size).toBe(before);
  });

  it('goes on when it is projected', async () => {
    const { view, timers, tell, project } = viewed();
    await tell(1);
    const waiting = view.projectedSoon();
    await settled();
    await project();
    timers.advance(100);
    await waiting;
  });
});
