import { type RawBuilder, sql } from 'kysely';
import { gap, template } from '../../platform/sql/query-template.ts';
import { SHARDS } from './shards.ts';
import { type MessageRow, toMessage } from './sql-webhook-rows.ts';
import type { WebhookSql } from './webhook-sql.ts';
import type { WebhookStore } from './webhook-store.ts';

interface NextDue {
  readonly at: number | null;
}

const json = (ids: Iterable<number> = []): string => JSON.stringify([...ids]);
/** As a limit. */
const ALL = Number.MAX_SAFE_INTEGER;

/** What is to be sent now, and when there is something again. */
export function webhookDue(parts: WebhookSql): Pick<WebhookStore, 'due' | 'nextDueAt'> {
  const { runner } = parts;
  const statements = dueStatements(parts);
  return {
    async due(now, limit, except, shards, { only, atHand, most = ALL } = {}) {
      const sets = { except: json(except), atHand: json(atHand), shards: json(shards), only: json(only) };
      const { ofAll, ofShards, ofSome, ofSomeInShards } = statements;
      const wanted = only ? (shards ? ofSomeInShards : ofSome) : shards ? ofShards : ofAll;
      const found = await runner.all(wanted({ ...sets, now, limit, most }));
      if (found.length === 0) return [];
      return (await runner.all(statements.messages({ these: json(found.map(({ id }) => id)) }))).map(toMessage);
    },
    async nextDueAt(after, shards) {
      const next = shards ? statements.nextOf({ after, shards: json(shards) }) : statements.next({ after });
      const [row] = await runner.all(next);
      return row?.at ?? null;
    },
  };
}

function dueStatements({ database, dialect }: WebhookSql) {
  const listed = (name: string) => dialect.listed<number>(gap(name), 'integer');
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
  const some = sql`with waiting(id) as ${listed('only')}`;
  const firstOfEach = sql`
    select ${dialect.isShared ? sql`id, next_attempt_at` : sql`id`} from webhook_messages
    where subscription_id = waiting.id and next_attempt_at <= ${gap<number>('now')} and id not in ${listed('atHand')}
    order by next_attempt_at, id limit ${gap<number>('limit')}`;
  // Of each its first, by their ids: bodies are read of what is wanted in the end alone.
  const withFirst = dialect.isShared
    ? sql`cross join lateral (${firstOfEach}) as m`
    : sql`join webhook_messages as m on m.id in (${firstOfEach})`;
  const due = (waiting: RawBuilder<unknown>, isWanted: RawBuilder<unknown>) => {
    const query = sql<{ readonly id: number }>`${waiting}
    select m.id from waiting ${withFirst}
    where waiting.id not in ${listed('except')} and ${isWanted}
    order by m.next_attempt_at, m.id limit ${gap<number>('most')}`;
    return template<{ readonly id: number }>({ compile: () => query.compile(database) });
  };
  const messages = sql<MessageRow>`
    select m.*,
      case when exists (select 1 from webhook_charges where webhook_id = m.webhook_id) then 1 else 0 end as is_paid
    from webhook_messages as m where m.id in ${listed('these')}
    order by m.next_attempt_at, m.id`;
  // One dispatcher alone, as on one machine, need not look at shards.
  const all = sql`true`;
  const inShards = sql`waiting.id % ${sql.lit(SHARDS)} in ${listed('shards')}`;
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
        .where(sql<number>`subscription_id % ${sql.lit(SHARDS)}`, 'in', listed('shards'))
        .orderBy('next_attempt_at')
        .limit(1),
    ),
  };
}
