import { sql } from 'kysely';
import type { Config } from '../../platform/settings/config.ts';
import { commandEngines } from './command-engines.ts';
import { openRegistryEngine } from './engine-clients.ts';

/** What the engines of a cluster tell of their sizes. The event log tells none. */
export interface ClusterSizes {
  readonly readModels: readonly { readonly projection: string; readonly documents: number; readonly bytes: number }[];
  /** With their indexes. */
  readonly tables: readonly { readonly table: string; readonly bytes: number }[];
  readonly quarantined: number;
}

export async function measureCluster(config: Config): Promise<ClusterSizes> {
  const engines = commandEngines(config);
  try {
    const { measureMongoCollections } = await import('../../read-models/store/mongo/mongo-sizes.ts');
    const readModels = await measureMongoCollections(engines.addressOf('read-store'));
    const { db, close } = await openRegistryEngine(engines.addressOf('registry'));
    engines.closing.add(close);
    const { rows: tables } = await sql<{ table: string; bytes: string }>`
      select c.relname as "table", pg_total_relation_size(c.oid) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname = current_schema()`.execute(db);
    const { rows: waiting } = await sql<{ number: string }>`select count(*) as number from quarantine`.execute(db);
    return {
      readModels,
      tables: tables.map(({ table, bytes }) => ({ table, bytes: Number(bytes) })),
      quarantined: Number(waiting[0]!.number),
    };
  } finally {
    await engines.closing.close();
  }
}
