import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LimitRule, OWNER_LEASE_MS } from '../../../src/api/limits/limits.ts';
import { openRedisLimits } from '../../../src/api/limits/redis-limits.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import type { RedisConnection } from '../../../src/platform/redis-connection.ts';
import { createScript } from '../../../src/platform/redis-connection.ts';
import { buildProgram, type OtherProcess, type Program, startOther } from '../../platform/redis/other-process.ts';
import { type RedisServer, redisTitle, startRedis, whyNoRedis } from '../../platform/redis/redis-server.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';

const FORGET_ALL = createScript("redis.call('FLUSHALL')");
const window = (max: number): LimitRule => ({ kind: 'window', of: 'requests', max });
const place = (max: number): LimitRule => ({ kind: 'slot', of: 'requests', max });
const streams = (max: number): LimitRule => ({ kind: 'slot', of: 'streams', max });

describe.skipIf(whyNoRedis !== undefined)(redisTitle('limits of several processes on one Redis server'), () => {
  let server: RedisServer;
  let connection: RedisConnection;
  let program: Program;
  let trips = 0;
  const others: OtherProcess[] = [];
  const start = async (name: string) => {
    const other = await startOther(program, { url: server.url, name }, createMemoryLog());
    others.push(other);
    return other;
  };
  const ask = { keyId: 1, at: 0 };
  beforeAll(async () => {
    [server, program] = await Promise.all([startRedis(), buildProgram()]);
    connection = await server.connect(() => trips++);
  });
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.end()));
    await connection.run(FORGET_ALL, [], []);
  });
  afterAll(async () => {
    program.remove();
    await server.stop();
  });

  it('let exactly as many calls pass as the window has, of two processes at the same moment', async () => {
    const both = await Promise.all([start('a'), start('b')]);
    const rules = [window(500), place(1000)];
    const told = (await Promise.all(both.map((one) => one.work({ kind: 'admit', calls: 800, rules })))).flat();
    expect(told).toHaveLength(1600);
    expect(told.filter(({ outcome }) => outcome === 'answered')).toHaveLength(500);
  });

  it('give the slots of a killed process to others within 10 seconds, and not at once', async () => {
    const a = await start('a');
    expect(
      (await a.work({ kind: 'admit', calls: 20, rules: [place(16)] })).map(({ outcome }) => outcome).sort(),
    ).toEqual([...Array(16).fill('answered'), ...Array(4).fill('refused')]);
    const limits = openRedisLimits({ connection, owner: 'c' });
    await a.end();
    const killed = performance.now();
    expect((await limits.admit({ ...ask, rules: [place(16)] })).admitted).toBe(false);
    while (!(await limits.admit({ ...ask, rules: [place(16)] })).admitted) await setTimeout(100);
    expect(performance.now() - killed).toBeLessThan(patientTimeout(10_000));
    expect(performance.now() - killed).toBeGreaterThan(OWNER_LEASE_MS / 2);
  });

  it('admit a call in one round trip, and release without one', async () => {
    const limits = openRedisLimits({ connection, owner: 'c' });
    trips = 0;
    const verdict = await limits.admit({ ...ask, rules: [window(5), place(5)] });
    expect(trips).toBe(1);
    if (verdict.admitted) verdict.lease.release();
    await connection.settled();
    expect(trips).toBe(1);
    expect((await limits.admit({ ...ask, rules: [window(5), place(1)] })).admitted).toBe(true);
  });

  it('count open streams again when the server has lost everything, at the next heartbeat', async () => {
    const limits = openRedisLimits({ connection, owner: 'c' });
    for (let n = 0; n < 5; n++) await limits.admit({ ...ask, rules: [streams(5)] });
    await connection.run(FORGET_ALL, [], []);
    await limits.renew();
    await connection.settled();
    expect((await limits.admit({ ...ask, rules: [streams(5)] })).admitted).toBe(false);
  });

  it('are unavailable in bounded time while the server hangs or is away, and go on by themselves', async () => {
    const limits = openRedisLimits({ connection, owner: 'c' });
    const rules = [window(3)];
    await limits.admit({ ...ask, rules });
    for (const away of ['hangs', 'is killed'] as const) {
      if (away === 'hangs') process.kill(server.pid, 'SIGSTOP');
      else await server.kill();
      const began = performance.now();
      for (let tries = 0; tries < 3; tries++) {
        const failure = await Promise.resolve(limits.admit({ ...ask, rules })).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(UnavailableError);
        expect(failure).toMatchObject({ engine: 'limits' });
        expect(String(failure)).not.toContain('redis://');
      }
      expect(performance.now() - began).toBeLessThan(patientTimeout(5000));
      if (away === 'hangs') process.kill(server.pid, 'SIGCONT');
      else await server.startAgain(false);
      await connection.ready();
      await limits.renew();
    }
    // Those whose answers did not come stand nowhere.
    const verdict = await limits.admit({ ...ask, rules });
    expect(verdict).toMatchObject({ admitted: true, window: { counted: 2 } });
  });
});
