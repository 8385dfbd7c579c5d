import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { SqliteTransactions } from '../../sqlite/query-runner.ts';
import { gap, template } from '../../sqlite/query-template.ts';
import { listed } from './sqlite-listed.ts';
import type { WebhookTables } from './sqlite-webhook-tables.ts';
import { ReplayRunning, type ReplayTerms, TooManyReplays, type WebhookStore } from './webhook-store.ts';

/** Rows of a replay that change together: nobody else writes meanwhile, and nothing else happens in this process. */
const AT_ONCE = 500;
/** Far longer than a replay takes to make its messages due: one that died on the way is waited for no longer. */
const BEGINS_WITHIN = 60_000;
const ALL = Number.MIN_SAFE_INTEGER;

interface Chosen {
  readonly id: number;
  /** The messages after this one. */
  readonly from: number;
  readonly createdFrom: number;
  readonly keptAfter: number;
}

/** What is sent once more. */
export function webhookReplays(
  database: Kysely<WebhookTables>,
  transactions: SqliteTransactions,
): Pick<WebhookStore, 'replay' | 'ownerOfDelivery'> {
  const statements = replayStatements(database);

  /** @returns what the replay is called. @throws ReplayRunning, TooManyReplays */
  function begin(id: number, now: number, { most, since }: ReplayTerms): number {
    const until = now + BEGINS_WITHIN;
    return transactions.within(() => {
      if (transactions.all(statements.running({ id, now })).length > 0) throw new ReplayRunning();
      const late = transactions.all(statements.late({ id, since, now }));
      if (late.length >= most) throw new TooManyReplays(late[0]!.begun_at);
      return transactions.all(statements.begin({ id, now, until }))[0]!.id;
    });
  }

  function replaySome(chosen: Chosen, now: number): readonly number[] {
    return transactions.within(() => {
      const rows = transactions.all(statements.replayable(chosen));
      const ids = rows.map((row) => row.id);
      if (ids.length === 0) return ids;
      const these = JSON.stringify(ids);
      transactions.run(statements.promises({ these }));
      transactions.run(statements.replay({ these, now }));
      return ids;
    });
  }

  /** Nothing comes after a row that is none of the subscription's. */
  function messageOf(subscriptionId: number, deliveryId: number): number {
    const [row] = transactions.all(statements.delivery({ deliveryId }));
    return row?.subscription_id === subscriptionId ? row.message_id : Number.MAX_SAFE_INTEGER;
  }

  return {
    async ownerOfDelivery(deliveryId) {
      const [row] = transactions.all(statements.delivery({ deliveryId }));
      if (row) return row.subscription_id;
      // Its sequence outlives the rows.
      const last = transactions.all(statements.lastDelivery({}))[0]?.seq ?? 0;
      return deliveryId > 0 && deliveryId <= last ? 'gone' : undefined;
    },
    async replay(id, after, now, terms) {
      const [active] = transactions.all(statements.active({ id }));
      if (!active) return 0;
      // Before the first message: a crash in between leaves a replay that counts and did nothing, and the other way
      // round messages would be sent that no limit knows of.
      const replay = terms && begin(id, now, terms);
      const createdFrom = 'from' in after ? after.from : ALL;
      const keptAfter = terms?.keptAfter ?? ALL;
      let from = 'deliveryId' in after ? messageOf(id, after.deliveryId) : 0;
      let count = 0;
      for (;;) {
        const ids = replaySome({ id, from, createdFrom, keptAfter }, now);
        count += ids.length;
        if (ids.length < AT_ONCE) break;
        from = ids.at(-1)!;
        await setImmediate();
      }
      // From here on it runs as long as one of its messages waits for its attempt.
      if (replay !== undefined) transactions.run(statements.complete({ replay }));
      return count;
    },
  };
}

function replayStatements(database: Kysely<WebhookTables>) {
  return {
    active: template(
      database
        .selectFrom('webhook_subscriptions')
        .select('id')
        .where('id', '=', gap<number>('id'))
        .where('is_active', '=', sql.lit(1)),
    ),
    running: template({
      compile: () =>
        sql`select 1 where exists (
          select 1 from webhook_messages where subscription_id = ${gap<number>('id')} and is_replayed = 1
        ) or exists (
          select 1 from webhook_replays
          where subscription_id = ${gap<number>('id')} and begun_at <= ${gap<number>('now')}
          and begins_until > ${gap<number>('now')}
        )`.compile(database),
    }),
    // A replay of a time that is yet to come was begun by a clock that was wrong.
    late: template<{ readonly begun_at: number }>(
      database
        .selectFrom('webhook_replays')
        .select('begun_at')
        .where('subscription_id', '=', gap<number>('id'))
        .where('begun_at', '>', gap<number>('since'))
        .where('begun_at', '<=', gap<number>('now'))
        .orderBy('begun_at'),
    ),
    begin: template<{ readonly id: number }>(
      database
        .insertInto('webhook_replays')
        .values({ subscription_id: gap('id'), begun_at: gap('now'), begins_until: gap('until') })
        .returning('id'),
    ),
    complete: template(
      database.updateTable('webhook_replays').set({ begins_until: null }).where('id', '=', gap<number>('replay')),
    ),
    delivery: template<{ readonly message_id: number; readonly subscription_id: number }>(
      database
        .selectFrom('webhook_deliveries')
        .select(['message_id', 'subscription_id'])
        .where('id', '=', gap<number>('deliveryId')),
    ),
    lastDelivery: template<{ readonly seq: number }>({
      compile: () =>
        sql<{ readonly seq: number }>`select seq from sqlite_sequence where name = 'webhook_deliveries'`.compile(
          database,
        ),
    }),
    replayable: template<{ readonly id: number }>(
      database
        .selectFrom('webhook_messages as m')
        .innerJoin('webhook_subscriptions as s', 's.id', 'm.subscription_id')
        .select('m.id')
        .where('m.subscription_id', '=', gap<number>('id'))
        .where('m.id', '>', gap<number>('from'))
        .where('m.created_at', '>=', gap<number>('createdFrom'))
        .where((where) =>
          where.or([where('m.created_at', '>', gap<number>('keptAfter')), where('m.next_attempt_at', 'is not', null)]),
        )
        .where('s.is_active', '=', sql.lit(1))
        .orderBy('m.id')
        .limit(AT_ONCE),
    ),
    promises: template(
      database
        .updateTable('webhook_deliveries')
        .set({ next_retry_at: null })
        .where('next_retry_at', 'is not', null)
        .where('id', 'in', (from) =>
          from
            .selectFrom('webhook_messages')
            .select('last_delivery_id')
            .where('id', 'in', listed<number>('these'))
            .$castTo<{ last_delivery_id: number }>(),
        ),
    ),
    replay: template(
      database
        .updateTable('webhook_messages')
        .set({ attempts: 0, next_attempt_at: gap('now'), last_delivery_id: null, is_replayed: 1 })
        .where('id', 'in', listed<number>('these')),
    ),
  };
}
