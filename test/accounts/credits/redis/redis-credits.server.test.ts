import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balances } from '../../../../projections/accounts/balances.ts';
import { openRedisCredits, type RedisCredits } from '../../../../src/accounts/credits/redis/redis-credits.ts';
import type { AccountTerms } from '../../../../src/domain/accounts/credit-terms.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import type { RedisConnection } from '../../../../src/platform/redis-connection.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import type { ReadStore } from '../../../../src/read-models/store/read-store.ts';
import { type RedisServer, redisTitle, startRedis, whyNoRedis } from '../../../platform/redis/redis-server.ts';
import { type CreditsContract, type CreditsGround, creditsContract } from '../credits.contract.ts';
import { keyCapsContract } from '../key-caps.contract.ts';

type Ground = CreditsGround & { readonly store: ReadStore; readonly prefix: string; readonly opened: RedisCredits[] };

const terms: AccountTerms = {
  accountId: 1,
  createdAt: 0,
  plan: 'payg',
  initialCredits: 1000,
  monthlyCredits: 0,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
};
const call = { at: '2026-01-30T20:00:00Z', keyId: 7, operation: 'test', status: 200, milliseconds: 3 };

describe.skipIf(whyNoRedis !== undefined)(redisTitle('on a Redis server'), () => {
  let server: RedisServer;
  let connection: RedisConnection;
  let grounds = 0;
  let writers = 0;
  beforeAll(async () => {
    server = await startRedis();
    connection = await server.connect();
  });
  afterAll(() => server.stop());

  const contract: CreditsContract = {
    async ground(now): Promise<Ground> {
      const store = createMemoryStore();
      await store.prepare(balances, 'v1');
      const opened: RedisCredits[] = [];
      const close = async () => void (await Promise.all(opened.map((one) => one.close())));
      return { log: createMemoryLog({ now }), store, prefix: `ground-${++grounds}:`, opened, close };
    },
    open(log, ground, now) {
      const { store, prefix, opened } = ground as Ground;
      const credits = openRedisCredits({
        connection,
        log,
        store,
        prefix,
        now,
        writerId: `w${++writers}`,
        steadyNow: () => performance.now(),
        later: (callback, milliseconds) => void setTimeout(callback, milliseconds),
        graceMs: 0,
        onError() {},
      });
      opened.push(credits);
      return credits;
    },
  };
  creditsContract('Redis', contract);
  keyCapsContract('Redis', contract);

  it('given two processes, when both charge calls of one key at the same moment, then its cap holds', async () => {
    const now = () => Date.parse('2026-01-30T20:00:00Z');
    const ground = await contract.ground(now);
    const processes = [contract.open(ground.log, ground, now), contract.open(ground.log, ground, now)];
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const credits = processes[index % 2]!;
        const hold = await Promise.resolve(credits.reserve(terms, 1, undefined, { keyId: 7, credits: 10 })).catch(
          (error: { readonly code: string }) => error.code,
        );
        if (typeof hold === 'string') return hold;
        await hold.charge({ ...call, requestId: `r${index}` }, 1);
        return 'charged';
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'charged')).toHaveLength(10);
    expect(new Set(outcomes)).toEqual(new Set(['charged', 'credit_cap_exceeded']));
    await ground.close();
  });
});
