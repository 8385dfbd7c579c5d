import { afterAll, beforeAll, describe } from 'vitest';
import { balances } from '../../../../projections/accounts/balances.ts';
import { openRedisCredits, type RedisCredits } from '../../../../src/accounts/credits/redis/redis-credits.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import type { RedisConnection } from '../../../../src/platform/redis-connection.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import type { ReadStore } from '../../../../src/read-models/store/read-store.ts';
import { type RedisServer, redisTitle, startRedis, whyNoRedis } from '../../../platform/redis/redis-server.ts';
import { type CreditsGround, creditsContract } from '../credits.contract.ts';

type Ground = CreditsGround & { readonly store: ReadStore; readonly prefix: string; readonly opened: RedisCredits[] };

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

  creditsContract('Redis', {
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
  });
});
