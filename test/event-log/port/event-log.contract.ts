import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type Position, toPosition } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord, NewRecord } from '../../../src/domain/event-sourcing/record.ts';
import {
  ConflictError,
  type EventLog,
  type ExpectedRevision,
  requireAllAppended,
} from '../../../src/event-log/port/event-log.ts';

export interface ContractLogOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly upcast?: (record: LogRecord) => LogRecord;
}

const start = Date.parse('2025-03-01T12:00:00.000Z');

export function scored(home: unknown, partition = 'event-1'): NewRecord {
  return { type: 'ScoreChanged', version: 1, data: { home }, meta: { partition } };
}

const homes = (records: readonly LogRecord[]) => records.map(({ data }) => (data as { home: unknown }).home);

/** Everything in the log. */
export async function everything(log: EventLog): Promise<LogRecord[]> {
  return flat(log.readAllFrom(null));
}

async function flat(pages: AsyncIterable<readonly LogRecord[]>): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const page of pages) records.push(...page);
  return records;
}

/** The titles of tests that an adapter cannot pass, with the reasons. */
export interface Skipped {
  readonly reason: string;
  readonly tests: readonly string[];
}

/** What every adapter of the event log must do. `open` gives an empty log of its own each time. */
export function eventLogContract(
  name: string,
  open: (options: ContractLogOptions) => Promise<EventLog>,
  { skip = [] }: { readonly skip?: readonly Skipped[] } = {},
): void {
  describe(`event log contract: ${name}`, () => {
    const ordinaryIt = it;
    const inSuite = (title: string, test: () => Promise<void>) => {
      const skipped = skip.find(({ tests }) => tests.includes(title));
      if (skipped) ordinaryIt.skip(`${title} (${skipped.reason})`, test);
      else ordinaryIt(title, test);
    };
    const opened: EventLog[] = [];
    let time = start;
    async function openLog(upcast?: ContractLogOptions['upcast']): Promise<EventLog> {
      time = start;
      const log = await open({ now: () => time, upcast });
      opened.push(log);
      return log;
    }
    afterEach(async () => {
      for (const log of opened.splice(0)) await log.close();
    });

    describe('append and read', () => {
      inSuite('numbers revisions without gaps and positions in order', async () => {
        const log = await openLog();
        const first = await log.append('score-1', [scored(1), scored(2)], 'none');
        const other = await log.append('score-2', [scored(10)], 'none');
        const second = await log.append('score-1', [scored(3)], 1);

        expect([first.revision, other.revision, second.revision]).toEqual([1, 0, 2]);
        const all = await everything(log);
        expect(all.map(({ stream, revision }) => `${stream}@${revision}`)).toEqual([
          'score-1@0',
          'score-1@1',
          'score-2@0',
          'score-1@2',
        ]);
        const positions = all.map(({ position }) => position);
        expect(positions).toEqual([...new Set(positions)].sort((a, b) => Number(a - b)));
        expect([first.position, other.position, second.position]).toEqual([positions[1], positions[2], positions[3]]);
        expect(await log.readStream('score-1')).toEqual([all[0], all[1], all[3]]);
      });

      inSuite('gives back what was appended, byte for byte', async () => {
        const log = await openLog();
        await fc.assert(
          fc.asyncProperty(
            fc.uuid(),
            fc.array(fc.record({ data: fc.jsonValue(), note: fc.string({ unit: 'binary' }) }), {
              minLength: 1,
            }),
            async (id, payloads) => {
              const events = payloads.map(({ data, note }) => ({
                type: 'Noted',
                version: 1,
                data: { data, note, nothing: null, nested: [null, { deep: null }] },
                meta: { partition: `event-${id}`, message: note },
              }));
              await log.append(`note-${id}`, events, 'none');
              const read = await log.readStream(`note-${id}`);
              expect(read.map(({ data, meta }) => JSON.stringify({ data, meta }))).toEqual(
                events.map(({ data, meta }) => JSON.stringify({ data, meta })),
              );
            },
          ),
          { numRuns: 50 },
        );
      });

      inSuite('keeps unicode, large numbers and nested nulls', async () => {
        const log = await openLog();
        const data = {
          text: 'Žalgiris – “Nº 1” 🏀 \u0000 \ud800 \u2028 "\\',
          numbers: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1.7976931348623157e308, 5e-324, 0.1 + 0.2],
          nothing: [null, { a: null, b: [null, [null]] }],
          long: 'x'.repeat(200_000),
        };
        await log.append('note-ž🏀', [{ type: 'Noted', version: 7, data, meta: { partition: 'event-1' } }], 'none');
        const [record] = await log.readStream('note-ž🏀');
        expect(record).toMatchObject({ data, version: 7, type: 'Noted', stream: 'note-ž🏀' });
        expect(JSON.stringify(record!.data)).toBe(JSON.stringify(data));
      });

      inSuite('does not share objects with its callers', async () => {
        const log = await openLog();
        const event = scored({ points: 1 });
        const appended = log.append('score-1', [event], 'none');
        (event.data as { home: unknown }).home = 'changed';
        await appended;
        const [read] = await log.readStream('score-1');
        (read!.data as { home: unknown }).home = 'changed';
        expect(homes(await log.readStream('score-1'))).toEqual([{ points: 1 }]);
      });

      inSuite('refuses what cannot be stored, and only that', async () => {
        const log = await openLog();
        const results = await Promise.allSettled([
          log.append('score-1', [scored(1)], 'none'),
          log.append('score-1', [scored(10n)], 'any'),
          log.append('score-1', [{ ...scored(1), data: undefined }], 'any'),
          log.append('score-1', [{ ...scored(1), version: 1.5 }], 'any'),
          log.append('score\0-1', [scored(1)], 'any'),
          log.append('', [scored(1)], 'any'),
          log.append('score-1', [scored(2)], -1),
          log.append('score-1', [scored(2)], 0),
        ]);
        expect(results.map((result) => (result.status === 'rejected' ? result.reason.name : 'ok'))).toEqual([
          'ok',
          ...Array(6).fill('TypeError'),
          'ok',
        ]);
        expect(homes(await everything(log))).toEqual([1, 2]);
      });

      inSuite('upcasts what it reads', async () => {
        const log = await openLog((record) => ({ ...record, version: 2, data: { home: homes([record])[0], v: 2 } }));
        await log.append('score-1', [scored(1)], 'none');
        for (const records of [
          await log.readStream('score-1'),
          await everything(log),
          (await log.readStreams(['score-1']))[0],
        ]) {
          expect(records).toMatchObject([{ version: 2, data: { home: 1, v: 2 } }]);
        }
      });
    });

    describe('expected revision', () => {
      const cases: readonly [ExpectedRevision, absent: boolean, one: boolean, two: boolean][] = [
        ['any', true, true, true],
        ['none', true, false, false],
        ['exists', false, true, true],
        [0, false, true, false],
        [1, false, false, true],
        [2, false, false, false],
      ];
      for (const [expected, ...outcomes] of cases) {
        for (const [length, succeeds] of outcomes.entries()) {
          for (const events of [[scored(9)], []]) {
            const what = events.length === 0 ? 'nothing' : 'a record';
            inSuite(
              `${expected}: ${what} on a stream of ${length} ${succeeds ? 'succeeds' : 'conflicts'}`,
              async () => {
                const log = await openLog();
                if (length > 0) await log.append('score-1', Array(length).fill(scored(0)), 'none');
                const before = await log.head();
                const append = log.append('score-1', events, expected);
                if (succeeds) {
                  expect((await append).revision).toBe(length - 1 + events.length);
                  expect(await log.readStream('score-1')).toHaveLength(length + events.length);
                } else {
                  await expect(append).rejects.toBeInstanceOf(ConflictError);
                  await expect(append).rejects.toMatchObject({ stream: 'score-1', expected, actual: length - 1 });
                  expect(await log.head()).toBe(before);
                }
              },
            );
          }
        }
      }

      inSuite('deciding nothing appends nothing and creates no stream', async () => {
        const log = await openLog();
        expect(await log.append('score-1', [], 'none')).toEqual({ revision: -1, position: null });
        expect(await log.head()).toBeNull();
        expect((await log.append('score-1', [scored(1)], 'none')).revision).toBe(0);
      });

      const expectation = fc.oneof(fc.constantFrom('any' as const, 'none' as const, 'exists' as const), fc.nat(4));
      const oneAppend = fc.record({ stream: fc.constantFrom('a', 'b', 'c'), count: fc.nat(2), expected: expectation });
      const calls = fc.array(fc.array(oneAppend, { maxLength: 3 }), { maxLength: 12 });
      type Calls = typeof calls extends fc.Arbitrary<infer Value> ? Value : never;

      async function compareWithModel(appendsOfCalls: Calls, concurrent: boolean): Promise<void> {
        const log = await openLog();
        const promises: Promise<unknown>[] = [];
        const lengths = new Map<string, number>();
        const model: string[] = [];
        for (const appends of appendsOfCalls) {
          const expected = appends.map(({ stream, count, expected }) => {
            const length = lengths.get(stream) ?? 0;
            const ok =
              expected === 'any' ||
              (expected === 'none' ? length === 0 : expected === 'exists' ? length > 0 : length === expected + 1);
            if (!ok) return { ok, actual: length - 1 };
            for (let i = 0; i < count; i++) model.push(`${stream}@${length + i}`);
            lengths.set(stream, length + count);
            return { ok, revision: length + count - 1 };
          });
          const call = log.appendAll(
            appends.map(({ stream, count, expected }) => ({ stream, events: Array(count).fill(scored(0)), expected })),
          );
          const checked = call.then((outcomes) => {
            const told = outcomes.map((one) =>
              one.ok ? { ok: true, revision: one.revision } : { ok: false, actual: one.conflict.actual },
            );
            expect(told).toEqual(expected);
            for (const one of outcomes) if (!one.ok) expect(one.conflict).toBeInstanceOf(ConflictError);
          });
          promises.push(checked);
          if (!concurrent) await checked;
        }
        await Promise.all(promises);
        const stored = (await everything(log)).map(({ stream, revision }) => `${stream}@${revision}`);
        // No order is promised between the streams of one call.
        for (const stream of ['a', 'b', 'c']) {
          const isOfStream = (text: string) => text.startsWith(stream);
          expect(stored.filter(isOfStream)).toEqual(model.filter(isOfStream));
        }
      }

      inSuite('agrees with a simple model, call by call', async () => {
        await fc.assert(
          fc.asyncProperty(calls, (appendsOfCalls) => compareWithModel(appendsOfCalls, false)),
          { numRuns: 60 },
        );
      });

      inSuite('agrees with a simple model, whatever calls share a moment', async () => {
        await fc.assert(
          fc.asyncProperty(calls, (appendsOfCalls) => compareWithModel(appendsOfCalls, true)),
          { numRuns: 60 },
        );
      });
    });

    describe('appendAll', () => {
      inSuite('appends to several streams in order and with one recorded time', async () => {
        const log = await openLog();
        const results = await log.appendAll([
          { stream: 'score-1', events: [scored(1), scored(2)], expected: 'none' },
          { stream: 'score-2', events: [], expected: 'none' },
          { stream: 'score-3', events: [scored(3)], expected: 'any' },
          { stream: 'score-1', events: [scored(4)], expected: 1 },
        ]);
        const all = await everything(log);
        expect(homes(all)).toEqual([1, 2, 3, 4]);
        expect(new Set(all.map(({ recordedAt }) => recordedAt)).size).toBe(1);
        expect(results).toEqual([
          { ok: true, revision: 1, position: all[1]!.position },
          { ok: true, revision: -1, position: null },
          { ok: true, revision: 0, position: all[2]!.position },
          { ok: true, revision: 2, position: all[3]!.position },
        ]);
        expect(await log.appendAll([])).toEqual([]);
      });

      inSuite('writes one append although another one is in conflict, and nothing of that other one', async () => {
        const log = await openLog();
        await log.append('score-1', [scored(1)], 'none');
        const outcomes = await log.appendAll([
          { stream: 'score-2', events: [scored(2)], expected: 'none' },
          { stream: 'score-1', events: [scored(3), scored(4)], expected: 'none' },
          { stream: 'score-3', events: [scored(5)], expected: 'none' },
          // Reads the stream after the conflict.
          { stream: 'score-1', events: [scored(6)], expected: 0 },
        ]);
        expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true, true]);
        expect(outcomes[1]).toMatchObject({ conflict: { code: 'conflict', stream: 'score-1', actual: 0 } });
        expect(outcomes[3]).toMatchObject({ revision: 1 });
        const [one, two, three] = await log.readStreams(['score-1', 'score-2', 'score-3']);
        expect([one!, two!, three!].map(homes)).toEqual([[1, 6], [2], [5]]);
        expect(() => requireAllAppended(outcomes)).toThrow(ConflictError);
      });

      inSuite('disturbs no caller beside it by a conflict', async () => {
        const log = await openLog();
        const [before, failed, after] = await Promise.allSettled([
          log.append('score-1', [scored(1)], 'none'),
          log.append('score-1', [scored(3)], 'none'),
          log.append('score-1', [scored(4)], 0),
        ]);
        expect([before.status, failed.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect((failed as PromiseRejectedResult).reason).toMatchObject({
          code: 'conflict',
          stream: 'score-1',
          actual: 0,
        });
        expect(homes(await everything(log))).toEqual([1, 4]);
      });

      inSuite('of many who expect the same revision exactly one wins', async () => {
        const log = await openLog();
        await log.append('score-1', [scored(0)], 'none');
        const results = await Promise.allSettled(
          Array.from({ length: 20 }, (_, i) => log.append('score-1', [scored(i)], 0)),
        );
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect(await log.readStream('score-1')).toHaveLength(2);
      });
    });

    describe('recorded time', () => {
      inSuite('is ISO 8601 with milliseconds and never decreases', async () => {
        const log = await openLog();
        for (const at of [start + 5, start + 1000, start - 60_000, start + 1001]) {
          time = at;
          await log.append(`score-${at}`, [scored(at)], 'none');
        }
        expect((await everything(log)).map(({ recordedAt }) => recordedAt)).toEqual([
          '2025-03-01T12:00:00.005Z',
          '2025-03-01T12:00:01.000Z',
          '2025-03-01T12:00:01.000Z',
          '2025-03-01T12:00:01.001Z',
        ]);
      });

      inSuite('of a record that is told again is that of the first time', async () => {
        const log = await openLog();
        const firstRecordedAt = '2024-11-05T08:00:00.250Z';
        const { meta, ...record } = scored(1);
        await log.append('score-1', [{ ...record, meta: { ...meta, firstRecordedAt } }, scored(2)], 'none');
        const [again, fresh] = await log.readStream('score-1');
        expect(again).toMatchObject({ recordedAt: firstRecordedAt, meta: { firstRecordedAt } });
        expect(fresh!.recordedAt > firstRecordedAt).toBe(true);
        expect((await everything(log))[0]).toEqual(again);
      });
    });

    describe('readStream and readStreams', () => {
      async function givenFive(): Promise<EventLog> {
        const log = await openLog();
        for (let i = 0; i < 5; i++) {
          time = start + i * 1000;
          await log.append('score-1', [scored(i)], 'any');
          await log.append('score-2', [scored(100 + i)], 'any');
        }
        return log;
      }

      inSuite('from a revision', async () => {
        const log = await givenFive();
        expect(homes(await log.readStream('score-1', { fromRevision: 3 }))).toEqual([3, 4]);
        expect(await log.readStream('score-1', { fromRevision: 5 })).toEqual([]);
        expect(homes(await log.readStream('score-1', { fromRevision: 1, limit: 2 }))).toEqual([1, 2]);
        expect(homes(await log.readStream('score-1', { fromRevision: 3, limit: 9 }))).toEqual([3, 4]);
      });

      inSuite('backwards, from the end or from a revision', async () => {
        const log = await givenFive();
        const backwards = (options: object) =>
          log.readStream('score-1', { direction: 'backwards', ...options }).then(homes);
        expect(await backwards({})).toEqual([4, 3, 2, 1, 0]);
        expect(await backwards({ limit: 2 })).toEqual([4, 3]);
        expect(await backwards({ fromRevision: 2 })).toEqual([2, 1, 0]);
        expect(await backwards({ fromRevision: 2, limit: 1 })).toEqual([2]);
        expect(await backwards({ fromRevision: 99, limit: 1 })).toEqual([4]);
        expect(await backwards({ until: '2025-03-01T12:00:02Z', limit: 2 })).toEqual([2, 1]);
        expect(await log.readStream('score-99', { direction: 'backwards' })).toEqual([]);
      });

      inSuite('until a time, which is included', async () => {
        const log = await givenFive();
        const until = (text: string) => log.readStream('score-1', { until: text }).then(homes);
        expect(await until('2025-03-01T12:00:02.000Z')).toEqual([0, 1, 2]);
        expect(await until('2025-03-01T12:00:01.999Z')).toEqual([0, 1]);
        expect(await until('2025-03-01T13:00:02+01:00')).toEqual([0, 1, 2]);
        expect(await until('2025-03-01T11:59:59Z')).toEqual([]);
        const both = await log.readStream('score-1', { fromRevision: 1, until: '2025-03-01T12:00:02Z' });
        expect(homes(both)).toEqual([1, 2]);
        await expect(log.readStream('score-1', { until: 'yesterday' })).rejects.toBeInstanceOf(RangeError);
      });

      inSuite('of a stream that does not exist is empty', async () => {
        const log = await givenFive();
        expect(await log.readStream('score-99')).toEqual([]);
      });

      inSuite('many streams in the order asked for, empty for what is missing', async () => {
        const log = await givenFive();
        const [second, missing, first, again] = await log.readStreams(['score-2', 'score-99', 'score-1', 'score-2']);
        expect(homes(second!)).toEqual([100, 101, 102, 103, 104]);
        expect(missing).toEqual([]);
        expect(first).toEqual(await log.readStream('score-1'));
        expect(again).toEqual(second);
        expect(await log.readStreams([])).toEqual([]);
      });
    });

    describe('readAll and head', () => {
      inSuite('of an empty log', async () => {
        const log = await openLog();
        expect(await log.head()).toBeNull();
        expect(await log.readAll(null, 10)).toEqual([]);
      });

      inSuite('pages of any size come to the same', async () => {
        const log = await openLog();
        for (let i = 0; i < 23; i++) await log.append(`score-${i % 4}`, [scored(i)], 'any');
        const all = await everything(log);
        expect(homes(all)).toEqual(Array.from({ length: 23 }, (_, i) => i));
        expect(await log.head()).toBe(all.at(-1)!.position);
        for (let limit = 1; limit <= 24; limit++) {
          const paged: LogRecord[] = [];
          for (;;) {
            const page = await log.readAll(paged.at(-1)?.position ?? null, limit);
            expect(page.length).toBeLessThanOrEqual(limit);
            paged.push(...page);
            if (page.length === 0) break;
          }
          expect(paged).toEqual(all);
        }
        expect(await log.readAll(all.at(-1)!.position, 10)).toEqual([]);
      });
    });

    describe('readAllFrom', () => {
      inSuite('may leave out contents that nobody wants, and nothing that is not known', async () => {
        const log = await openLog();
        const splits = (version: number) => ({ ...scored(2, 'event-2'), type: 'SplitsChanged', version });
        await log.append('event-1', [scored(1)], 'any');
        await log.append('splits-2', [splits(1), splits(2)], 'any');
        await log.append('event-1', [scored(3)], 'any');
        const all = await everything(log);

        const unwanted = new Map([['SplitsChanged', 1]]);
        const found = await flat(log.readAllFrom(null, { unwanted }));
        const place = ({ position, stream, revision, type, version, recordedAt }: LogRecord) => ({
          position,
          stream,
          revision,
          type,
          version,
          recordedAt,
        });
        expect(found.map(place)).toEqual(all.map(place));
        const whole = ({ type, version }: LogRecord) => type !== 'SplitsChanged' || version > 1;
        expect(found.filter(whole)).toEqual(all.filter(whole));
      });

      async function givenMany(): Promise<{ log: EventLog; all: LogRecord[] }> {
        const log = await openLog();
        for (let i = 0; i < 23; i++) {
          time = start + Math.floor(i / 3) * 1000;
          await log.append(`score-${i % 4}`, [scored(i)], 'any');
        }
        return { log, all: await everything(log) };
      }

      inSuite('gives everything after a place, in pages of any size, none of them empty', async () => {
        const { log, all } = await givenMany();
        for (const batch of [1, 2, 7, 22, 23, 24, undefined]) {
          for (const place of [null, 0, 11, 22]) {
            const after = place === null ? null : all[place]!.position;
            const found: LogRecord[] = [];
            for await (const page of log.readAllFrom(after, batch === undefined ? {} : { batch })) {
              expect(page.length).toBeGreaterThan(0);
              expect(page.length).toBeLessThanOrEqual(batch ?? 1000);
              found.push(...page);
            }
            expect(found).toEqual(all.slice(place === null ? 0 : place + 1));
          }
        }
        const empty = await openLog();
        expect(await flat(empty.readAllFrom(null))).toEqual([]);
      });

      inSuite('ends with the reason of a signal, never as if that were the end of the log', async () => {
        const { log } = await givenMany();
        const controller = new AbortController();
        const pages = log.readAllFrom(null, { batch: 5, signal: controller.signal })[Symbol.asyncIterator]();
        await pages.next();
        controller.abort(new Error('enough'));
        await expect(pages.next()).rejects.toThrow('enough');
        const late = log.readAllFrom(null, { signal: controller.signal })[Symbol.asyncIterator]();
        await expect(late.next()).rejects.toThrow('enough');
      });

      inSuite('since a time: what was recorded then or later', async () => {
        const { log, all } = await givenMany();
        for (const at of [-1, 0, 1, 999, 1000, 3000, 3001, 7000, 7001]) {
          const since = new Date(start + at).toISOString();
          const expected = all.filter(({ recordedAt }) => recordedAt >= since);
          expect(await flat(log.readSince(since, { batch: 4 }))).toEqual(expected);
        }
        expect(await flat((await openLog()).readSince('2025-03-01T12:00:00Z'))).toEqual([]);
        await expect(flat(log.readSince('yesterday'))).rejects.toBeInstanceOf(RangeError);
      });

      inSuite('backwards: the newest first, in pages of any size', async () => {
        const { log, all } = await givenMany();
        const reversed = [...all].reverse();
        for (const limit of [1, 2, 7, 23, 24]) {
          const found: LogRecord[] = [];
          for (let before: Position | undefined; ; before = found.at(-1)!.position) {
            const page = await log.readBackwards(limit, before);
            expect(page.length).toBeLessThanOrEqual(limit);
            if (page.length === 0) break;
            found.push(...page);
          }
          expect(found).toEqual(reversed);
        }
        expect(await (await openLog()).readBackwards(5)).toEqual([]);
      });

      inSuite('one record by its position', async () => {
        const { log, all } = await givenMany();
        for (const record of all) expect(await log.recordAt(record.position)).toEqual(record);
        expect(await log.recordAt(toPosition(0n))).toBeUndefined();
        expect(await log.recordAt(toPosition(10n ** 15n))).toBeUndefined();
      });

      inSuite('counts what lies between positions rightly, or not at all', async () => {
        const { log, all } = await givenMany();
        const counts = [
          log.countBetween(null, all[4]!.position),
          log.countBetween(all[4]!.position, all[22]!.position),
        ];
        expect([
          [5, 18],
          [null, null],
        ]).toContainEqual(counts);
        expect(log.countBetween(null, null) ?? 0).toBe(0);
      });
    });

    describe('onCommitted', () => {
      inSuite('tells of records as they are read, in order, before the append returns', async () => {
        const log = await openLog((record) => ({ ...record, version: 2 }));
        const heard: LogRecord[] = [];
        log.onCommitted((records) => heard.push(...records));
        const appends = Array.from({ length: 10 }, (_, i) =>
          log.append(`score-${i % 3}`, [scored(i)], 'any').then(({ position }) => {
            expect(heard.some((record) => record.position === position)).toBe(true);
          }),
        );
        await Promise.all(appends);
        await log.append('score-1', [{ ...scored(1), data: { kept: 1, dropped: undefined } }], 'any');
        expect(heard).toStrictEqual(await everything(log));
      });

      inSuite('tells what came before, so that whoever heard the last one knows that nothing is missing', async () => {
        const log = await openLog();
        const befores: unknown[] = [];
        log.onCommitted((records, previous) => {
          befores.push(previous, ...records.slice(0, -1).map(({ position }) => position));
        });
        for (let i = 0; i < 3; i++) await log.append(`score-${i}`, [scored(i), scored(i)], 'any');
        const positions = (await everything(log)).map(({ position }) => position);
        expect(befores).toEqual([null, ...positions.slice(0, -1)]);
      });

      inSuite('a listener that throws hurts nobody, and one that left hears nothing', async () => {
        const log = await openLog();
        const heard: unknown[] = [];
        log.onCommitted(() => {
          throw new Error('listener');
        });
        const leave = log.onCommitted((records) => heard.push(...homes(records)));
        await log.append('score-1', [scored(1)], 'none');
        leave();
        leave();
        await log.append('score-1', [scored(2)], 'exists');
        expect(heard).toEqual([1]);
      });

      inSuite('says nothing when nothing was appended', async () => {
        const log = await openLog();
        let calls = 0;
        log.onCommitted(() => calls++);
        await log.append('score-1', [], 'none');
        await expect(log.append('score-1', [scored(1)], 'exists')).rejects.toBeInstanceOf(ConflictError);
        expect(calls).toBe(0);
      });

      inSuite('a listener that appends does not change the order for the others', async () => {
        const log = await openLog();
        const heard: unknown[] = [];
        let second: Promise<unknown> | undefined;
        log.onCommitted(() => {
          second ??= log.append('score-2', [scored(2)], 'none');
        });
        log.onCommitted((records) => heard.push(...homes(records)));
        await log.append('score-1', [scored(1)], 'none');
        await second;
        expect(heard).toEqual([1, 2]);
      });

      inSuite('a record that cannot be upcast is appended, and stops its readers', async () => {
        const log = await openLog(() => {
          throw new Error('too new');
        });
        log.onCommitted(() => {});
        expect((await log.append('score-1', [scored(1)], 'none')).revision).toBe(0);
        await expect(log.readAll(null, 10)).rejects.toThrow('too new');
      });
    });

    describe('close', () => {
      inSuite('commits what waits, and refuses what comes after', async () => {
        const log = await openLog();
        const append = log.append('score-1', [scored(1)], 'none');
        await log.close();
        await log.close();
        expect((await append).revision).toBe(0);
        await expect(log.append('score-1', [scored(2)], 'any')).rejects.toThrow('closed');
        await expect(log.readAll(null, 1)).rejects.toThrow('closed');
      });
    });
  });
}
