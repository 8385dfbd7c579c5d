import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { createScoreHub, type ScoreHub } from '../../../src/api/streams/score-hub.ts';
import type { ScoreFrame } from '../../../src/api/streams/watched-event.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { readAllInPages } from '../../../src/event-log/storage/read-all-in-pages.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import { renderScoreSnapshot } from '../../../src/read-models/rendering/render-event.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { append, createProjector, described, injuriesChecked, reconfirmed, scheduled, score } from './match.ts';
import { createTimers } from './timers.ts';

let memory: EventLog;
let store: ReturnType<typeof createMemoryStore>;
let projector: ReturnType<typeof createProjector>;
let hub: ScoreHub;
let errors: unknown[];
let rendered: number[];
/** The document that was shown last. */
let shown: EventDocument | undefined;
const timers = createTimers();

function hubOn(log: EventLog): ScoreHub {
  return createScoreHub({
    log,
    feed: createLogFeed(log),
    store,
    setTimer: timers.setTimer,
    onError: (error) => errors.push(error),
    render: (document) => {
      rendered.push(document.id);
      shown = structuredClone(document);
      if (document.event.period === 'broken') throw new Error('cannot be shown');
      return renderScoreSnapshot(document);
    },
  });
}

beforeEach(async () => {
  memory = createMemoryLog();
  store = createMemoryStore();
  projector = createProjector(memory, store);
  await projector.prepare();
  errors = [];
  rendered = [];
  hub = hubOn(memory);
});
afterEach(() => hub.close());

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const contentOf = ({ bytes }: ScoreFrame) => {
  const text = bytes.toString();
  const data = JSON.parse(/data: (.*)/.exec(text)![1]!);
  return { id: /id: (.*)/.exec(text)![1]!, data, points: data.scores.map((one: any) => one.score).join('-') };
};

/** A reader that can be waited for. */
async function join(eventId: number) {
  const held = (await hub.subscribe(eventId))!;
  const frames: ScoreFrame[] = [];
  const waiting: (() => void)[] = [];
  let failed = false;
  const first = held.join({
    changed(frame) {
      frames.push(frame);
      for (const wake of waiting.splice(0)) wake();
    },
    failed() {
      failed = true;
      for (const wake of waiting.splice(0)) wake();
    },
  });
  return {
    held,
    first,
    frames,
    failed: () => failed,
    async until(count: number) {
      while (frames.length < count && !failed) await new Promise<void>((resolve) => waiting.push(resolve));
      return frames;
    },
  };
}

