import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Position } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { followRecordFeed } from '../../../src/event-log/subscription/follow-record-feed.ts';
import type {
  RecordFeed,
  RecordFeedMessage,
  RecordFeedOptions,
} from '../../../src/event-log/subscription/record-feed.ts';
import { everything, scored } from '../port/event-log.contract.ts';

export interface FeedWorld {
  readonly log: EventLog;
  readonly feed: RecordFeed;
}

const KEYS = ['event-1', 'event-2', 'event-3', 'team-4', 'player-9'] as const;
const OPTIONS = { readers: 'all', after: () => null, batchSize: 3, bufferLimit: 5, pollInterval: 5 } as const;

async function append(log: EventLog, from: number, count: number, type = 'ScoreChanged'): Promise<void> {
  for (let i = from; i < from + count; i++) {
    const key = KEYS[(i * 7) % KEYS.length]!;
    await log.append(`score-${key}`, [{ ...scored(i, key), type }], 'any');
  }
}

/** Appends, and waits until the feed has all of it: a relay may stand between. */
async function appendSoThatItArrives({ log, feed }: FeedWorld, count: number): Promise<void> {
  await append(log, 0, count);
  const head = await log.head();
  const hasArrived = async () => [...(await feed.endPositions()).values()].includes(head);
  while (!(await hasArrived())) await delay(2);
}

/** Reads until so many records have come and every partition with records has caught up. */
async function readUntil(
  feed: RecordFeed,
  options: Partial<RecordFeedOptions>,
  count: number,
): Promise<RecordFeedMessage[]> {
  const messages: RecordFeedMessage[] = [];
  const behind = new Set<string>();
  let found = 0;
  const subscription = feed.subscribe({ ...OPTIONS, ...options });
  for await (const message of subscription) {
    messages.push(message);
    if (message.kind === 'records') found += message.records.length;
    if (message.kind === 'caught-up') behind.delete(message.partition);
    else if (!messages.some((one) => one.kind === 'caught-up' && one.partition === message.partition))
      behind.add(message.partition);
    if (found >= count && behind.size === 0) break;
  }
  return messages;
}

const recordsOf = (messages: readonly RecordFeedMessage[]): LogRecord[] =>
  messages.flatMap((message) => (message.kind === 'records' ? message.records : []));

const byKey = (records: readonly LogRecord[]) =>
  Object.fromEntries(
    KEYS.map((key) => [key, records.filter(({ meta }) => meta.partition === key).map(({ position }) => position)]),
  );

function lastPlaces(messages: readonly RecordFeedMessage[]): Map<string, Position | null> {
  return new Map(messages.map(({ partition, position }) => [partition, position]));
}

