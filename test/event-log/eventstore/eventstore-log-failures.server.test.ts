import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Position } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord, NewRecord } from '../../../src/domain/event-sourcing/record.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import { AppendTooLarge } from '../../../src/event-log/eventstore/eventstore-appender.ts';
import {
  type EventStoreLog,
  type EventStoreLogOptions,
  openEventStoreLog,
} from '../../../src/event-log/eventstore/eventstore-log.ts';
import { DOUBLE_KINDS, type DoubleKind } from '../../../src/server/engines/event-log-double/double-kind.ts';
import { type StartedDouble, startDoubleProcess } from '../../server/engines/started-double.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { everything, scored } from '../port/event-log.contract.ts';

const IN_TIME_MS = patientTimeout(5000);
/** How long a log waits for one answer here; the other limits follow from it. */
const ANSWER_MS = 400;

describe.each(DOUBLE_KINDS)('on the double of EventStoreDB %s,', (kind: DoubleKind) => {
  let double: StartedDouble;
  beforeAll(async () => {
    double = await startDoubleProcess(kind);
  });
  afterAll(() => double.stop());

  const opened: EventStoreLog[] = [];
  function open(options: Partial<EventStoreLogOptions> = {}): EventStoreLog {
    const log = openEventStoreLog({ url: double.url, answerWithin: ANSWER_MS, ...options });
    opened.push(log);
    return log;
  }
  beforeEach(async () => {
    double.forget();
    await open().ping();
  });
  afterEach(async () => {
    for (const log of opened.splice(0)) await log.close();
  });

  const named = (id: string, partition = 'event-1'): NewRecord => ({ ...scored(1), meta: { partition, id } });
  const ids = (records: readonly LogRecord[]) => records.map(({ meta }) => meta.id);
  const times = (records: readonly LogRecord[]) => records.map(({ recordedAt }) => recordedAt);
  const places = (records: readonly LogRecord[]) => records.map(({ stream, revision }) => `${stream}@${revision}`);

  /** @returns the error, which must have come in time */
  async function failure(work: Promise<unknown>): Promise<unknown> {
    const begun = performance.now();
    const error = await work.then(
      () => expect.unreachable('it did not fail'),
      (reason: unknown) => reason,
    );
    expect(performance.now() - begun).toBeLessThan(IN_TIME_MS);
    return error;
  }

  describe('an append whose answer is lost', () => {
    for (const expected of ['none', 'any'] as const) {
      it(`is stored once and reported as success (${expected})`, async () => {
        const log = open();
        await log.head();
        double.control({ loseAnswers: 1 });
        const result = await log.append('score-1', [named('a'), named('b')], expected);
        expect(result.revision).toBe(1);
        const all = await everything(log);
        expect(ids(all)).toEqual(['a', 'b']);
        expect(result.position).toBe(all[1]!.position);
      });
    }

    it('is retried in time with the default settings', async () => {
      const log = open({ answerWithin: undefined });
      await log.head();
      double.control({ loseAnswers: 1 });
      expect((await log.append('score-1', [named('a')], 'none')).revision).toBe(0);
      expect(ids(await everything(log))).toEqual(['a']);
    });

    it('is reported as success though another process has appended after it', async () => {
      const [log, other] = [open(), open()];
      await log.append('score-1', [named('first')], 'none');
      double.control({ loseAnswers: 1 });
      const lost = log.append('score-1', [named('lost')], 0);
      // The other process sees the record whose append was not answered.
      while ((await other.readStream('score-1')).length < 2);
      expect((await other.append('score-1', [named('other')], 1)).revision).toBe(2);
      const [, record] = await other.readStream('score-1');
      expect(await lost).toEqual({ revision: 1, position: record!.position });
      expect(ids(await everything(log))).toEqual(['first', 'lost', 'other']);
    });

    it('is reported as success though the engine reports the retry as a conflict', async () => {
      const log = open();
      await log.append('score-1', [named('first')], 'none');
      double.control({ loseAnswers: 1, forgetful: true });
      expect((await log.append('score-1', [named('a'), named('b')], 0)).revision).toBe(2);
      expect(ids(await everything(log))).toEqual(['first', 'a', 'b']);
    });

    it('or that was refused is a conflict for the second writer', async () => {
      const [log, other] = [open(), open()];
      await log.append('score-1', [named('first')], 'none');
      double.control({ refuseAppends: 1, loseAnswers: 1 });
      const ends = await Promise.allSettled([
        log.append('score-1', [named('one')], 0),
        other.append('score-1', [named('two')], 0),
      ]);
      const lost = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(lost).toMatchObject([{ code: 'conflict', stream: 'score-1', actual: 1 }]);
      expect(await everything(log)).toHaveLength(2);
    });

    it('again and again means that the engine is away; a later read finds the append once', async () => {
      const log = open();
      await log.head();
      double.control({ loseAnswers: 1000 });
      expect(await failure(log.append('score-1', [named('a')], 'none'))).toBeInstanceOf(UnavailableError);
      double.control({});
      expect(ids(await log.readStream('score-1'))).toEqual(['a']);
      await expect(log.append('score-1', [named('a')], 'none')).rejects.toMatchObject({ code: 'conflict', actual: 0 });
      expect((await log.append('score-1', [named('b')], 0)).revision).toBe(1);
    });
  });

  describe('the leader', () => {
    it('is followed by readers and writers when another node becomes the leader', async () => {
      const leader = await startDoubleProcess();
      try {
        const log = open();
        await log.head();
        double.control({ notLeader: { times: 1, host: '127.0.0.1', port: leader.port } });
        expect((await log.append('score-1', [named('a')], 'none')).revision).toBe(0);
        expect(ids(await log.readStream('score-1'))).toEqual(['a']);
        // The record is in the log of the leader.
        expect(ids(await everything(open({ url: leader.url })))).toEqual(['a']);
        expect(await everything(open())).toEqual([]);
      } finally {
        await leader.stop();
      }
    });
  });

  describe('notifications', () => {
    it('report what other processes append', async () => {
      const [log, other] = [open(), open()];
      const heard = hearing(log, 1);
      await log.append('score-1', [named('a')], 'none');
      await heard.all;
      const more = hearing(log, 2);
      await other.append('score-2', [named('b'), named('c')], 'none');
      expect(ids(await more.all)).toEqual(['b', 'c']);
    });

    it('continue after a dropped subscription: nothing is missing, nothing comes twice', async () => {
      const [log, other] = [open(), open()];
      const befores: (Position | null | undefined)[] = [];
      log.onCommitted((_records, previous) => befores.push(previous));
      const heard = hearing(log, 12);
      for (let i = 0; i < 12; i++) {
        if (i % 3 === 1) double.control({ dropSubscriptions: true });
        await other.append(`score-${i % 2}`, [named(String(i))], 'any');
      }
      const records = await heard.all;
      expect(records).toEqual(await everything(log));
      expect(befores).toEqual([null, ...records.slice(0, -1).map(({ position }) => position)]);
    });
  });

  /** The next announced records. */
  function hearing(log: EventStoreLog, count: number): { readonly all: Promise<readonly LogRecord[]> } {
    const records: LogRecord[] = [];
    const all = new Promise<readonly LogRecord[]>((resolve) => {
      const leave = log.onCommitted((announced) => {
        records.push(...announced);
        if (records.length < count) return;
        leave();
        resolve(records);
      });
    });
    return { all };
  }

  describe('the size of an append', () => {
    const wide = (bytes: number) => ({ ...scored('x'.repeat(bytes)), type: 'Noted' });

    it("may reach the engine's limit, but a byte more writes nothing", async () => {
      const log = open({ answerWithin: 2000 });
      expect((await log.append('note-1', [wide(500_000), wide(500_000)], 'none')).revision).toBe(1);
      const error = await failure(log.append('note-1', [wide(600_000), wide(500_000)], 1));
      expect(error).toBeInstanceOf(AppendTooLarge);
      expect((error as Error).message).toContain('1048576');
      expect(await log.readStream('note-1')).toHaveLength(2);
    });

    it('counts for each append of a call separately', async () => {
      const log = open({ answerWithin: 2000 });
      const outcomes = await log.appendAll(
        Array.from({ length: 4 }, (_, i) => ({
          stream: `note-${i}`,
          events: [wide(900_000)],
          expected: 'none' as const,
        })),
      );
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    });
  });

  describe('recorded time, while the clock of the leader goes back and forth', () => {
    it('never decreases along a stream that several processes append to, for any reader', async () => {
      const logs = [open(), open(), open()];
      const offsets = [0, -5000, 3000, -60_000, 0, -1];
      for (let round = 0; round < 12; round++) {
        double.control({ clockOffset: offsets[round % offsets.length]! });
        await Promise.all(logs.map((log, i) => log.append('score-1', [named(`${round}.${i}`)], 'any')));
      }
      const records = await open().readStream('score-1');
      expect(records).toHaveLength(36);
      expect(new Set(ids(records)).size).toBe(36);
      expect(times(records)).toEqual(times(records).toSorted());
      expect(await open().readStream('score-1', { fromRevision: 20 })).toEqual(records.slice(20));
      expect(await everything(logs[0]!)).toEqual(records);
    });

    it('never decreases along the streams of one event', async () => {
      const [log, other] = [open(), open()];
      for (const [i, clockOffset] of [0, -4000, 2000, -9000, 1000, 0].entries()) {
        double.control({ clockOffset });
        await log.append('event-1', [named(`e${i}`)], 'any');
        await log.append('odds-1', [named(`o${i}`)], 'any');
      }
      // Another process reads it later.
      double.control({ clockOffset: -30_000 });
      await other.append('splits-1', [named('s')], 'none');
      const all = await everything(other);
      expect(times(all)).toEqual(times(all).toSorted());
      expect(new Date(all.at(-1)!.recordedAt).getTime()).toBeGreaterThan(Date.now() - 20_000);
    });

    it('an answer as of a settled moment does not change', async () => {
      const [reader, writer] = [open(), open()];
      await writer.append('score-1', [named('a')], 'none');
      const moment = Date.now();
      const until = new Date(moment).toISOString();
      await reader.waitUntilFinal!(moment);
      const before = await reader.readStream('score-1', { until });
      double.control({ clockOffset: -900 });
      await writer.append('score-1', [named('b')], 'exists');
      expect(await reader.readStream('score-1', { until })).toEqual(before);
      expect(ids(before)).toEqual(['a']);
    });

    it('is kept for records of another log', async () => {
      const log = open();
      const told = ['2024-02-03T04:05:06.007Z', '2024-02-03T04:05:06.008Z'];
      const records = told.map((recordedAt, i) => ({ ...named(`m${i}`), recordedAt, position: 7n + BigInt(i) }));
      await log.move('score-1', records as unknown as LogRecord[], 'none');
      const [first, second, own] = [
        ...(await log.readStream('score-1')),
        ...(await log.append('score-1', [named('own')], 1).then(() => log.readStream('score-1', { fromRevision: 2 }))),
      ];
      expect([first!.recordedAt, second!.recordedAt]).toEqual(told);
      expect(Date.parse(own!.recordedAt)).toBeGreaterThan(Date.now() - 60_000);
    });
  });

  describe('an engine that is away', () => {
    it('hangs: every call fails in time, and everything works when it answers again', async () => {
      const log = open({ answerWithin: undefined });
      await log.append('score-1', [named('a')], 'none');
      process.kill(double.pid, 'SIGSTOP');
      try {
        const calls = [
          log.append('score-1', [named('b')], 0),
          log.readStream('score-1'),
          log.readAll(null, 10),
          log.head(),
          log.ping(),
        ];
        for (const error of await Promise.all(calls.map(failure))) {
          expect(error).toBeInstanceOf(UnavailableError);
          expect((error as Error).message).toContain('event-log');
        }
      } finally {
        process.kill(double.pid, 'SIGCONT');
      }
      await log.ping();
      const held = await log.readStream('score-1');
      const { revision } = await log.append('score-1', [named('c')], held.at(-1)!.revision);
      expect(revision).toBe(held.length);
      expect(new Set(ids(await everything(log))).size).toBe(revision + 1);
    });

    it('refuses connections: the same, and the log may be opened before the engine is there', async () => {
      await double.kill();
      const log = open({ answerWithin: undefined });
      expect(await failure(log.append('score-1', [named('a')], 'none'))).toBeInstanceOf(UnavailableError);
      expect(await failure(log.head())).toBeInstanceOf(UnavailableError);
      log.onCommitted(() => {});
      const many = Array.from({ length: 100 }, (_, i) => failure(log.append(`score-${i % 7}`, [named('b')], 'any')));
      for (const error of await Promise.all(many)) expect(error).toBeInstanceOf(UnavailableError);
      await double.restart();
      expect((await log.append('score-1', [named('a')], 'none')).revision).toBe(0);
    });

    it('killed in the middle of appends: what was acknowledged is stored once', async () => {
      const acknowledged = new Map<string, { stream: string; revision: number; position: Position | null }>();
      const logs = [open({ answerWithin: 2000 }), open({ answerWithin: 2000 })];
      let isOver = false;
      let count = 0;
      async function appendOn(log: EventStoreLog, writer: number): Promise<void> {
        for (let i = 0; !isOver; i++) {
          const stream = `score-${i % 3}`;
          const id = `${writer}.${i}`;
          try {
            const { revision, position } = await log.append(stream, [named(id), named(`${id}'`)], 'any');
            acknowledged.set(id, { stream, revision, position });
            count++;
          } catch (error) {
            expect(error).toBeInstanceOf(UnavailableError);
          }
        }
      }
      const writers = Array.from({ length: 8 }, (_, i) => appendOn(logs[i % 2]!, i));
      for (let kills = 1; kills <= 3; kills++) {
        while (count < 60 * kills) await new Promise((resolve) => setImmediate(resolve));
        await double.killAndRestart();
      }
      while (count < 240) await new Promise((resolve) => setImmediate(resolve));
      isOver = true;
      await Promise.all(writers);
      const all = await everything(open());
      const found = new Map(all.map((record) => [record.meta.id, record]));
      expect(found.size).toBe(all.length);
      for (const [id, { stream, revision, position }] of acknowledged) {
        expect(found.get(id)).toMatchObject({ stream, revision: revision - 1 });
        expect(found.get(`${id}'`)).toMatchObject({ stream, revision, position });
      }
      for (const stream of ['score-0', 'score-1', 'score-2']) {
        const own = all.filter((record) => record.stream === stream);
        expect(places(own)).toEqual(own.map((_, i) => `${stream}@${i}`));
      }
    });
  });

  describe('requests', () => {
    it('are few: one for an append to a known stream, one for a whole log in pages', async () => {
      let requests = 0;
      const log = open({ onRoundTrip: () => requests++ });
      const leave = log.onCommitted(() => {});
      await log.append('score-1', [named('a')], 'none');
      requests = 0;
      for (let i = 0; i < 10; i++) await log.append('score-1', [named(String(i))], i);
      expect(requests).toBe(10);
      leave();
      requests = 0;
      expect(places(await log.readStream('score-1', { direction: 'backwards', fromRevision: 99, limit: 2 }))).toEqual([
        'score-1@10',
        'score-1@9',
      ]);
      expect(requests).toBe(1);
      requests = 0;
      const pages: number[] = [];
      for await (const page of log.readAllFrom(null, { batch: 3 })) pages.push(page.length);
      expect(pages).toEqual([3, 3, 3, 2]);
      expect(requests).toBe(1);
    });
  });

  describe('an append to a stream to which another process appends all the time', () => {
    it('gets its turn', async () => {
      const [busy, log] = [open({ answerWithin: 2000 }), open({ answerWithin: 2000 })];
      // Who follows the log needs one round trip for an append, and who comes anew needs two.
      busy.onCommitted(() => {});
      let isOver = false;
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let i = 0; !isOver; i++) await busy.append('score-1', [named(`${writer}.${i}`)], 'any');
      });
      while ((await log.readStream('score-1')).length < 50);
      for (let i = 0; i < 3; i++) await log.append('score-1', [named(`own-${i}`)], 'any');
      isOver = true;
      await Promise.all(writers);
      expect(ids(await log.readStream('score-1')).filter((id) => id?.startsWith('own'))).toHaveLength(3);
    });
  });

  describe('an address', () => {
    it('may name a cluster, whose leader is found, with the old and the new scheme', async () => {
      await open().append('score-1', [named('a')], 'none');
      for (const scheme of ['esdb+discover', 'kurrentdb+discover', 'kurrentdb']) {
        const log = open({ url: `${scheme}://127.0.0.1:${double.port}?tls=false` });
        expect(ids(await everything(log))).toEqual(['a']);
      }
    });

    it('that is invalid is an error without the password', () => {
      for (const url of [
        'http://admin:s3cret@localhost:2113',
        'esdb://admin:s3cret@localhost:2113?colour=s3cret',
        'esdb://admin:s3cret@localhost:x?tls=false',
        'esdb://admin:s3cret@localhost:2113?tls=perhaps',
      ]) {
        expect(() => open({ url })).toThrow(TypeError);
        expect(() => open({ url })).not.toThrow(/s3cret/);
      }
    });
  });
});
