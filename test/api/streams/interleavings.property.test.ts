import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { createScoreHub, type EventSubscription } from '../../../src/api/streams/score-hub.ts';
import { createScoreStream, type ScoreStream } from '../../../src/api/streams/score-stream.ts';
import { isOver } from '../../../src/domain/sports-events/sports-event.ts';
import { streams } from '../../../src/domain/streams/domain-events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { readAllInPages } from '../../../src/event-log/storage/read-all-in-pages.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import type { ScoreSnapshot } from '../../../src/read-models/rendering/event-schemas.ts';
import { renderScoreSnapshot } from '../../../src/read-models/rendering/render-event.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { cases } from '../../support/cases.ts';
import { append, createProjector, described, reconfirmed, scheduled, score } from './match.ts';
import { createTimers } from './timers.ts';

const EVENTS = [1, 2] as const;

/** What can happen. `kind` says which record; `pick` which of the calls under way, or of the readers. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('append' as const), event: fc.constantFrom(...EVENTS), kind: fc.nat(9) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('open' as const), event: fc.constantFrom(...EVENTS), slow: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), pick: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drain' as const), pick: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('project' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('go on' as const), pick: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('poll' as const) }) },
);

/** Holds calls back before and after they do their work, until they are let go on. */
function createGate() {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const pass = () => (isOpen ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve)));
  return {
    around:
      <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        await pass();
        const result = await work(...args);
        await pass();
        return result;
      },
    goOn: (pick: number) => waiting.splice(pick % Math.max(1, waiting.length), 1)[0]?.(),
    open() {
      isOpen = true;
      for (const go of waiting.splice(0)) go();
    },
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

interface Shown {
  readonly position: bigint;
  readonly snapshot: ScoreSnapshot;
  readonly mark: string;
}

const markOf = ({ status, period, clock, scores }: ScoreSnapshot) =>
  JSON.stringify([status, period, clock, scores.map(({ name, abbreviation, ...rest }) => rest)]);

/** What the event showed after each record, by a plain fold. */
async function history(log: EventLog, eventId: number): Promise<Shown[]> {
  const shown: Shown[] = [];
  let document: EventDocument | undefined;
  for (const record of await log.readStream(streams.event(eventId))) {
    document = events.apply(document, record);
    const snapshot = JSON.parse(JSON.stringify(renderScoreSnapshot(document))) as ScoreSnapshot;
    shown.push({ position: record.position, snapshot, mark: markOf(snapshot) });
  }
  return shown;
}

class Reader {
  readonly eventId: number;
  readonly slow: boolean;
  /** Of the event's last record when it came. */
  readonly from: number;
  readonly got: string[] = [];
  isUnknown = false;
  stream: ScoreStream | undefined;
  gone = false;
  constructor(eventId: number, slow: boolean, from: number) {
    this.eventId = eventId;
    this.slow = slow;
    this.from = from;
  }
  scores(): { position: bigint; snapshot: ScoreSnapshot }[] {
    return this.got
      .filter((text) => text.startsWith('event: score'))
      .map((text) => ({
        position: BigInt(/id: (.*)/.exec(text)![1]!),
        snapshot: JSON.parse(/data: (.*)/.exec(text)![1]!) as ScoreSnapshot,
      }));
  }
}

