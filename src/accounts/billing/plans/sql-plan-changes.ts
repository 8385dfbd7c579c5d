import { type Kysely, sql } from 'kysely';
import type { SqlDialect } from '../../../platform/sql/dialects.ts';
import { type QueryRunner, rowsOf, type Steps } from '../../../platform/sql/query-runner.ts';
import type { KeyTables } from '../../keys/key-tables.ts';
import type { PlanChanges, PlanContent } from './plan-changes.ts';
import type { PlanChangeTables } from './plan-tables.ts';

/** In a relational database, through the query builder. @param runner its transactions go through or leave nothing */
export function sqlPlanChanges(registry: Kysely<any>, runner: QueryRunner, dialect: SqlDialect): PlanChanges {
  const database = registry as Kysely<PlanChangeTables & Pick<KeyTables, 'accounts'>>;

  /** Two who change one plan at once each change their own members. */
  function* put(slug: string, contentOf: (before: PlanContent) => PlanContent): Steps<void> {
    yield dialect.lock(`plan ${slug}`);
    const [before] = yield* rowsOf(database.selectFrom('plan_changes').select('content').where('slug', '=', slug));
    const content = contentOf(contentIn(before?.content ?? null));
    const text = content && JSON.stringify(content);
    yield* rowsOf(
      database
        .insertInto('plan_changes')
        .values({ slug, content: text, version: 1 })
        .onConflict((conflict) =>
          conflict.column('slug').doUpdateSet({ content: text, version: sql`plan_changes.version + 1` }),
        ),
    );
  }

  function* remove(slug: string): Steps<boolean> {
    const [account] = yield* rowsOf(database.selectFrom('accounts').select('id').where('plan', '=', slug).limit(1));
    if (account) return false;
    yield* put(slug, () => null);
    return true;
  }

  return {
    async all() {
      const rows = await database.selectFrom('plan_changes').select(['slug', 'content']).execute();
      return new Map(rows.map(({ slug, content }) => [slug, contentIn(content)]));
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

const contentIn = (text: string | null): PlanContent => (text === null ? null : (JSON.parse(text) as PlanContent));
