import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineMissing, programsFolder, type RunningEngine } from '../../src/server/engines/engine.ts';
import { freePort } from '../../src/server/engines/free-port.ts';
import { mongoEngine } from '../../src/server/engines/mongo.ts';

const programs = programsFolder();

/** Why there is no server of MongoDB's protocol on this machine; undefined where there is one. */
export const mongoMissing: string | undefined = await mongoEngine.fetch(programs).then(
  () => undefined,
  (error: unknown) => {
    if (!(error instanceof EngineMissing)) throw error;
    return error.message;
  },
);

export interface MongoServer {
  /** Of a database that nobody has used before. */
  url(): string;
  /** Ends it without warning. */
  kill(): Promise<void>;
  /** Again at the same port. @param empty without what it kept */
  restart(empty?: boolean): Promise<void>;
  /** Stands still, and answers nothing. */
  pause(): void;
  goOn(): void;
  stop(): Promise<void>;
}

/** A server of one test file. */
export async function startMongo(): Promise<MongoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'ledgerline-mongo-'));
  const port = await freePort();
  const start = () => mongoEngine.start({ folder, port, programs });
  let running: RunningEngine = await start();
  let databases = 0;
  return {
    url() {
      const url = new URL(running.url);
      url.pathname = `/test_${++databases}`;
      return url.href;
    },
    async kill() {
      process.kill(-running.pid, 'SIGKILL');
      await running.ended;
    },
    async restart(empty = false) {
      if (empty) await rm(folder, { recursive: true });
      running = await start();
    },
    pause: () => void process.kill(-running.pid, 'SIGSTOP'),
    goOn: () => void process.kill(-running.pid, 'SIGCONT'),
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true });
    },
  };
}
