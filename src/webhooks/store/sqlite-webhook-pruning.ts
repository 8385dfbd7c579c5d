import { type Kysely, sql } from 'kysely';
import type { SqliteTransactions } from '../../sqlite/query-runner.ts';
import { gap, template } from '../../sqlite/query-template.ts';
import { listed } from './sqlite-listed.ts';
import type { WebhookTables } from './sqlite-webhook-tables.ts';
import type { WebhookStore } from './webhook-store.ts';

/** What goes when it is old. */
export function webhookPruning(
  database: Kysely<WebhookTables>,
  transactions: SqliteTransactions,
): Pick<WebhookStore, 'prune'> {
  const statements = pruneStatements(database);
  return {
    async prune(outdated, limit) {
      return transactions.withinUnflushed(() => {
        const messages = transactions.all(statements.messages({ until: outdated.messages, limit }));
        if (messages.length > 0) {
          transactions.run(statements.charges({ these: JSON.stringify(messages.map((row) => row.webhook_id)) }));
          transactions.run(statements.dropMessages({ these: JSON.stringify(messages.map((row) => row.id)) }));
        }
        const rows = transactions.run(statements.dropRows({ until: outdated.rows, limit }));
        const replays = transactions.run(statements.dropReplays({ until: outdated.replays, limit }));
        return Math.max(messages.length, rows, replays) >= limit;
      });
    },
  };
}

function pruneStatements(database: Kysely<WebhookTables>) {
  const until = gap<number>('until');
  const limit = gap<number>('limit');
  const rows = database
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('delivered_at', '<=', until)
    .orderBy('delivered_at')
    .limit(limit);
  const replays = database.selectFrom('webhook_replays').select('id').where('begun_at', '<=', until).limit(limit);
  return {
    messages: template<{ readonly id: number; readonly webhook_id: string }>(
      database
        .selectFrom('webhook_messages')
        .select(['id', 'webhook_id'])
        .where('next_attempt_at', 'is', null)
        .where('created_at', '<=', until)
        .orderBy('created_at')
        .limit(limit),
    ),
    // A charge that is not taken yet outlives its message.
    charges: template(
      database
        .deleteFrom('webhook_charges')
        .where('webhook_id', 'in', listed<string>('these'))
        .where('is_taken', '=', sql.lit(1)),
    ),
    dropMessages: template(database.deleteFrom('webhook_messages').where('id', 'in', listed<number>('these'))),
    dropRows: template(database.deleteFrom('webhook_deliveries').where('id', 'in', rows)),
    dropReplays: template(database.deleteFrom('webhook_replays').where('id', 'in', replays)),
  };
}
