import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectRedis, type RedisConnection } from '../../../src/platform/redis-connection.ts';
import { EngineMissing, programsFolder, type RunningEngine } from '../../../src/server/engines/engine.ts';
import { freePort } from '../../../src/server/engines/free-port.ts';
import { redis } from '../../../src/server/engines/redis.ts';

/** Why no server can be started here; undefined where one can. */
export const whyNoRedis: string | undefined = await redis.fetch(programsFolder()).then(
  () => undefined,
  (error: unknown) => {
    if (error instanceof EngineMissing) return error.message;
    throw error;
  },
);

/** For the title of a suite that needs the server. */
export const redisTitle = (title: string): string =>
  whyNoRedis === undefined ? title : `${title} (skipped: ${whyNoRedis})`;

/** A server of a test file, in a folder of its own. */
export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  readonly folder: string;
  connect(onRoundTrip?: () => void): Promise<RedisConnection>;
  /** Kills it. */
  kill(): Promise<void>;
  /** Starts it again at the same port. @param isEmpty with nothing of what it knew */
  startAgain(isEmpty: boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-redis-'));
  const port = await freePort();
  const start = () => redis.start({ folder, port, programs: programsFolder() });
  let running: RunningEngine = await start();
  const connections: RedisConnection[] = [];
  return {
    url: running.url,
    folder,
    get pid() {
      return running.pid;
    },
    async connect(onRoundTrip) {
      const connection = connectRedis({ url: running.url, onRoundTrip });
      connections.push(connection);
      await connection.ready();
      return connection;
    },
    async kill() {
      process.kill(running.pid, 'SIGKILL');
      await running.ended;
    },
    async startAgain(isEmpty) {
      if (isEmpty) rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true });
      running = await start();
    },
    async stop() {
      await Promise.all(connections.map((connection) => connection.close()));
      await running.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