/** What every record feed must do. `open` gives an empty log and its feed. */
export function recordFeedContract(name: string, open: () => Promise<FeedWorld>): void {
  describe(`record feed contract: ${name}`, () => {
    async function given(count: number): Promise<FeedWorld> {
      const world = await open();
      onTestFinished(() => world.log.close());
      if (count > 0) await appendSoThatItArrives(world, count);
      return world;
    }

    it('brings every record once, in order within its partition, and each key in one partition', async () => {
      const { log, feed } = await given(20);
      const reading = readUntil(feed, {}, 35);
      await append(log, 20, 15);
      const messages = await reading;
      expect(byKey(recordsOf(messages))).toEqual(byKey(await everything(log)));
      const homes = new Map<string, Set<string>>();
      const places = new Map<string, Position | null>();
      for (const message of messages) {
        const { partition, position } = message;
        const before = places.get(partition) ?? null;
        if (message.kind !== 'records') {
          expect(position).toBe(before);
          continue;
        }
        expect(message.previous).toBe(before);
        expect(message.count).toBe(message.records.length);
        expect(message.records.at(-1)!.position).toBe(position);
        expect(before === null || before < position!).toBe(true);
        expect(message.records.length).toBeLessThanOrEqual(OPTIONS.batchSize);
        places.set(partition, position);
        for (const { meta } of message.records) {
          homes.set(meta.partition, (homes.get(meta.partition) ?? new Set()).add(partition));
        }
      }
      expect([...homes.values()].map(({ size }) => size)).toEqual(KEYS.map(() => 1));
    });

    it('continues after the last positions, with nothing lost and nothing twice', async () => {
      const { log, feed } = await given(12);
      const first: RecordFeedMessage[] = [];
      for await (const message of feed.subscribe(OPTIONS)) if (first.push(message) === 3) break;
      const places = lastPlaces(first);
      await append(log, 12, 8);
      const read = recordsOf(first).length;
      const second = await readUntil(feed, { after: (partition) => places.get(partition) ?? null }, 20 - read);
      expect(byKey([...recordsOf(first), ...recordsOf(second)])).toEqual(byKey(await everything(log)));
    });

    it('with `now` brings only later records', async () => {
      const { log, feed } = await given(10);
      const subscription = feed.subscribe({ ...OPTIONS, after: 'now' });
      const partitions = (await feed.endPositions()).size;
      const first: RecordFeedMessage[] = [];
      while (new Set(first.map(({ partition }) => partition)).size < partitions) {
        first.push((await subscription.next()).value!);
      }
      expect(recordsOf(first)).toEqual([]);
      await append(log, 10, 6);
      const found: LogRecord[] = [];
      while (found.length < 6) found.push(...recordsOf([(await subscription.next()).value!]));
      await subscription.return();
      expect(byKey(found)).toEqual(byKey((await everything(log)).slice(10)));
    });

    it('returns the end of every partition', async () => {
      const { log, feed } = await given(0);
      expect([...(await feed.endPositions()).values()].every((end) => end === null)).toBe(true);
      await append(log, 0, 12);
      const messages = await readUntil(feed, {}, 12);
      const ends = await feed.endPositions();
      for (const [partition, place] of lastPlaces(messages)) expect(ends.get(partition)).toBe(place);
      expect([...ends.values()]).toContain(await log.head());
    });

    it('advances over records of other types, and counts them', async () => {
      const { log, feed } = await given(0);
      await append(log, 0, 9, 'Other');
      await append(log, 9, 4);
      const messages = await readUntil(feed, { types: new Set(['ScoreChanged']) }, 4);
      expect(recordsOf(messages).every(({ type }) => type === 'ScoreChanged')).toBe(true);
      const seen = new Map<string, number>();
      for (const message of messages) {
        if (message.kind !== 'records') continue;
        seen.set(message.partition, (seen.get(message.partition) ?? 0) + message.count);
      }
      const isWanted = (partition: string) =>
        recordsOf(messages.filter((one) => one.partition === partition)).length > 0;
      const all = await readUntil(feed, {}, 13);
      for (const [partition, count] of seen) {
        if (!isWanted(partition)) continue;
        expect(count).toBe(recordsOf(all.filter((one) => one.partition === partition)).length);
      }
    });

    it('ends by its signal and by return, even while nothing comes', async () => {
      const { feed } = await given(0);
      for (const end of ['signal', 'return']) {
        const controller = new AbortController();
        const subscription = feed.subscribe({ ...OPTIONS, signal: controller.signal, pollInterval: 60_000 });
        let waiting = subscription.next();
        for (let left = (await feed.endPositions()).size; left > 0; left--) {
          expect((await waiting).value).toMatchObject({ kind: 'caught-up', position: null });
          waiting = subscription.next();
        }
        if (end === 'return') await subscription.return();
        else controller.abort();
        expect(await waiting).toEqual({ done: true, value: undefined });
        expect((await subscription.next()).done).toBe(true);
      }
    });

    it('the members of a group together get everything, though one leaves', async () => {
      const { log, feed } = await given(10);
      const places = new Map<string, Position | null>();
      const found = new Map<Position, LogRecord>();
      const controllers = [new AbortController(), new AbortController()];
      const members = controllers.map(async ({ signal }) => {
        const options = { ...OPTIONS, signal, readers: { group: 'g' } };
        const after = (partition: string) => places.get(partition) ?? null;
        for await (const message of feed.subscribe({ ...options, after })) {
          if (message.kind !== 'records') continue;
          for (const record of message.records) found.set(record.position, record);
          places.set(message.partition, message.position);
          if (found.size >= 10) controllers[0]!.abort();
          if (found.size >= 25) controllers[1]!.abort();
        }
      });
      await append(log, 10, 15);
      await Promise.all(members);
      expect(byKey([...found.values()])).toEqual(byKey(await everything(log)));
    });

    it('is followed to its end despite any failure: every record is handled, in order', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat(5), { maxLength: 12 }),
          fc.constantFrom('now', 'start'),
          async (fates, from) => {
            const world = await open();
            const { log } = world;
            await appendSoThatItArrives(world, 8);
            const left = [...fates];
            const fails = () => left.shift() === 0;
            const feed: RecordFeed = {
              async endPositions() {
                if (fails()) throw new Error('ends: connection lost');
                return world.feed.endPositions();
              },
              subscribe(options) {
                if (fails()) throw new Error('subscribe: connection lost');
                return world.feed.subscribe(options);
              },
            };
            const controller = new AbortController();
            const handled: LogRecord[] = [];
            const attempts: number[] = [];
            let tell = () => {};
            const begun = new Promise<void>((resolve) => {
              tell = resolve;
            });
            const heard = new Set<string>();
            const partitions = (await world.feed.endPositions()).size;
            const expected = from === 'now' ? 6 : 14;
            const following = followRecordFeed(
              feed,
              {
                ...OPTIONS,
                after: from === 'now' ? 'now' : () => null,
                signal: controller.signal,
                delay: async () => {},
                onRetry: (_error, attempt) => attempts.push(attempt),
              },
              (message) => {
                heard.add(message.partition);
                if (heard.size === partitions) tell();
                if (fails()) throw new Error('handle: failed');
                if (message.kind !== 'records') return;
                handled.push(...message.records);
                if (handled.length >= expected) controller.abort();
              },
            );
            // Each partition has its start position when it sends its first message.
            await begun;
            await append(log, 8, 6);
            await following;
            await log.close();
            const all = handled.map(({ position }) => position);
            expect(new Set(all).size).toBe(expected);
            for (const positions of Object.values(byKey(handled))) {
              expect(positions).toEqual([...new Set(positions)].sort((a, b) => (a < b ? -1 : 1)));
            }
            expect(attempts.every((attempt) => attempt >= 1)).toBe(true);
          },
        ),
        { numRuns: 30 },
      );
    });
  });
}
