import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { EngineMissing, programsFolder, type RunningEngine } from '../../../src/server/engines/engine.ts';
import { freePort } from '../../../src/server/engines/free-port.ts';
import { postgresEngine } from '../../../src/server/engines/postgres.ts';

/** Why no server can be started on this machine; empty: one can. To stand in a suite's title. */
export const withoutPostgres: string = await postgresEngine.fetch(programsFolder()).then(
  () => '',
  (error: unknown) => {
    if (error instanceof EngineMissing) return `skipped: ${error.message}`;
    throw error;
  },
);

export interface PostgresServer {
  /** Address of a new, empty database. */
  database(): Promise<string>;
  /** As an operator does. */
  stop(): Promise<void>;
  /** As the machine does. */
  kill(): Promise<void>;
  /** Again, at the same port, with the same data. */
  start(): Promise<void>;
  readonly pid: number;
}

/** One server for a test file, begun before its tests and ended after them. */
export function postgresServer(): PostgresServer {
  let folder: string;
  let port: number;
  let engine: RunningEngine | undefined;
  let databases = 0;

  async function start(): Promise<void> {
    engine = await postgresEngine.start({ folder: join(folder, 'registry'), port, programs: programsFolder() });
  }

  beforeAll(async () => {
    if (withoutPostgres !== '') return;
    folder = mkdtempSync(join(tmpdir(), 'ledgerline-postgres-'));
    // It does not run as root, and enters this folder all the same.
    chmodSync(folder, 0o711);
    port = await freePort();
    await start();
  }, 60_000);
  afterAll(async () => {
    await engine?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  return {
    start,
    stop: async () => engine?.stop(),
    async kill() {
      process.kill(engine!.pid, 'SIGKILL');
      await engine!.ended;
    },
    get pid() {
      return engine!.pid;
    },
    async database() {
      const name = `test_${databases++}`;
      const client = new Client({ connectionString: engine!.url });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      const url = new URL(engine!.url);
      url.pathname = `/${name}`;
      return url.href;
    },
  };
}
