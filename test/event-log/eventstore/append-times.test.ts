import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { type Position, toPosition } from '../../../src/domain/event-sourcing/position.ts';
import { createAppendTimes } from '../../../src/event-log/eventstore/append-times.ts';

const eventAt = (position: Position) =>
  ({ position: { commit: position, prepare: position } }) as unknown as AllStreamRecordedEvent;

function world() {
  const reads: { readonly what: string; answer(): void }[] = [];
  const seen: Position[] = [];
  const timers: (() => void)[] = [];
  const answering = <T>(what: string, value: T): Promise<T> =>
    new Promise((resolve) => reads.push({ what, answer: () => resolve(value) }));
  const times = createAppendTimes({
    reader: {
      readSomeEvents: (_direction, _start, max) => answering(`last ${max}`, [eventAt(toPosition(1n))]),
      readEventAt: (position) => answering(`at ${position}`, eventAt(position)),
    },
    onEvent: ({ position }) => seen.push(toPosition(position!.commit)),
    isFollowing: () => false,
    elapsed: () => 0,
    setTimer: (callback) => {
      timers.push(callback);
      return () => {};
    },
  });
  times.noteSeenUpTo(toPosition(0n));
  function gathered(): void {
    for (const callback of timers.splice(0)) callback();
  }
  return { times, reads, seen, gathered };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the times of appends', () => {
  it('are read for all appends of a moment at once', async () => {
    const { times, reads, gathered } = world();
    for (let i = 1; i <= 5; i++) times.noteAppended(`event-${i}`, toPosition(BigInt(i * 100)), 1);
    gathered();
    expect(reads.map(({ what }) => what)).toEqual(['last 13']);
  });

  it('of large appends cost one event each, not all that was appended', async () => {
    const { times, reads, seen } = world();
    times.noteAppended('event-1', toPosition(100n), 500);
    times.noteAppended('event-2', toPosition(200n), 500);
    const known = times.waitUntilKnown('event-1');
    expect(reads.map(({ what }) => what)).toEqual(['at 100', 'at 200']);
    for (const { answer } of reads) answer();
    await known;
    expect(seen).toEqual([100n, 200n]);
  });

  it('are waited for when another append has begun the poll that seeks them', async () => {
    const { times, reads, seen } = world();
    times.noteAppended('event-1', toPosition(100n), 500);
    const first = times.waitUntilKnown('event-1');
    // These come while the first poll is under way. The next one seeks both.
    times.noteAppended('event-2', toPosition(200n), 500);
    times.noteAppended('event-3', toPosition(300n), 500);
    const second = times.waitUntilKnown('event-2');
    let isThirdKnown = false;
    const third = times.waitUntilKnown('event-3').then(() => {
      isThirdKnown = true;
    });
    reads.shift()!.answer();
    await first;
    await settle();
    expect(reads.map(({ what }) => what)).toEqual(['at 200', 'at 300']);
    expect(isThirdKnown).toBe(false);
    for (const { answer } of reads) answer();
    await Promise.all([second, third]);
    expect(seen).toEqual([100n, 200n, 300n]);
  });
});
