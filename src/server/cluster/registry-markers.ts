import { createHmac } from 'node:crypto';
import type { PartitionCountStore } from '../../messaging/broker/topics.ts';
import type { Migrations } from '../../platform/postgres/migrations.ts';
import type { Postgres } from '../../platform/postgres/open-postgres.ts';
import { renameTable } from '../../platform/postgres/renamed-table.ts';
import { ConfigError } from '../../platform/settings/config-error.ts';

/** Values that all processes of a cluster must agree on. The first process writes them. */
export const MARKER_MIGRATIONS: Migrations = {
  subject: 'marks',
  steps: [
    async (db) => {
      await db.schema
        .createTable('marks')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
        .execute();
    },
    (db) => renameTable(db, { from: 'marks', to: 'cluster_settings' }),
  ],
};

const PARTITIONS = 'partitions';
const PEPPER = 'pepper';

/** @param db with `MARKER_MIGRATIONS` */
export function registryMarkers({ db }: Pick<Postgres, 'db'>) {
  async function read(name: string): Promise<string | undefined> {
    const row = await db.selectFrom('cluster_settings').select('value').where('name', '=', name).executeTakeFirst();
    return row?.value;
  }

  /** @returns the value that is stored from now on */
  async function begin(name: string, value: string): Promise<string> {
    const marked = db.insertInto('cluster_settings').values({ name, value });
    await marked.onConflict((conflict) => conflict.column('name').doNothing()).execute();
    return (await read(name)) ?? value;
  }

  return {
    /** @throws ConfigError if the registry was created with another pepper: every key would be unknown */
    async checkPepper(pepper: string): Promise<void> {
      const mark = createHmac('sha256', pepper).update('ledgerline key pepper').digest('hex');
      if ((await begin(PEPPER, mark)) === mark) return;
      throw new ConfigError('KEY_PEPPER', 'is not the one that the registry was begun with');
    },
    partitions: {
      async read() {
        const value = await read(PARTITIONS);
        return value === undefined ? undefined : Number(value);
      },
      async write(partitions) {
        await begin(PARTITIONS, String(partitions));
      },
    } satisfies PartitionCountStore,
  };
}
