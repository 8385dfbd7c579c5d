import { sql } from 'kysely';
import { type QuerySteps, queryRows, runStepsTogether } from '../../platform/sql/query-runner.ts';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import type { SqlWebhookContext } from './sql-webhook-shared.ts';
import type { PruneCutoffs, WebhookStore } from './webhook-store.ts';

/** Deletes outdated rows. */
export function createPruningQueries(parts: SqlWebhookContext): Pick<WebhookStore, 'prune'> {
  const statements = pruneStatements(parts);

  function* prune(outdated: PruneCutoffs, limit: number): QuerySteps<boolean> {
    const messages = yield* queryRows(statements.messages({ until: outdated.messages, limit }));
    if (messages.length > 0) {
      yield [
        statements.charges({ these: JSON.stringify(messages.map((row) => row.webhook_id)) }),
        statements.dropMessages({ these: JSON.stringify(messages.map((row) => row.id)) }),
      ];
    }
    const [rows, slots, replays] = yield* runStepsTogether(
      queryRows(statements.dropRows({ until: outdated.deliveries, limit })),
      queryRows(statements.dropSlots({ until: outdated.messages, limit })),
      queryRows(statements.dropReplays({ until: outdated.replays, limit })),
    );
    return Math.max(messages.length, rows.length, slots.length, replays.length) >= limit;
  }

  return { prune: (outdated, limit) => parts.runner.transact(() => prune(outdated, limit), { isFlushed: false }) };
}

function pruneStatements({ database, dialect }: SqlWebhookContext) {
  const until = placeholder<number>('until');
  const limit = placeholder<number>('limit');
  const these = <T>(type: 'text' | 'integer') => dialect.jsonValues<T>(placeholder('these'), type);
  const rows = database
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('delivered_at', '<=', until)
    .orderBy('delivered_at')
    .limit(limit);
  const replays = database.selectFrom('webhook_replays').select('id').where('begun_at', '<=', until).limit(limit);
  return {
    messages: compileTemplate<{ readonly id: number; readonly webhook_id: string }>(
      database
        .selectFrom('webhook_messages')
        .select(['id', 'webhook_id'])
        .where('next_attempt_at', 'is', null)
        .where('created_at', '<=', until)
        .orderBy('created_at')
        .limit(limit)
        // Skip messages that are being replayed at this moment.
        .$if(dialect.isShared, (query) => query.forUpdate().skipLocked()),
    ),
    // A charge that is not collected yet outlives its message.
    charges: compileTemplate(
      database
        .deleteFrom('webhook_charges')
        .where('webhook_id', 'in', these<string>('text'))
        .where('is_taken', '=', sql.lit(1)),
    ),
    dropMessages: compileTemplate(database.deleteFrom('webhook_messages').where('id', 'in', these<number>('integer'))),
    dropRows: compileTemplate(database.deleteFrom('webhook_deliveries').where('id', 'in', rows).returning('id')),
    dropSlots: compileTemplate<{ readonly event_id: number }>({
      compile: () =>
        sql<{ readonly event_id: number }>`delete from webhook_quiet where (subscription_id, event_id) in (
          select subscription_id, event_id from webhook_quiet where slot_at <= ${until} order by slot_at limit ${limit}
        ) returning event_id`.compile(database),
    }),
    dropReplays: compileTemplate(database.deleteFrom('webhook_replays').where('id', 'in', replays).returning('id')),
  };
}
