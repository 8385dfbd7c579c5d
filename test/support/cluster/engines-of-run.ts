import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import type { Engine, EngineName } from '../../../src/server/engines/engine.ts';
import { programsFolder } from '../../../src/server/engines/engine.ts';
import { freePort } from '../../../src/server/engines/free-port.ts';
import { kafkaEngine } from '../../../src/server/engines/kafka.ts';
import { mongoEngine } from '../../../src/server/engines/mongo.ts';
import { postgresEngine } from '../../../src/server/engines/postgres.ts';
import { redis } from '../../../src/server/engines/redis.ts';

/** The event log is none of these: each server has a double of its own, which goes by the test's clock. */
const ENGINES: readonly Engine[] = [kafkaEngine, mongoEngine, postgresEngine, redis];

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of the engines of this run. */
    readonly engines: Readonly<Partial<Record<EngineName, string>>>;
  }
}

/** Starts the engines that all tests of a run share. Without one of them nothing would be tested: then the run fails. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = programsFolder();
  await Promise.all(ENGINES.map((engine) => engine.fetch(programs)));
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-engines-'));
  // PostgreSQL does not run as root, and enters this folder all the same.
  chmodSync(folder, 0o711);
  const running = await Promise.all(
    ENGINES.map(async (engine) =>
      engine.start({ folder: join(folder, engine.name), port: await freePort(), programs }),
    ),
  );
  await commitWithoutWaiting(running.find(({ name }) => name === 'registry')!.url);
  // A run that is broken off ends without its teardown.
  const kill = (): void => {
    for (const { pid } of running) process.kill(-pid, 'SIGKILL');
  };
  process.once('exit', kill);
  project.provide('engines', Object.fromEntries(running.map(({ name, url }) => [name, url])));
  return async () => {
    process.off('exit', kill);
    await Promise.all(running.map((engine) => engine.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
}

/** No test of the run kills PostgreSQL: its servers need not wait for the disk, for which many of them would queue. */
async function commitWithoutWaiting(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('alter system set synchronous_commit = off');
  await client.query('select pg_reload_conf()');
  await client.end();
}
