import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openRedisCredits,
  type RedisCredits,
  type RedisCreditsParts,
} from '../../../../src/accounts/credits/redis/redis-credits.ts';
import type { AnsweredCall } from '../../../../src/domain/accounts/account-event-data.ts';
import type { AccountTerms } from '../../../../src/domain/accounts/credit-terms.ts';
import { UnavailableError } from '../../../../src/domain/primitives/domain-errors.ts';
import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import type { SetTimer } from '../../../../src/platform/async/timer.ts';
import { createScript, type RedisConnection } from '../../../../src/platform/redis-connection.ts';
import { type RedisServer, redisTitle, startRedis, whyNoRedis } from '../../../platform/redis/redis-server.ts';
import { patientTimeout } from '../../../support/patient-timeout.ts';
import { chargesIn } from '../../recorded-calls.ts';

const terms: AccountTerms = {
  accountId: 1,
  createdAt: Date.parse('2026-01-30T20:00:00Z'),
  plan: 'payg',
  initialCredits: 10,
  monthlyCredits: 0,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
};
const FORGET_ALL = createScript("redis.call('FLUSHALL')");
const LEASE = 300;
const never: SetTimer = () => () => {};

describe.skipIf(whyNoRedis !== undefined)(redisTitle('credits on a Redis server that fails'), () => {
  let server: RedisServer;
  let connection: RedisConnection;
  let log: EventLog;
  let opened: RedisCredits[];
  let calls = 0;
  beforeEach(async () => {
    server = await startRedis();
    connection = await server.connect();
    log = createMemoryLog({ now: Date.now });
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((credits) => credits.close()));
    await server.stop();
  });

  function open(parts: Partial<RedisCreditsParts> = {}): RedisCredits {
    const credits = openRedisCredits({
      connection,
      log,
      graceMs: 0,
      writerId: 'w',
      onError() {},
      store: { activeGeneration: async () => null, get: async () => undefined },
      steadyNow: () => performance.now(),
      later: (callback, milliseconds) => void setTimeout(milliseconds).then(callback),
      ...parts,
    });
    opened.push(credits);
    return credits;
  }
  const call = (): AnsweredCall => ({
    at: new Date().toISOString(),
    keyId: 1,
    operation: 'test',
    requestId: `r${++calls}`,
    status: 200,
    milliseconds: 1,
  });
  const charge = async (credits: RedisCredits, amount: number) =>
    (await credits.reserve(terms, amount)).charge(call(), amount);
  const charged = async () => chargesIn(await log.readStream('account-1')).map(({ credits }) => credits);

  describe('a process that sleeps between its charge and the log', () => {
    /** It gives no sign of life, and what it writes is written when it wakes. */
    function sleeper(): { readonly credits: RedisCredits; wake(): void } {
      const waiting: (() => void)[] = [];
      let isAsleep = true;
      const later = (callback: () => void) => void (isAsleep ? waiting.push(callback) : setImmediate(callback));
      const setTimer: SetTimer = (callback, milliseconds) => (isAsleep ? never(callback, milliseconds) : now(callback));
      const now = (callback: () => void) => {
        const timer = globalThis.setTimeout(callback, 5);
        return () => clearTimeout(timer);
      };
      return {
        credits: open({ leaseMs: LEASE, later, setTimer }),
        wake() {
          isAsleep = false;
          for (const callback of waiting.splice(0)) callback();
        },
      };
    }

    it('is refused where others have its credits by now', async () => {
      const other = open();
      await other.remaining(terms);
      const { credits, wake } = sleeper();
      const hold = await credits.reserve(terms, 6);
      const late = Promise.resolve(hold.charge(call(), 6)).catch((error: unknown) => error);
      await setTimeout(LEASE * 2);
      expect(await charge(other, 10)).toEqual({ remaining: 0 });
      wake();
      expect(await late).toBeInstanceOf(UnavailableError);
      expect(await charged()).toEqual([10]);
    });

    it('is charged once where they are still there', async () => {
      const other = open();
      await other.remaining(terms);
      const { credits, wake } = sleeper();
      const hold = await credits.reserve(terms, 6);
      const late = hold.charge(call(), 6);
      await setTimeout(LEASE * 2);
      expect(await charge(other, 2)).toEqual({ remaining: 8 });
      wake();
      expect(await late).toEqual({ remaining: 2 });
      expect(await charged()).toEqual([2, 6]);
      expect(await other.remaining(terms)).toBe(2);
    });

    it.each(['before', 'behind'])(
      'is refused where the call has a run that others may have charged, asleep %s its charge',
      async (when) => {
        const other = open();
        await other.remaining(terms);
        const { credits, wake } = sleeper();
        const hold = await credits.reserve(terms, 6);
        const run = { ...call(), run: 'run-1' };
        const chargeIt = () => Promise.resolve(hold.charge(run, 6)).catch((error: unknown) => error);
        const late = when === 'behind' ? chargeIt() : undefined;
        await setTimeout(LEASE);
        wake();
        expect(await (late ?? chargeIt())).toBeInstanceOf(UnavailableError);
        expect(await charged()).toEqual([]);
        expect(await other.remaining(terms)).toBe(10);
      },
    );

    it('with a call that it has yet to charge, finds it charged to nobody', async () => {
      const other = open();
      await other.remaining(terms);
      const { credits, wake } = sleeper();
      const hold = await credits.reserve(terms, 6);
      await setTimeout(LEASE * 2);
      await charge(other, 10);
      wake();
      await expect(Promise.resolve(hold.charge(call(), 6))).rejects.toBeInstanceOf(UnavailableError);
      expect(await charged()).toEqual([10]);
    });
  });

  it('stays held back while a call runs longer than a lease', async () => {
    // Long enough that a process which is kept waiting for a moment renews it in time.
    const leaseMs = LEASE * 4;
    const [credits, other] = [open({ leaseMs }), open({ leaseMs })];
    const hold = await credits.reserve(terms, 6);
    await setTimeout(leaseMs * 3);
    await expect(Promise.resolve(other.reserve(terms, 5))).rejects.toBeInstanceOf(UnavailableError);
    expect(await hold.charge(call(), 6)).toEqual({ remaining: 4 });
  });

  it('is exact when the server comes back with what it knew some time ago', async () => {
    const credits = open();
    await charge(credits, 2);
    await connection.settled();
    // A second and more: what was written before is in the file.
    const [kept, files] = [join(server.folder, 'kept'), join(server.folder, 'appendonlydir')];
    while ((await remembered()) !== '8') await setTimeout(20);
    cpSync(files, kept, { recursive: true });
    await charge(credits, 5);
    await server.kill();
    rmSync(files, { recursive: true });
    cpSync(kept, files, { recursive: true });
    await server.startAgain(false);
    await connection.ready();
    expect(await remembered()).toBe('8');
    expect(await open().remaining(terms)).toBe(3);
    expect(await charge(credits, 3)).toEqual({ remaining: 0 });
    expect(await charged()).toEqual([2, 5, 3]);
  });

  /** What the server has of the account's plan. */
  async function remembered(): Promise<unknown> {
    return connection.run(createScript("return redis.call('HGET', 'credits:{1}', 'plan')"), [], []);
  }

  it('is exact when the server has lost everything, and keeps calls waiting once, for less than 5 seconds', async () => {
    const credits = open({ graceMs: 4000 });
    await connection.run(FORGET_ALL, [], []);
    const began = performance.now();
    expect(await charge(credits, 2)).toEqual({ remaining: 8 });
    expect(performance.now() - began).toBeGreaterThan(3000);
    expect(performance.now() - began).toBeLessThan(patientTimeout(5000));
    const again = performance.now();
    expect(await charge(credits, 2)).toEqual({ remaining: 6 });
    // To wait a second time would take as long as the first.
    expect(performance.now() - again).toBeLessThan(3000);
  });

  it('is unavailable in bounded time while the server hangs, and goes on by itself', async () => {
    const credits = open();
    await charge(credits, 1);
    const hold = await credits.reserve(terms, 2);
    process.kill(server.pid, 'SIGSTOP');
    const began = performance.now();
    const tries = [credits.reserve(terms, 1), hold.charge(call(), 2), credits.remaining(terms), credits.balance(terms)];
    for (const { status, reason } of (await Promise.allSettled(tries)) as PromiseRejectedResult[]) {
      expect(status).toBe('rejected');
      expect(reason).toBeInstanceOf(UnavailableError);
    }
    expect(performance.now() - began).toBeLessThan(patientTimeout(5000));
    process.kill(server.pid, 'SIGCONT');
    await connection.ready();
    // What the call took whose answer did not come is given back: at the latest when its lease has ended.
    let left = await credits.remaining(terms);
    while (left !== 9) {
      await setTimeout(100);
      left = await credits.remaining(terms);
    }
    expect(await charged()).toEqual([1]);
  });

  it('goes on where the log did not answer and the server was away too, for longer than a lease', async () => {
    let isHanging = false;
    const hung: (() => void)[] = [];
    const far: EventLog = {
      ...log,
      async appendAll(appends) {
        const outcome = await log.appendAll(appends);
        if (isHanging) await new Promise<void>((resolve) => hung.push(resolve));
        return outcome;
      },
    };
    const credits = open({ log: far, leaseMs: LEASE });
    await charge(credits, 1);
    isHanging = true;
    await expect(charge(credits, 2)).rejects.toBeInstanceOf(UnavailableError);
    await server.kill();
    await setTimeout(LEASE * 2);
    await server.startAgain(false);
    isHanging = false;
    for (const resolve of hung) resolve();
    await connection.ready();
    // The charge stands, and is taken back: its call was told that it cost nothing.
    let left: number | undefined;
    do {
      await setTimeout(50);
      left = await Promise.resolve(credits.remaining(terms)).catch(() => undefined);
    } while (left !== 9);
    expect(await charge(credits, 4)).toEqual({ remaining: 5 });
    expect(await charged()).toEqual([1, 2, 4]);
  });
});