describe('opening', () => {
  it('reads the stored document, and what it lacks from the log', async () => {
    await append(memory, scheduled(1), score(1, [1, 0]));
    await projector.project(1);
    const { first } = await join(1);
    expect(contentOf(first)).toMatchObject({ points: '1-0', id: '00000000000000000002' });
  });

  it('needs no projector at all', async () => {
    await append(memory, scheduled(1), score(1, [1, 0]));
    expect(contentOf((await join(1)).first).points).toBe('1-0');
  });

  it('does not apply twice what the stored document already reflects', async () => {
    await append(memory, scheduled(1), score(1, [1, 0]));
    await projector.project();
    const { first, until } = await join(1);
    expect(contentOf(first).points).toBe('1-0');
    expect(rendered).toEqual([1]);
    await append(memory, score(1, [2, 0]));
    expect(contentOf((await until(1))[0]!).points).toBe('2-0');
    expect(rendered).toEqual([1, 1]);
  });

  it('applies no record twice', async () => {
    await append(memory, scheduled(1), injuriesChecked(1), injuriesChecked(1));
    await projector.project(2);
    const { until } = await join(1);
    expect(shown!.checks).toHaveLength(2);
    await append(memory, injuriesChecked(1), score(1, [1, 0]));
    await until(1);
    expect(shown!.checks).toHaveLength(3);
  });

  it('misses no record that comes while the event is being read', async () => {
    await append(memory, scheduled(1));
    let onRead = async () => {};
    const readStream = memory.readStream;
    hub = hubOn({
      ...memory,
      async readStream(...args) {
        const records = await readStream(...args);
        await onRead();
        return records;
      },
    });
    await join(1);
    await append(memory, scheduled(2));
    // When the stream has been read, more is appended, and the subscription brings it before the read is answered.
    let points = 0;
    onRead = async () => {
      if (points < 2) await append(memory, score(2, [++points, 0]));
      await turn();
    };
    const { first, until } = await join(2);
    expect(contentOf(first).points).toBe('2-0');
    await append(memory, score(2, [3, 0]));
    expect(contentOf((await until(1))[0]!).points).toBe('3-0');
  });

  it('leaves a document that the store keeps as it is', async () => {
    await append(memory, scheduled(1), score(1, [1, 0]));
    await projector.project();
    const kept = await store.get<EventDocument>('events', '1');
    const before = structuredClone(kept);
    store = { ...store, get: async () => kept as any };
    hub = hubOn(memory);
    const { until } = await join(1);
    await append(memory, score(1, [2, 0]), injuriesChecked(1));
    await until(1);
    expect(kept).toEqual(before);
  });

  it('of an unknown event gives nothing, and leaves nothing watched', async () => {
    await append(memory, scheduled(1));
    expect(await hub.subscribe(2)).toBeUndefined();
    expect(await hub.subscribe(-3)).toBeUndefined();
    expect([hub.watchedEvents, hub.isFollowing]).toEqual([0, false]);
    await append(memory, scheduled(2));
    expect(await hub.subscribe(2)).toBeDefined();
  });

  it('reads again what did not exist yet for an earlier opening', async () => {
    let onRead = async () => {};
    const readStream = memory.readStream;
    hub = hubOn({
      ...memory,
      async readStream(...args) {
        const records = await readStream(...args);
        await onRead();
        return records;
      },
    });
    let second: Promise<unknown> | undefined;
    onRead = async () => {
      onRead = async () => {};
      await append(memory, reconfirmed(2), scheduled(1));
      second = hub.subscribe(1);
    };
    // Whether the first one finds it is left open: it asked before.
    await hub.subscribe(1);
    expect(await second).toBeDefined();
  });

  it('fails when the log does, and the next one tries again', async () => {
    await append(memory, scheduled(1));
    let down = true;
    const check = () => (down ? Promise.reject(new Error('down')) : undefined);
    const head = memory.head;
    const flaky = { ...memory, head: async () => (await check()) ?? head() };
    const own = hubOn(flaky);
    await expect(Promise.all([own.subscribe(1), own.subscribe(1)])).rejects.toThrow('down');
    await turn();
    expect([own.watchedEvents, own.isFollowing]).toEqual([0, false]);
    down = false;
    expect(await own.subscribe(1)).toBeDefined();
    await own.close();
  });

  it('goes on for those who follow an event when the opening of another one fails', async () => {
    let broken = false;
    hub = hubOn({
      ...memory,
      readStream: async (...args) => {
        if (broken) throw new Error('connection lost');
        return memory.readStream(...args);
      },
    });
    await append(memory, scheduled(1));
    const reader = await join(1);
    broken = true;
    await expect(hub.subscribe(1)).rejects.toThrow('connection lost');
    broken = false;
    await append(memory, score(1, [7, 3]));
    expect((await reader.until(1)).map((frame) => contentOf(frame).points)).toEqual(['7-3']);
    reader.held.release();
    expect([hub.watchedEvents, hub.isFollowing]).toEqual([0, false]);
  });

  it('loses nothing between the opening and the joining', async () => {
    await append(memory, scheduled(1));
    const held = (await hub.subscribe(1))!;
    const other = await join(1);
    await append(memory, score(1, [1, 0]));
    await other.until(1);
    const first = held.join({ changed() {}, failed() {} });
    expect(contentOf(first).points).toBe('1-0');
  });
});

