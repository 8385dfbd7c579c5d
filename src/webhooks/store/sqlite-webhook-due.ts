import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SqliteTransactions } from '../../sqlite/query-runner.ts';
import { gap, template } from '../../sqlite/query-template.ts';
import { SHARDS } from './shards.ts';
import { listed } from './sqlite-listed.ts';
import { type MessageRow, toMessage } from './sqlite-webhook-rows.ts';
import type { WebhookTables } from './sqlite-webhook-tables.ts';
import type { WebhookStore } from './webhook-store.ts';

interface NextDue {
  readonly at: number | null;
}

const json = (ids: Iterable<number> = []): string => JSON.stringify([...ids]);
/** As a limit. */
const ALL = -1;

/** What is to be sent now, and when there is something again. */
export function webhookDue(
  database: Kysely<WebhookTables>,
  transactions: SqliteTransactions,
): Pick<WebhookStore, 'due' | 'nextDueAt'> {
  const statements = dueStatements(database);
  return {
    async due(now, limit, except, shards, { only, atHand, most = ALL } = {}) {
      const sets = { except: json(except), atHand: json(atHand), shards: json(shards), only: json(only) };
      const { ofAll, ofShards, ofSome, ofSomeInShards } = statements;
      const wanted = only ? (shards ? ofSomeInShards : ofSome) : shards ? ofShards : ofAll;
      const found = transactions.all(wanted({ ...sets, now, limit, most }));
      if (found.length === 0) return [];
      return transactions.all(statements.messages({ these: json(found.map(({ id }) => id)) })).map(toMessage);
    },
    async nextDueAt(after, shards) {
      const next = shards ? statements.nextOf({ after, shards: json(shards) }) : statements.next({ after });
      const [row] = transactions.all(next);
      return row?.at ?? null;
    },
  };
}

function dueStatements(database: Kysely<WebhookTables>) {
  // All that have something pending, by leaps through the index.
  const pending = sql`
    with recursive waiting(id) as (
      select min(subscription_id) from webhook_messages where next_attempt_at is not null
      union all
      select (
        select min(subscription_id) from webhook_messages
        where next_attempt_at is not null and subscription_id > waiting.id
      ) from waiting where waiting.id is not null
    )`;
  const some = sql`with waiting(id) as ${listed<number>('only')}`;
  // Of each its first, by their ids: bodies are read of what is wanted in the end alone.
  const due = (waiting: RawBuilder<unknown>, isWanted: RawBuilder<unknown>) => {
    const query = sql<{ readonly id: number }>`${waiting}
    select m.id from waiting
    join webhook_messages as m on m.id in (
      select id from webhook_messages
      where subscription_id = waiting.id and next_attempt_at <= ${gap<number>('now')}
      and id not in ${listed<number>('atHand')}
      order by next_attempt_at, id limit ${gap<number>('limit')}
    )
    where waiting.id not in ${listed<number>('except')} and ${isWanted}
    order by m.next_attempt_at, m.id limit ${gap<number>('most')}`;
    return template<{ readonly id: number }>({ compile: () => query.compile(database) });
  };
  const messages = sql<MessageRow>`
    select m.*, exists (select 1 from webhook_charges where webhook_id = m.webhook_id) as is_paid
    from webhook_messages as m where m.id in ${listed<number>('these')}
    order by m.next_attempt_at, m.id`;
  // One dispatcher alone, as on one machine, need not look at shards.
  const all = sql`true`;
  const inShards = sql`waiting.id % ${sql.lit(SHARDS)} in ${listed<number>('shards')}`;
  const pendingAfter = database.selectFrom('webhook_messages').where('next_attempt_at', '>', gap<number>('after'));
  return {
    messages: template<MessageRow>({ compile: () => messages.compile(database) }),
    ofAll: due(pending, all),
    ofShards: due(pending, inShards),
    ofSome: due(some, all),
    ofSomeInShards: due(some, inShards),
    next: template<NextDue>(pendingAfter.select(({ fn }) => fn.min('next_attempt_at').as('at'))),
    // In the order of the index, up to the first of these shards: not over all that is pending.
    nextOf: template<NextDue>(
      pendingAfter
        .select('next_attempt_at as at')
        .where(sql<number>`subscription_id % ${sql.lit(SHARDS)}`, 'in', listed<number>('shards'))
        .orderBy('next_attempt_at')
        .limit(1),
    ),
  };
}
