import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { LogRecord, NewRecord } from '../../src/domain/record.ts';
import { ConflictError, type EventLog, type ExpectedRevision } from '../../src/log/event-log.ts';

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

/** What every adapter of the event log does. `open` gives an empty log of its own each time. */
export function eventLogContract(name: string, open: (options: ContractLogOptions) => Promise<EventLog>): void {
  describe(`event log contract: ${name}`, () => {
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
      it('numbers revisions without gaps and positions in order', async () => {
        const log = await openLog();
        const first = await log.append('score-1', [scored(1), scored(2)], 'none');
        const other = await log.append('score-2', [scored(10)], 'none');
        const second = await log.append('score-1', [scored(3)], 1);

        expect([first.revision, other.revision, second.revision]).toEqual([1, 0, 2]);
        const all = await log.readAll(null, 100);
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

      it('gives back what was appended, byte for byte', async () => {
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

      it('keeps unicode, large numbers and nested nulls', async () => {
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

      it('does not share objects with its callers', async () => {
        const log = await openLog();
        const event = scored({ points: 1 });
        const appended = log.append('score-1', [event], 'none');
        (event.data as { home: unknown }).home = 'changed';
        await appended;
        const [read] = await log.readStream('score-1');
        (read!.data as { home: unknown }).home = 'changed';
        expect(homes(await log.readStream('score-1'))).toEqual([{ points: 1 }]);
      });

      it('refuses what cannot be stored, and only that', async () => {
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
        expect(homes(await log.readAll(null, 100))).toEqual([1, 2]);
      });

      it('upcasts what it reads', async () => {
        const log = await openLog((record) => ({ ...record, version: 2, data: { home: homes([record])[0], v: 2 } }));
        await log.append('score-1', [scored(1)], 'none');
        for (const records of [
          await log.readStream('score-1'),
          await log.readAll(null, 10),
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
            it(`${expected}: ${what} on a stream of ${length} ${succeeds ? 'succeeds' : 'conflicts'}`, async () => {
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
            });
          }
        }
      }

      it('deciding nothing appends nothing and creates no stream', async () => {
        const log = await openLog();
        expect(await log.append('score-1', [], 'none')).toEqual({ revision: -1, position: null, recordedAt: null });
        expect(await log.head()).toBeNull();
        expect((await log.append('score-1', [scored(1)], 'none')).revision).toBe(0);
      });

      it('agrees with a simple model, whatever the order of calls', async () => {
        const expectation = fc.oneof(fc.constantFrom('any' as const, 'none' as const, 'exists' as const), fc.nat(4));
        const append = fc.record({ stream: fc.constantFrom('a', 'b', 'c'), count: fc.nat(2), expected: expectation });
        const calls = fc.array(fc.array(append, { maxLength: 3 }), { maxLength: 12 });
        await fc.assert(
          fc.asyncProperty(calls, fc.boolean(), async (appendsOfCalls, concurrent) => {
            const log = await openLog();
            const promises: Promise<unknown>[] = [];
            const lengths = new Map<string, number>();
            const model: string[] = [];
            for (const appends of appendsOfCalls) {
              const call = log.appendAll(
                appends.map(({ stream, count, expected }) => ({
                  stream,
                  events: Array(count).fill(scored(0)),
                  expected,
                })),
              );
              const next = new Map(lengths);
              const ok = appends.every(({ stream, count, expected }) => {
                const length = next.get(stream) ?? 0;
                next.set(stream, length + count);
                if (expected === 'any') return true;
                return expected === 'none'
                  ? length === 0
                  : expected === 'exists'
                    ? length > 0
                    : length === expected + 1;
              });
              promises.push(ok ? call : expect(call).rejects.toBeInstanceOf(ConflictError));
              if (!concurrent) await promises.at(-1);
              if (!ok) continue;
              for (const { stream, count } of appends) {
                for (let i = 0; i < count; i++) {
                  const length = lengths.get(stream) ?? 0;
                  model.push(`${stream}@${length}`);
                  lengths.set(stream, length + 1);
                }
              }
            }
            await Promise.all(promises);
            const all = await log.readAll(null, 1000);
            expect(all.map(({ stream, revision }) => `${stream}@${revision}`)).toEqual(model);
          }),
          { numRuns: 60 },
        );
      });
    });

    describe('appendAll', () => {
      it('appends to several streams in order and with one recorded time', async () => {
        const log = await openLog();
        const results = await log.appendAll([
          { stream: 'score-1', events: [scored(1), scored(2)], expected: 'none' },
          { stream: 'score-2', events: [], expected: 'none' },
          { stream: 'score-3', events: [scored(3)], expected: 'any' },
          { stream: 'score-1', events: [scored(4)], expected: 1 },
        ]);
        const all = await log.readAll(null, 100);
        expect(homes(all)).toEqual([1, 2, 3, 4]);
        expect(new Set(all.map(({ recordedAt }) => recordedAt)).size).toBe(1);
        expect(results).toEqual([
          { revision: 1, position: all[1]!.position, recordedAt: all[0]!.recordedAt },
          { revision: -1, position: null, recordedAt: null },
          { revision: 0, position: all[2]!.position, recordedAt: all[0]!.recordedAt },
          { revision: 2, position: all[3]!.position, recordedAt: all[0]!.recordedAt },
        ]);
        expect(await log.appendAll([])).toEqual([]);
      });

      it('writes nothing when one expectation fails, and disturbs no concurrent caller', async () => {
        const log = await openLog();
        const [before, failed, after] = await Promise.allSettled([
          log.append('score-1', [scored(1)], 'none'),
          log.appendAll([
            { stream: 'score-2', events: [scored(2)], expected: 'none' },
            { stream: 'score-1', events: [scored(3)], expected: 'none' },
          ]),
          log.append('score-1', [scored(4)], 0),
        ]);
        expect([before.status, failed.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect((failed as PromiseRejectedResult).reason).toMatchObject({
          code: 'conflict',
          stream: 'score-1',
          actual: 0,
        });
        expect(homes(await log.readAll(null, 100))).toEqual([1, 4]);
        expect(await log.readStream('score-2')).toEqual([]);
      });

      it('of many who expect the same revision exactly one wins', async () => {
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
      it('is ISO 8601 with milliseconds and never decreases', async () => {
        const log = await openLog();
        for (const at of [start + 5, start + 1000, start - 60_000, start + 1001]) {
          time = at;
          await log.append(`score-${at}`, [scored(at)], 'none');
        }
        expect((await log.readAll(null, 10)).map(({ recordedAt }) => recordedAt)).toEqual([
          '2025-03-01T12:00:00.005Z',
          '2025-03-01T12:00:01.000Z',
          '2025-03-01T12:00:01.000Z',
          '2025-03-01T12:00:01.001Z',
        ]);
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

      it('from a revision', async () => {
        const log = await givenFive();
        expect(homes(await log.readStream('score-1', { fromRevision: 3 }))).toEqual([3, 4]);
        expect(await log.readStream('score-1', { fromRevision: 5 })).toEqual([]);
        expect(homes(await log.readStream('score-1', { fromRevision: 1, limit: 2 }))).toEqual([1, 2]);
        expect(homes(await log.readStream('score-1', { fromRevision: 3, limit: 9 }))).toEqual([3, 4]);
      });

      it('until a time, which is included', async () => {
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

      it('of a stream that does not exist is empty', async () => {
        const log = await givenFive();
        expect(await log.readStream('score-99')).toEqual([]);
      });

      it('many streams in the order asked for, empty for what is missing', async () => {
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
      it('of an empty log', async () => {
        const log = await openLog();
        expect(await log.head()).toBeNull();
        expect(await log.readAll(null, 10)).toEqual([]);
      });

      it('pages of any size come to the same', async () => {
        const log = await openLog();
        for (let i = 0; i < 23; i++) await log.append(`score-${i % 4}`, [scored(i)], 'any');
        const all = await log.readAll(null, 1000);
        expect(homes(all)).toEqual(Array.from({ length: 23 }, (_, i) => i));
        expect(await log.head()).toBe(all.at(-1)!.position);
        for (let limit = 1; limit <= 24; limit++) {
          const paged: LogRecord[] = [];
          for (;;) {
            const page = await log.readAll(paged.at(-1)?.position ?? null, limit);
            expect(page.length).toBeLessThanOrEqual(limit);
            paged.push(...page);
            if (page.length < limit) break;
          }
          expect(paged).toEqual(all);
        }
        expect(await log.readAll(all.at(-1)!.position, 10)).toEqual([]);
      });
    });

    describe('onCommitted', () => {
      it('tells of records as they are read, in order, before the append returns', async () => {
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
        expect(heard).toStrictEqual(await log.readAll(null, 100));
      });

      it('a listener that throws hurts nobody, and one that left hears nothing', async () => {
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

      it('says nothing when nothing was appended', async () => {
        const log = await openLog();
        let calls = 0;
        log.onCommitted(() => calls++);
        await log.append('score-1', [], 'none');
        await expect(log.append('score-1', [scored(1)], 'exists')).rejects.toBeInstanceOf(ConflictError);
        expect(calls).toBe(0);
      });

      it('a listener that appends does not change the order for the others', async () => {
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

      it('a record that cannot be upcast is appended, and stops its readers', async () => {
        const log = await openLog(() => {
          throw new Error('too new');
        });
        log.onCommitted(() => {});
        expect((await log.append('score-1', [scored(1)], 'none')).revision).toBe(0);
        await expect(log.readAll(null, 10)).rejects.toThrow('too new');
      });
    });

    describe('close', () => {
      it('commits what waits, and refuses what comes after', async () => {
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
