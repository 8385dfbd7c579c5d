import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogRecord, NewRecord } from '../../../src/domain/event-sourcing/record.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import {
  type EventStoreLog,
  type EventStoreLogOptions,
  openEventStoreLog,
} from '../../../src/event-log/eventstore/eventstore-log.ts';
import { DOUBLE_KINDS, type DoubleKind } from '../../../src/server/engines/event-log-double/double-kind.ts';
import { type StartedDouble, startDoubleProcess } from '../../server/engines/started-double.ts';
import { selfSigned } from '../../webhooks/http/self-signed-certificate.ts';
import { everything, scored } from '../port/event-log.contract.ts';

// What was found when the event log ran on EventStoreDB 22.10.5 and 24.6.0 themselves.

const ANSWER_MS = 400;
const named = (id: string): NewRecord => ({ ...scored(1), meta: { partition: 'event-1', id } });
const ids = (records: readonly LogRecord[]) => records.map(({ meta }) => meta.id);

describe.each(DOUBLE_KINDS)('on the double of EventStoreDB %s,', (kind: DoubleKind) => {
  let double: StartedDouble;
  beforeAll(async () => {
    double = await startDoubleProcess(kind);
  });
  afterAll(() => double.stop());

  const opened: EventStoreLog[] = [];
  const warnings: string[] = [];
  function open(options: Partial<EventStoreLogOptions> = {}): EventStoreLog {
    const log = openEventStoreLog({
      url: double.url,
      answerWithin: ANSWER_MS,
      onWarning: (text) => warnings.push(text),
      ...options,
    });
    opened.push(log);
    return log;
  }
  beforeEach(async () => {
    double.forget();
    warnings.length = 0;
    await vi.waitFor(() => open({ onWarning: () => {} }).ping(), { timeout: 20_000 });
  });
  afterEach(async () => {
    for (const log of opened.splice(0)) await log.close();
  });

  const failure = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => expect.unreachable('it did not fail'),
      (error: Error) => error,
    );

  /** The ids that a log has been told of. */
  function heard(log: EventStoreLog): string[] {
    const told: string[] = [];
    log.onCommitted((records) => told.push(...(ids(records) as string[])));
    return told;
  }

  describe('a leader that hangs while another node leads', () => {
    it('is left by an open log after a call without an answer, not when keepalive ends', async () => {
      const other = await startDoubleProcess(kind);
      try {
        const members = (leader: number) =>
          [double.port, other.port].map((port) => ({ port, isLeader: port === leader, isAlive: true }));
        double.control({ members: members(double.port) });
        other.control({ members: members(double.port) });
        const url = `esdb://127.0.0.1:${double.port},127.0.0.1:${other.port}?tls=false`;
        const log = open({ url, answerWithin: undefined });
        await log.head();
        process.kill(double.pid, 'SIGSTOP');
        other.control({ members: members(other.port) });
        const ends: string[] = [];
        while (!ends.includes('stored') && ends.length < 6) {
          ends.push(
            await log.append(`score-${ends.length}`, [named('a')], 'none').then(
              () => 'stored',
              (error: Error) => error.message,
            ),
          );
        }
        expect(ends.at(-1)).toBe('stored');
        expect(ends.length).toBeLessThanOrEqual(3);
      } finally {
        process.kill(double.pid, 'SIGCONT');
        await other.stop();
      }
    });

    it('does not make a read look complete that was under way', async () => {
      const log = open();
      await log.append('score-1', [named('a')], 'none');
      process.kill(double.pid, 'SIGSTOP');
      try {
        for (const work of [log.readStream('score-1'), log.readAll(null, 10), log.head()])
          expect(await failure(work)).toBeInstanceOf(UnavailableError);
      } finally {
        process.kill(double.pid, 'SIGCONT');
      }
      expect(ids(await everything(log))).toEqual(['a']);
    });
  });

  describe('a permanent refusal', () => {
    it.each([
      ['password', /does not know this user or password/],
      ['user', /may not do this/],
      ['all', /read \$all and append/],
    ] as const)('of the %s is told once, with what to do, and is not repeated', async (denies, cause) => {
      let requests = 0;
      const log = open({ onRoundTrip: () => requests++ });
      double.control({ denies });
      for (let i = 0; i < 3; i++) expect((await failure(log.head())).message).toMatch(cause);
      expect(requests).toBe(3);
      expect(warnings).toEqual([expect.stringMatching(cause)]);
    });

    it('of a certificate is told once, by its cause', async () => {
      const server = createTlsServer(selfSigned('127.0.0.1'), () => {});
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = server.address() as AddressInfo;
        const log = open({ url: `esdb://admin:s3cret@127.0.0.1:${port}?tls=true` });
        for (let i = 0; i < 2; i++) expect((await failure(log.head())).message).toMatch(/certificate/);
        expect(warnings).toHaveLength(1);
        expect(warnings[0]).toMatch(/self[- ]signed.*tlsCAFile/);
        expect(warnings[0]).not.toContain('s3cret');
      } finally {
        server.close();
      }
    });
  });

  describe('another database behind the same address', () => {
    async function replaced(contents: number) {
      const others: Error[] = [];
      const log = open({ onOtherLog: (error) => others.push(error) });
      const told = heard(log);
      await log.append('score-1', [named('a'), named('b')], 'none');
      await vi.waitFor(() => expect(told).toEqual(['a', 'b']));
      await double.kill();
      await double.restart();
      double.forget();
      const writer = open();
      // The other processes of the cluster know nothing of what was there before.
      for (let i = 0; i < contents; i++) await writer.append(`score-${i}`, [named(`other-${i}`)], 'any');
      return { log, others, told };
    }

    it.each([0, 5])('stops the process, with one line that says what to do (%i records in it)', async (contents) => {
      const { log, others, told } = await replaced(contents);
      await vi.waitFor(() => expect(others).toHaveLength(1), { timeout: 20_000 });
      expect(others[0]!.message).toMatch(/score-1@1, which this process has seen, is not in it.*Put back/);
      expect(warnings).toEqual([others[0]!.message]);
      expect(await failure(log.append('score-1', [named('c')], 'any'))).toBe(others[0]);
      await expect(log.ping()).rejects.toBe(others[0]);
      expect(told).toEqual(['a', 'b']);
      const stored = await everything(open());
      expect(stored).toHaveLength(contents);
    });

    it('is recognised without a subscription too, before anything is appended to it', async () => {
      const others: Error[] = [];
      const log = open({ onOtherLog: (error) => others.push(error) });
      await log.append('score-1', [named('a')], 'none');
      await double.kill();
      await double.restart();
      double.forget();
      await vi.waitFor(
        async () => {
          expect(await failure(log.append('score-1', [named('b')], 'any'))).toBeInstanceOf(UnavailableError);
          expect(others).toHaveLength(1);
        },
        { timeout: 20_000 },
      );
      expect(await everything(open())).toEqual([]);
    });

    it('is not suspected when the same one comes back', async () => {
      const others: Error[] = [];
      const log = open({ onOtherLog: (error) => others.push(error) });
      const told = heard(log);
      await log.append('score-1', [named('a')], 'none');
      await double.killAndRestart();
      await log.append('score-1', [named('b')], 0);
      await vi.waitFor(() => expect(told).toEqual(['a', 'b']), { timeout: 20_000 });
      expect(others).toEqual([]);
    });
  });

  describe('a place where no event begins', () => {
    it('is left by a subscription for the end of the log, told once and not asked for again', async () => {
      const log = open();
      await log.append('score-1', [named('a')], 'none');
      double.control({ wrongPlaces: 1 });
      const told = heard(log);
      await vi.waitFor(() => expect(warnings).toHaveLength(1), { timeout: 20_000 });
      expect(warnings[0]).toMatch(/no record begins at position/);
      const other = open();
      await vi.waitFor(
        async () => {
          await other.append('score-2', [named('b')], 'any');
          expect(told).toContain('b');
        },
        { timeout: 20_000 },
      );
      expect(warnings).toHaveLength(1);
    });

    it('is no record, and not an engine that is away', async () => {
      const log = open();
      const { position } = await log.append('score-1', [named('a'), named('b')], 'none');
      expect(await log.recordAt(((position as unknown as bigint) - 1n) as never)).toBeUndefined();
      expect(ids(await log.readBackwards(1, ((position as unknown as bigint) + 100_000n) as never))).toEqual(['b']);
    });
  });

  describe('a subscription that stays silent at a node that leads no more', () => {
    it('is left when a record is there that it does not bring', async () => {
      const log = open();
      const told = heard(log);
      await log.append('score-1', [named('a')], 'none');
      await vi.waitFor(() => expect(told).toEqual(['a']));
      double.control({ muteSubscriptions: true });
      await log.append('score-1', [named('b')], 0);
      await vi.waitFor(() => expect(told).toEqual(['a', 'b']), { timeout: 20_000 });
      double.control({});
      await open().append('score-1', [named('c')], 1);
      await vi.waitFor(() => expect(told).toEqual(['a', 'b', 'c']), { timeout: 20_000 });
    });
  });
});
