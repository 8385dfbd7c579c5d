import { type Kysely, sql } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';
import { type QueryRunner, type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import type { KeyTables } from '../../keys/key-tables.ts';
import type { PlanChangeStore, PlanContent } from '../model/billing-stores.ts';

/** A store in a relational database. @param runner its transactions are atomic */
export function createSqlPlanChanges(registry: Kysely<any>, runner: QueryRunner, dialect: SqlDialect): PlanChangeStore {
  const database = registry as Kysely<PlanChangeTables & Pick<KeyTables, 'accounts'>>;

  /** Two changes of one plan at the same time both take effect, if they change different members. */
  function* put(slug: string, contentOf: (before: PlanContent) => PlanContent): QuerySteps<void> {
    yield dialect.lock(`plan ${slug}`);
    const [before] = yield* queryRows(database.selectFrom('plan_changes').select('content').where('slug', '=', slug));
    const content = contentOf(parsePlanContent(before?.content ?? null));
    const text = content && JSON.stringify(content);
    yield* queryRows(
      database
        .insertInto('plan_changes')
        .values({ slug, content: text, version: 1 })
        .onConflict((conflict) =>
          conflict.column('slug').doUpdateSet({ content: text, version: sql`plan_changes.version + 1` }),
        ),
    );
  }

  function* remove(slug: string): QuerySteps<boolean> {
    const [account] = yield* queryRows(database.selectFrom('accounts').select('id').where('plan', '=', slug).limit(1));
    if (account) return false;
    yield* put(slug, () => null);
    return true;
  }

  return {
    async all() {
      const rows = await database.selectFrom('plan_changes').select(['slug', 'content']).execute();
      return new Map(rows.map(({ slug, content }) => [slug, parsePlanContent(content)]));
    },
    change: (slug, members) => runner.transact(() => put(slug, (before) => ({ ...before, ...members }))),
    remove: (slug) => runner.transact(() => remove(slug)),
    async accounts() {
      const rows = await database
        .selectFrom('accounts')
        .select(({ fn }) => ['plan', fn.countAll<number>().as('count')])
        .groupBy('plan')
        .execute();
      return new Map(rows.map(({ plan, count }) => [plan, Number(count)]));
    },
  };
}

const parsePlanContent = (text: string | null): PlanContent =>
  text === null ? null : (JSON.parse(text) as PlanContent);

interface PlanChangeTable {
  slug: string;
  /** JSON: members that replace those of the configuration; null: the plan is deleted. */
  content: string | null;
  /** Increases with each change of the row. */
  version: number;
}

interface PlanChangeTables {
  plan_changes: PlanChangeTable;
}

export async function createPlanChangeTables(
  { schema }: Kysely<any>,
  { types: { integer } }: SqlDialect = SQLITE,
): Promise<void> {
  await schema
    .createTable('plan_changes')
    .ifNotExists()
    .addColumn('slug', 'text', (column) => column.primaryKey())
    .addColumn('content', 'text')
    .addColumn('version', integer, (column) => column.notNull())
    .execute();
}
