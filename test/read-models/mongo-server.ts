import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
  /** Resolves when it stands still: a signal takes a moment, in which it may still answer. */
  pause(): Promise<void>;
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
    async pause() {
      process.kill(-running.pid, 'SIGSTOP');
      while (!areThreadsStopped(running.pid)) await delay(5);
    },
    goOn: () => void process.kill(-running.pid, 'SIGCONT'),
    async stop() {
      await running.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Elsewhere than on Linux nobody tells. */
function areThreadsStopped(pid: number): boolean {
  const folder = `/proc/${pid}/task`;
  if (!existsSync(folder)) return true;
  return readdirSync(folder).every((thread) => /\) T /.test(readFileSync(`${folder}/${thread}/stat`, 'latin1')));
}
