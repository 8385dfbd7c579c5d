import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openPostgres } from '../../../src/platform/postgres/open-postgres.ts';
import { REGISTRY_MIGRATIONS } from '../../../src/server/cluster/registry-migrations.ts';
import type { EngineName } from '../../../src/server/engines/engine.ts';
import { startDouble } from '../../../src/server/engines/event-log-double/double-server.ts';
import { freePort } from '../../../src/server/engines/free-port.ts';

/** What a cluster keeps: a log, databases and topics of its own on the engines of the run. */
export interface ClusterWorld {
  readonly addresses: Readonly<Record<EngineName, string>>;
  /** Of its topics, groups, and names at the engine of limits. */
  readonly prefix: string;
  /** Goes by this clock from here on, in milliseconds. */
  setClock(now: () => number): void;
  close(): Promise<void>;
}

/** Those that outlive their servers, by the folder that an embedded server would have. They end with the run. */
const kept = new Map<string, Promise<ClusterWorld>>();

/** @param folder whose servers go on where the one before ended; absent: a world for one server */
export async function clusterWorld(folder: string | undefined): Promise<ClusterWorld> {
  if (folder === undefined) return openWorld();
  const known = kept.get(folder) ?? openWorld();
  kept.set(folder, known);
  return { ...(await known), close: async () => {} };
}

async function openWorld(): Promise<ClusterWorld> {
  const engines = inject('engines');
  const name = `t${randomBytes(6).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-log-'));
  let clock: () => number = Date.now;
  const port = await freePort();
  const double = await startDouble({ folder, port, now: () => clock() });
  const store = new URL(engines['read-store']!);
  store.pathname = `/${name}`;
  return {
    addresses: {
      'event-log': `esdb://127.0.0.1:${port}?tls=false`,
      'read-store': store.href,
      registry: await newDatabase(engines.registry!, name),
      limits: engines.limits!,
      broker: engines.broker!,
    },
    prefix: `${name}.`,
    setClock(now) {
      clock = now;
    },
    async close() {
      double.close();
      rmSync(folder, { recursive: true, force: true });
      await onServer(engines.registry!, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

const TEMPLATE = 'migrated';
let template: Promise<void> | undefined;

/** Copied from one that has all tables: making them takes longer than most tests. */
async function newDatabase(url: string, name: string): Promise<string> {
  template ??= makeTemplate(url);
  await template;
  await onServer(url, async (client) => {
    // Copies of one database are made one after the other.
    await client.query('select pg_advisory_lock(1)');
    await client.query(`create database ${name} template ${TEMPLATE}`);
  });
  return ofDatabase(url, name);
}

/** By the first process of the run that needs it. */
async function makeTemplate(url: string): Promise<void> {
  await onServer(url, async (client) => {
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount !== 0) return;
    await client.query(`create database ${TEMPLATE}`);
    const postgres = openPostgres(ofDatabase(url, TEMPLATE), { migrations: REGISTRY_MIGRATIONS });
    await postgres.ping();
    await postgres.close();
  });
}

function ofDatabase(url: string, name: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

async function onServer(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}
