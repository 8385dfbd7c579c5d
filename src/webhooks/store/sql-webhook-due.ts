import { type RawBuilder, sql } from 'kysely';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import { type MessageRow, toMessage } from './sql-webhook-rows.ts';
import type { SqlWebhookContext } from './sql-webhook-shared.ts';
import { SHARDS } from './webhook-shards.ts';
import type { WebhookStore } from './webhook-store.ts';

interface NextDue {
  readonly at: number | null;
}

const jsonIds = (ids: Iterable<number> = []): string => JSON.stringify([...ids]);
/** As a limit. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Due messages, and the next time when a message is due. */
export function createDueQueries(parts: SqlWebhookContext): Pick<WebhookStore, 'due' | 'nextDueAt'> {
  const { runner } = parts;
  const statements = dueStatements(parts);
  return {
    async due(now, limit, except, shards, { onlySubscriptions, exceptMessages, maxMessages = NO_LIMIT } = {}) {
      const sets = {
        except: jsonIds(except),
        atHand: jsonIds(exceptMessages),
        shards: jsonIds(shards),
        only: jsonIds(onlySubscriptions),
      };
      const { ofAll, ofShards, ofSome, ofSomeInShards } = statements;
      const wanted = onlySubscriptions ? (shards ? ofSomeInShards : ofSome) : shards ? ofShards : ofAll;
      const found = await runner.all(wanted({ ...sets, now, limit, most: maxMessages }));
      if (found.length === 0) return [];
      return (await runner.all(statements.messages({ these: jsonIds(found.map(({ id }) => id)) }))).map(toMessage);
    },
    async nextDueAt(after, shards) {
      const next = shards ? statements.nextOf({ after, shards: jsonIds(shards) }) : statements.next({ after });
      const [row] = await runner.all(next);
      return row?.at ?? null;
    },
  };
}

function dueStatements({ database, dialect }: SqlWebhookContext) {
  const listed = (name: string) => dialect.jsonValues<number>(placeholder(name), 'integer');
  // Subscriptions with pending messages, found by a loose index scan.
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
    where subscription_id = waiting.id and next_attempt_at <= ${placeholder<number>('now')} and id not in ${listed('atHand')}
    order by next_attempt_at, id limit ${placeholder<number>('limit')}`;
  // The ids of each subscription's first messages. Bodies are read later, only for the chosen messages.
  const withFirst = dialect.isShared
    ? sql`cross join lateral (${firstOfEach}) as m`
    : sql`join webhook_messages as m on m.id in (${firstOfEach})`;
  const due = (waiting: RawBuilder<unknown>, isWanted: RawBuilder<unknown>) => {
    const query = sql<{ readonly id: number }>`${waiting}
    select m.id from waiting ${withFirst}
    where waiting.id not in ${listed('except')} and ${isWanted}
    order by m.next_attempt_at, m.id limit ${placeholder<number>('most')}`;
    return compileTemplate<{ readonly id: number }>({ compile: () => query.compile(database) });
  };
  const messages = sql<MessageRow>`
    select m.*,
      case when exists (select 1 from webhook_charges where webhook_id = m.webhook_id) then 1 else 0 end as is_paid
    from webhook_messages as m where m.id in ${listed('these')}
    order by m.next_attempt_at, m.id`;
  // A single dispatcher need not look at shards.
  const all = sql`true`;
  const inShards = sql`waiting.id % ${sql.lit(SHARDS)} in ${listed('shards')}`;
  const pendingAfter = database
    .selectFrom('webhook_messages')
    .where('next_attempt_at', '>', placeholder<number>('after'));
  return {
    messages: compileTemplate<MessageRow>({ compile: () => messages.compile(database) }),
    ofAll: due(pending, all),
    ofShards: due(pending, inShards),
    ofSome: due(some, all),
    ofSomeInShards: due(some, inShards),
    next: compileTemplate<NextDue>(pendingAfter.select(({ fn }) => fn.min('next_attempt_at').as('at'))),
    // Walks the index up to the first message of these shards, instead of reading all pending messages.
    nextOf: compileTemplate<NextDue>(
      pendingAfter
        .select('next_attempt_at as at')
        .where(sql<number>`subscription_id % ${sql.lit(SHARDS)}`, 'in', listed('shards'))
        .orderBy('next_attempt_at')
        .limit(1),
    ),
  };
}
