import type { Kysely } from 'kysely';
import type { SqlDialect } from '../../platform/sql/dialects.ts';
import type { QueryRunner } from '../../platform/sql/query-runner.ts';
import type { WebhookTables } from './sql-webhook-tables.ts';

/** What each part of the store works with. */
export interface WebhookSql {
  /** Builds the queries. */
  readonly database: Kysely<WebhookTables>;
  /** Runs them. */
  readonly runner: QueryRunner;
  readonly dialect: SqlDialect;
}

/**
 * Who makes messages due shares it, who ends all that subscriptions have pending has it alone: what is made due for one
 * that ends at the same moment would stay.
 */
export const SUBSCRIPTIONS_LOCK = 'webhook subscriptions';