it('every reader sees the event as it stands, then every change or a newer one, in order, to the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 120, size: 'max' }), async (steps) => {
      let time = Date.parse('2026-03-01T12:00:00Z');
      const log = createMemoryLog({ now: () => (time += 1000) });
      const store = createMemoryStore();
      const projector = createProjector(log, store);
      await projector.prepare();
      const gate = createGate();
      const timers = createTimers();
      const gated: EventLog = {
        ...log,
        head: gate.around(log.head),
        readAllFrom: (after, options) => readAllInPages(gate.around(log.readAll), after, options),
        readStream: gate.around(log.readStream),
      };
      const errors: unknown[] = [];
      const hub = createScoreHub({
        log: gated,
        feed: createLogFeed(gated),
        store: { get: gate.around(store.get) as typeof store.get },
        setTimer: timers.setTimer,
        onError: (error) => errors.push(error),
      });
      await append(log, scheduled(1));
      const readers: Reader[] = [];
      const openings: Promise<void>[] = [];
      let points = 0;

      const open = async (reader: Reader) => {
        const held: EventSubscription | undefined = await hub.subscribe(reader.eventId);
        if (!held) {
          reader.isUnknown = true;
          return;
        }
        reader.stream = createScoreStream({
          eventId: reader.eventId,
          retryMs: 1,
          now: timers.now,
          setTimer: timers.setTimer,
          onEnd: held.release,
          sink: {
            unread: 0,
            write: (bytes) => {
              reader.got.push(bytes.toString());
              return !reader.slow;
            },
            end: () => void reader.got.push('end'),
            cut: () => {
              reader.gone = true;
            },
          },
        });
        const current = held.join({ changed: reader.stream.changed, failed: () => expect.unreachable() });
        reader.stream.begin(current);
        if (reader.gone) reader.stream.closed();
      };

      const facts = (event: number) => [
        () => scheduled(event),
        () => reconfirmed(event),
        () => described(event, `Name ${points}`),
        () => score(event, null, { status: 'suspended' }),
        () => score(event, [points % 3, 7], { status: points % 5 === 0 ? 'final' : 'inprogress' }),
      ];
      const known = new Set<number>([1]);
      for (const one of steps) {
        switch (one.do) {
          case 'append': {
            points++;
            const make = known.has(one.event) ? facts(one.event)[one.kind] : () => scheduled(one.event);
            known.add(one.event);
            await append(log, make ? make() : score(one.event, [points, one.kind]));
            break;
          }
          case 'open': {
            const from = (await log.readStream(streams.event(one.event))).length - 1;
            const reader = new Reader(one.event, one.slow, from);
            readers.push(reader);
            openings.push(open(reader));
            break;
          }
          case 'leave': {
            const reader = readers[one.pick];
            if (!reader) break;
            reader.gone = true;
            reader.stream?.closed();
            break;
          }
          case 'drain':
            readers[one.pick]?.stream?.drained();
            break;
          case 'project':
            await projector.project(one.count);
            break;
          case 'go on':
            gate.goOn(one.pick);
            await turn();
            break;
          case 'poll':
            timers.advance(1000);
        }
      }
      gate.open();
      await Promise.all(openings);
      // Nothing here waits for anything outside: after some turns all is done.
      for (let i = 0; i < 20; i++) await turn();
      for (const reader of readers) reader.stream?.drained();

      const histories = new Map<number, Shown[]>();
      for (const event of EVENTS) histories.set(event, await history(log, event));
      expect(errors).toEqual([]);
      for (const reader of readers) {
        const all = histories.get(reader.eventId)!;
        if (reader.isUnknown) {
          expect(reader.from).toBe(-1);
          continue;
        }
        const scores = reader.scores();
        const places = scores.map(({ position }) => all.findIndex((shown) => shown.position === position));
        if (places.length === 0) expect(reader.gone).toBe(true);
        scores.forEach(({ snapshot }, i) => {
          const place = places[i]!;
          expect(snapshot).toEqual(all[place]!.snapshot);
          if (i === 0) {
            expect(place).toBeGreaterThanOrEqual(reader.from);
            return;
          }
          const before = places[i - 1]!;
          const nextChange = all.findIndex((shown, at) => at > before && shown.mark !== all[at - 1]!.mark);
          if (reader.slow) expect(place).toBeGreaterThanOrEqual(nextChange);
          else expect(place).toBe(nextChange);
          expect(all[place]!.mark).not.toBe(all[before]!.mark);
        });
        const last = scores.at(-1)?.snapshot;
        if (last && isOver(last.status))
          expect(reader.got.slice(-2)).toEqual([expect.stringContaining('event: done'), 'end']);
        else if (!reader.gone) expect(markOf(last!)).toBe(all.at(-1)!.mark);
      }
      for (const reader of readers) reader.stream?.closed();
      expect([hub.watchedEvents, hub.isFollowing, timers.size]).toEqual([0, false, 0]);
      await hub.close();
    }),
    { numRuns: cases(200) },
  );
});
