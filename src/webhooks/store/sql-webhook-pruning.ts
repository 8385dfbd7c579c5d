import { sql } from 'kysely';
import { rowsOf, type Steps, together } from '../../platform/sql/query-runner.ts';
import { gap, template } from '../../platform/sql/query-template.ts';
import type { WebhookSql } from './webhook-sql.ts';
import type { Outdated, WebhookStore } from './webhook-store.ts';

/** What goes when it is old. */
export function webhookPruning(parts: WebhookSql): Pick<WebhookStore, 'prune'> {
  const statements = pruneStatements(parts);

  function* prune(outdated: Outdated, limit: number): Steps<boolean> {
    const messages = yield* rowsOf(statements.messages({ until: outdated.messages, limit }));
    if (messages.length > 0) {
      yield [
        statements.charges({ these: JSON.stringify(messages.map((row) => row.webhook_id)) }),
        statements.dropMessages({ these: JSON.stringify(messages.map((row) => row.id)) }),
      ];
    }
    const [rows, replays] = yield* together(
      rowsOf(statements.dropRows({ until: outdated.rows, limit })),
      rowsOf(statements.dropReplays({ until: outdated.replays, limit })),
    );
    return Math.max(messages.length, rows.length, replays.length) >= limit;
  }

  return { prune: (outdated, limit) => parts.runner.transact(() => prune(outdated, limit), { isFlushed: false }) };
}

function pruneStatements({ database, dialect }: WebhookSql) {
  const until = gap<number>('until');
  const limit = gap<number>('limit');
  const these = <T>(type: 'text' | 'integer') => dialect.listed<T>(gap('these'), type);
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
        .limit(limit)
        // One that somebody replays at this moment stays.
        .$if(dialect.isShared, (query) => query.forUpdate().skipLocked()),
    ),
    // A charge that is not taken yet outlives its message.
    charges: template(
      database
        .deleteFrom('webhook_charges')
        .where('webhook_id', 'in', these<string>('text'))
        .where('is_taken', '=', sql.lit(1)),
    ),
    dropMessages: template(database.deleteFrom('webhook_messages').where('id', 'in', these<number>('integer'))),
    dropRows: template(database.deleteFrom('webhook_deliveries').where('id', 'in', rows).returning('id')),
    dropReplays: template(database.deleteFrom('webhook_replays').where('id', 'in', replays).returning('id')),
  };
}
