import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { EngineMissing, programsFolder, type RunningEngine } from '../../src/server/engines/engine.ts';
import { freePort } from '../../src/server/engines/free-port.ts';
import { kafkaEngine } from '../../src/server/engines/kafka.ts';

/** Why no server can be started on this machine, for the title of a suite; empty if one can. */
export const withoutKafka: string = await kafkaEngine.fetch(programsFolder()).then(
  () => '',
  (error: unknown) => {
    if (error instanceof EngineMissing) return `skipped: ${error.message}`;
    throw error;
  },
);

export interface KafkaServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  /** Kills the process, as a crash of the machine would. */
  kill(): Promise<void>;
  /** Starts again, at the same port, with the same data. */
  start(): Promise<void>;
  /** Stops it, and deletes all its data. */
  lose(): Promise<void>;
}

/** One server for a test file, started before its tests and stopped after them. */
export function kafkaServer(): KafkaServer {
  let folder: string;
  let port: number;
  let engine: RunningEngine | undefined;
  const own = () => join(folder, 'broker');

  async function start(): Promise<void> {
    engine = await kafkaEngine.start({ folder: own(), port, programs: programsFolder() });
  }
  async function kill(): Promise<void> {
    process.kill(engine!.pid, 'SIGKILL');
    await engine!.ended;
  }

  beforeAll(async () => {
    if (withoutKafka !== '') return;
    folder = mkdtempSync(join(tmpdir(), 'ledgerline-kafka-'));
    port = await freePort();
    await start();
  }, 120_000);
  afterAll(async () => {
    await engine?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  return {
    start,
    kill,
    stop: async () => engine?.stop(),
    async lose() {
      await kill();
      rmSync(own(), { recursive: true, force: true });
    },
    get url() {
      return engine!.url;
    },
    get pid() {
      return engine!.pid;
    },
  };
}
