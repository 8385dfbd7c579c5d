import type { Kysely } from 'kysely';
import { toPosition } from '../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { Postgres } from '../../platform/postgres/open-postgres.ts';
import { POSTGRES } from '../../platform/sql/dialects.ts';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import type { StateSnapshots } from './state-snapshots.ts';

interface DeciderStateTable {
  stream: string;
  revision: number;
  /** As text, since it may exceed the safe integers. */
  position: string;
  version: number;
  state: Uint8Array;
}

export async function createDeciderStateTable({ schema }: Kysely<any>): Promise<void> {
  await schema
    .createTable('decider_states')
    .ifNotExists()
    .addColumn('stream', 'text', (column) => column.primaryKey())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('position', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('state', 'bytea', (column) => column.notNull())
    .execute();
}

/**
 * Snapshots that all intake processes share: each continues where another has stopped. While the database is
 * unavailable there are no snapshots, and streams are folded from the log, so that messages which need no identities
 * still go through.
 */
export function postgresStateSnapshots({ db, runner }: Pick<Postgres, 'db' | 'runner'>): StateSnapshots {
  const database = db as Kysely<{ decider_states: DeciderStateTable }>;
  const select = compileTemplate<DeciderStateTable>(
    database
      .selectFrom('decider_states')
      .selectAll()
      .where('stream', 'in', POSTGRES.jsonValues<string>(placeholder('streams'), 'text')),
  );
  return {
    async load(streams) {
      if (streams.length === 0) return new Map();
      const rows = await runner.all(select({ streams: JSON.stringify(streams) })).catch(noneWhenUnavailable);
      return new Map(rows.map(({ position, ...row }) => [row.stream, { ...row, position: toPosition(position) }]));
    },
    async save(snapshots) {
      if (snapshots.length === 0) return;
      const rows = snapshots.map(({ position, state, ...row }) => ({
        ...row,
        position: String(position),
        state: Buffer.from(state),
      }));
      const put = database
        .insertInto('decider_states')
        .values(rows)
        .onConflict((conflict) =>
          conflict.column('stream').doUpdateSet(({ ref }) => ({
            revision: ref('excluded.revision'),
            position: ref('excluded.position'),
            version: ref('excluded.version'),
            state: ref('excluded.state'),
          })),
        );
      await runner.all(put).catch(noneWhenUnavailable);
    },
  };
}

function noneWhenUnavailable(error: unknown): never[] {
  if (error instanceof UnavailableError) return [];
  throw error;
}
