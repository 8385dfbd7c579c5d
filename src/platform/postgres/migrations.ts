import { type Kysely, sql } from 'kysely';

/**
 * The tables of one subject. The number of the steps is their version. A release adds one step to a subject at most, and
 * a step leaves what the release before it uses: the two run side by side.
 */
export interface Migrations {
  /** Names the subject for good: registries hold it. */
  readonly subject: string;
  /** Each makes the tables of one version from those of the one before, in a transaction. They never change. */
  readonly steps: readonly ((db: Kysely<any>) => Promise<void>)[];
}

/** The registry's tables are of a version that this program is too old for. */
class RegistryTooNew extends Error {
  readonly code = 'registry_too_new';
  constructor(subject: string, stands: number, known: number) {
    super(
      `the registry holds version ${stands} of ${subject}, and this program knows version ${known}: ` +
        'it works beside the version that follows its own, and no later one',
    );
    this.name = 'RegistryTooNew';
  }
}

const TABLE = 'schema_versions';
/** Of the advisory lock, among all that use the same database. Never changes. */
const LOCK = 5_817_204_391;
const UNDEFINED_TABLE = '42P01';

/**
 * Brings the tables to the versions that this program knows. Processes that start at once do it one after the other.
 * @param db its statements may take long
 * @throws RegistryTooNew
 */
export async function migrate(db: Kysely<any>, all: readonly Migrations[]): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    await transaction.schema
      .createTable(TABLE)
      .ifNotExists()
      .addColumn('subject', 'text', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    const versions = await readVersions(transaction);
    for (const { subject, steps } of all) {
      const stands = versions.get(subject) ?? 0;
      assertKnown(subject, stands, steps.length);
      if (stands >= steps.length) continue;
      for (const step of steps.slice(stands)) await step(transaction);
      await transaction
        .insertInto(TABLE)
        .values({ subject, version: steps.length })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet({ version: steps.length }))
        .execute();
    }
  });
}

/** Whether the tables are as this program wants them, without a lock. @throws RegistryTooNew */
export async function isMigrated(db: Kysely<any>, all: readonly Migrations[]): Promise<boolean> {
  const versions = await readVersions(db).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code === UNDEFINED_TABLE) return new Map<string, number>();
    throw error;
  });
  for (const { subject, steps } of all) assertKnown(subject, versions.get(subject) ?? 0, steps.length);
  return all.every(({ subject, steps }) => (versions.get(subject) ?? 0) >= steps.length);
}

async function readVersions(db: Kysely<any>): Promise<Map<string, number>> {
  const rows = await db.selectFrom(TABLE).select(['subject', 'version']).execute();
  return new Map(rows.map(({ subject, version }) => [subject as string, version as number]));
}

function assertKnown(subject: string, stands: number, known: number): void {
  if (stands > known + 1) throw new RegistryTooNew(subject, stands, known);
}
