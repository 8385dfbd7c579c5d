import { type Kysely, sql } from 'kysely';

/**
 * The tables of one subject. Their version is the number of steps. A release adds at most one step to a subject, and a
 * step keeps everything that the release before uses, since both run side by side.
 */
export interface Migrations {
  /** The name of the subject. It must never change, since registries store it. */
  readonly subject: string;
  /** Each step creates one version from the version before, in a transaction. Steps never change. */
  readonly steps: readonly ((db: Kysely<any>) => Promise<void>)[];
}

/** This program is too old for the version of the registry's tables. */
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
/** The advisory lock's number, among all users of the same database. Must never change. */
const LOCK = 5_817_204_391;
const UNDEFINED_TABLE = '42P01';

/**
 * Migrates the tables to the versions that this program knows. Processes that start at once migrate one after the
 * other.
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

/** Whether the tables have the needed versions. Takes no lock. @throws RegistryTooNew */
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
