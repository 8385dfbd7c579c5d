import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  connectRedis,
  createScript,
  LimitsUnavailable,
  type RedisConnection,
} from '../../../src/platform/redis-connection.ts';
import { EngineMissing, type RunningEngine } from '../../../src/server/engines/engine.ts';
import { freePort } from '../../../src/server/engines/free-port.ts';
import { redis } from '../../../src/server/engines/redis.ts';
import { redisTitle, whyNoRedis } from './redis-server.ts';

const SET = createScript("return redis.call('SET', KEYS[1], ARGV[1]) and 1");
const GET = createScript("return redis.call('GET', KEYS[1])");
const CONFIG = createScript("return redis.call('CONFIG', 'SET', ARGV[1], ARGV[2])");

describe.skipIf(whyNoRedis !== undefined)(redisTitle('a Redis server that is started here'), () => {
  let folder: string;
  let running: RunningEngine;
  let warnings: string[];
  const connections: RedisConnection[] = [];
  const start = async (port: number) => redis.start({ folder, port, programs: join(folder, 'none') });
  const connect = async (url = running.url) => {
    const connection = connectRedis({ url, onWarning: (text) => warnings.push(text) });
    connections.push(connection);
    await connection.ready();
    return connection;
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerline-redis-'));
    warnings = [];
    running = await start(await freePort());
  });
  afterEach(async () => {
    await Promise.all(connections.splice(0).map((connection) => connection.close()));
    await running.stop();
    rmSync(folder, { recursive: true });
  });

  it('has after its end and a new start what it was told, and is set so that nothing has to be warned of', async () => {
    const before = await connect();
    await before.run(SET, ['a'], ['told']);
    const { runId } = before;
    await running.stop();
    running = await start(Number(new URL(running.url).port));
    const after = await connect();
    expect(await after.run(GET, ['a'], [])).toBe('told');
    expect(after.runId).not.toBe(runId);
    await after.ping();
    expect(warnings).toEqual([]);
  });

  it('that is set otherwise is warned of, once a setting', async () => {
    const first = await connect();
    // A script may not set what the server is.
    await expect(first.run(CONFIG, [], ['appendonly', 'no'])).rejects.toBeInstanceOf(LimitsUnavailable);
    await running.stop();
    const port = Number(new URL(running.url).port);
    running = await start(port);
    await settingOf(port, 'maxmemory-policy', 'allkeys-lru');
    await connect();
    while (warnings.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([
      'limits: the server has maxmemory-policy allkeys-lru; with anything but noeviction it may lose what it acknowledged',
    ]);
  });

  it('whose password is wrong is away, and nobody is told the password', async () => {
    const connection = connectRedis({ url: running.url.replace('redis://', 'redis://:secret-word@') });
    connections.push(connection);
    await settingOf(Number(new URL(running.url).port), 'requirepass', 'other');
    const wrong = connectRedis({ url: running.url.replace('redis://', 'redis://:secret-word@') });
    connections.push(wrong);
    let failure: unknown;
    do failure = await wrong.ping().catch((error: unknown) => error);
    while (!String(failure).includes('WRONGPASS') && (await pause()));
    expect(failure).toBeInstanceOf(LimitsUnavailable);
    expect(String((failure as Error).stack)).not.toContain('secret-word');
  });
});

it('a program that is not there is told with the way to get it', async () => {
  const path = process.env['PATH'];
  process.env['PATH'] = '';
  try {
    const missing = await redis.fetch('/nowhere').catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(EngineMissing);
    expect((missing as Error).message).toMatch(/redis-server.*apt-get install.*LIMITS_URL/);
  } finally {
    process.env['PATH'] = path;
  }
});

const pause = () => new Promise<true>((resolve) => setImmediate(() => resolve(true)));

/** As its operator would set it. */
async function settingOf(port: number, name: string, value: string): Promise<void> {
  const { Redis } = await import('ioredis');
  const client = new Redis({ port, host: '127.0.0.1' });
  await client.config('SET', name, value);
  client.disconnect();
}
