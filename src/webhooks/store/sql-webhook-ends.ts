import { sql } from 'kysely';
import type { SecretBox } from '../../api/calls/secret-box.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { toSubscription } from './sql-webhook-rows.ts';
import { createSharedStatements, type SqlWebhookContext, SUBSCRIPTIONS_LOCK } from './sql-webhook-shared.ts';
import type { EndReason, WebhookStore } from './webhook-store.ts';

/** Subscriptions that end, and whose owners are told. */
export function createEndQueries(
  parts: SqlWebhookContext,
  box: SecretBox,
): Pick<WebhookStore, 'end' | 'endedToMail' | 'markTold'> {
  const { database, runner, dialect } = parts;
  const { bumpActiveVersion, cancelPending } = createSharedStatements(parts);

  function* end(id: number, reason: EndReason, at: number): QuerySteps<void> {
    yield dialect.lock(SUBSCRIPTIONS_LOCK);
    const ended = yield* queryRows(
      database
        .updateTable('webhook_subscriptions')
        // Who ends it need not be told.
        .set({ is_active: 0, deactivated_reason: reason, deactivated_at: at, told_at: at })
        .where('id', '=', id)
        .where('is_active', '=', 1)
        .returning('id'),
    );
    if (ended.length > 0) yield [...cancelPending(id), ...bumpActiveVersion()];
  }

  return {
    end: (id, reason, at) => runner.transact(() => end(id, reason, at)),
    async endedToMail(limit) {
      const untold = database
        .selectFrom('webhook_subscriptions')
        .selectAll()
        // Literals, so that the partial index is used.
        .where('is_active', '=', sql.lit(0))
        .where('told_at', 'is', null)
        .orderBy('id')
        .limit(limit);
      return (await runner.all(untold)).map((row) => {
        const { id, accountId, format, url, deactivated } = toSubscription(row, box);
        return { id, accountId, format, url, reason: deactivated!.reason };
      });
    },
    async markTold(ids, at) {
      if (ids.length === 0) return;
      await runner.write([
        database
          .updateTable('webhook_subscriptions')
          .set({ told_at: at })
          .where('id', 'in', [...ids]),
      ]);
    },
  };
}
