import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LimitRule, OWNER_LEASE_MS } from '../../../src/api/limits/limits.ts';
import { openRedisLimits } from '../../../src/api/limits/redis-limits.ts';
import type { RedisConnection } from '../../../src/platform/redis-connection.ts';
import { LimitsUnavailable } from '../../../src/platform/redis-connection.ts';
import { type RedisServer, redisTitle, startRedis, whyNoRedis } from '../../platform/redis/redis-server.ts';
import { limitsContract } from './limits.contract.ts';

describe.skipIf(whyNoRedis !== undefined)(redisTitle('on a Redis server'), () => {
  let server: RedisServer;
  let connection: RedisConnection;
  let worlds = 0;
  beforeAll(async () => {
    server = await startRedis();
    connection = await server.connect();
  });
  afterAll(() => server.stop());

  limitsContract('Redis', (time) => {
    const clock = { time };
    const prefix = `world-${++worlds}:`;
    return {
      clock,
      open: (owner) => openRedisLimits({ connection, owner, prefix, now: () => clock.time }),
      settled: () => connection.settled(),
    };
  });

  describe('an owner that was considered dead', () => {
    const place = (max: number): LimitRule => ({ kind: 'slot', of: 'requests', max });
    const START = 1_800_000_000_000;

    it('releases what its first calls after that hold, though they were concurrent', async () => {
      const clock = { time: START };
      const prefix = `world-${++worlds}:`;
      const [a, b] = ['a', 'b'].map((owner) => openRedisLimits({ connection, owner, prefix, now: () => clock.time }));
      const ask = { keyId: 1, at: START, rules: [place(5)] };
      await a!.admit(ask);
      clock.time += OWNER_LEASE_MS;
      const verdicts = await Promise.all(Array.from({ length: 5 }, async () => a!.admit(ask)));
      expect(verdicts.map(({ admitted }) => admitted)).toEqual(Array(5).fill(true));
      for (const verdict of verdicts) if (verdict.admitted) verdict.lease.release();
      await connection.settled();
      const again = await Promise.all(Array.from({ length: 6 }, async () => b!.admit(ask)));
      expect(again.filter(({ admitted }) => admitted)).toHaveLength(5);
    });

    it.each([
      ['has its places again where the server was away', true, false],
      ['has lost them where it slept', false, true],
    ])('%s', async (_, wasAway, isFree) => {
      const clock = { time: START };
      const prefix = `world-${++worlds}:`;
      let isAway = false;
      const far: RedisConnection = {
        ...connection,
        run: async (...given) => {
          if (isAway) throw new LimitsUnavailable('not connected');
          return connection.run(...given);
        },
      };
      const open = (owner: string) => openRedisLimits({ connection: far, owner, prefix, now: () => clock.time });
      const [a, b] = [open('a'), open('b')];
      const streams: LimitRule = { kind: 'slot', of: 'streams', max: 2 };
      for (let n = 0; n < 2; n++) await a.admit({ keyId: 1, at: START, rules: [streams] });
      isAway = wasAway;
      if (isAway) await expect(Promise.resolve(a.renew())).rejects.toBeInstanceOf(LimitsUnavailable);
      clock.time += OWNER_LEASE_MS;
      isAway = false;
      await a.renew();
      await connection.settled();
      expect((await b.admit({ keyId: 1, at: START, rules: [streams] })).admitted).toBe(isFree);
    });
  });
});
