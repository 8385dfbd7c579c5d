import type { Kysely } from 'kysely';
import { SQLITE, type SqlDialect } from '../../../platform/sql/dialects.ts';

interface PlanChangeTable {
  slug: string;
  /** JSON: members over those of the configuration; null: the plan is deleted. */
  content: string | null;
  /** Goes up with each change of the row. */
  version: number;
}

export interface PlanChangeTables {
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