describe('following', () => {
  it('reports changes of status, period, clock and scores, and nothing else', async () => {
    await append(memory, scheduled(1));
    const { until } = await join(1);
    await append(
      memory,
      reconfirmed(1),
      described(1, 'New name'),
      scheduled(1, ['Home', 'Away'], '2026-03-01T12:01:00Z'),
    );
    const changes = [
      score(1, null),
      score(1, [0, 0], { period: '1' }),
      score(1, null, { clock: '10:00' }),
      score(1, [2, 0]),
      score(1, [2, 0], { periods: [2, 0] }),
      score(1, null, { status: 'suspended' }),
      score(1, [2, 0], { status: 'final' }),
    ];
    for (const change of changes) await append(memory, change, reconfirmed(1));
    const frames = await until(changes.length);
    await turn();
    expect(frames).toHaveLength(changes.length);
    const shown = frames.map((one) => contentOf(one).data);
    expect(shown.map(({ status, period, clock }) => [status, period, clock])).toEqual([
      ['inprogress', null, null],
      ['inprogress', '1', null],
      ['inprogress', '1', '10:00'],
      ['inprogress', '1', '10:00'],
      ['inprogress', '1', '10:00'],
      ['suspended', '1', '10:00'],
      ['final', '1', '10:00'],
    ]);
    expect(shown[0].scores[0].name).toBe('New name');
    expect(frames.map(({ over }) => over)).toEqual([false, false, false, false, false, false, true]);
    const ids = frames.map((one) => contentOf(one).id);
    expect([...ids].sort()).toEqual(ids);
  });

  it('gives a new reader the newest document, even without a change', async () => {
    await append(memory, scheduled(1));
    const { until } = await join(1);
    await append(memory, score(1, [1, 0]), described(1, 'New name'));
    await until(1);
    await turn();
    expect(contentOf((await join(1)).first)).toMatchObject({ id: '00000000000000000003', points: '1-0' });
  });

  it('renders once for all readers, and never without readers', async () => {
    await append(memory, scheduled(1), scheduled(2));
    const readers = await Promise.all(Array.from({ length: 200 }, () => join(1)));
    expect(rendered).toEqual([1]);
    await append(memory, score(2, [1, 1]), score(1, [1, 0]), score(2, [2, 2]));
    const frames = await Promise.all(readers.map(async ({ until }) => (await until(1))[0]!));
    expect(new Set(frames.map(({ bytes }) => bytes)).size).toBe(1);
    expect(rendered).toEqual([1, 1]);
  });

  it('has one subscription from the first stream to the last', async () => {
    let listeners = 0;
    hub = hubOn({
      ...memory,
      onCommitted(listener) {
        listeners++;
        const end = memory.onCommitted(listener);
        return () => {
          listeners--;
          end();
        };
      },
    });
    await append(memory, scheduled(1), scheduled(2));
    expect(listeners).toBe(0);
    const one = await join(1);
    const other = await join(2);
    await turn();
    expect([listeners, hub.watchedEvents]).toEqual([1, 2]);
    one.held.release();
    one.held.release();
    expect([listeners, hub.watchedEvents]).toEqual([1, 1]);
    other.held.release();
    expect([listeners, hub.watchedEvents, hub.isFollowing]).toEqual([0, 0, false]);
    await append(memory, score(1, [3, 0]));
    expect(contentOf((await join(1)).first).points).toBe('3-0');
  });

  it('goes on where it was when the log fails for a while', async () => {
    let down = false;
    hub = hubOn({
      ...memory,
      // Nothing is announced, as where another process writes: only the poll finds it.
      onCommitted: () => () => {},
      readAllFrom: (after, options) =>
        readAllInPages(
          async (...args) => (down ? Promise.reject(new Error('down')) : memory.readAll(...args)),
          after,
          options,
        ),
    });
    await append(memory, scheduled(1));
    const { until, frames } = await join(1);
    await turn();
    down = true;
    await append(memory, score(1, [1, 0]));
    timers.advance(1000);
    await turn();
    expect(errors).toHaveLength(1);
    down = false;
    await append(memory, score(1, [2, 0]));
    timers.advance(1000);
    await until(2);
    expect(frames.map((one) => contentOf(one).points)).toEqual(['1-0', '2-0']);
  });

  it('ends an event that cannot be shown, and no other', async () => {
    await append(memory, scheduled(1), scheduled(2));
    const broken = await join(1);
    const sound = await join(2);
    await append(memory, score(1, [1, 0], { period: 'broken' }), score(2, [1, 0]));
    await sound.until(1);
    expect([broken.failed(), sound.failed()]).toEqual([true, false]);
    expect(errors).toHaveLength(1);
    await expect(join(1)).rejects.toThrow('cannot be followed');
  });

  it('passes a bulk import of other events by', async () => {
    await append(memory, scheduled(1), scheduled(2));
    const { until } = await join(1);
    await append(memory, ...Array.from({ length: 25_000 }, (_, i) => score(2, [i, 0])), score(1, [1, 0]));
    expect(contentOf((await until(1))[0]!).points).toBe('1-0');
    expect(rendered).toEqual([1, 1]);
  });
});
