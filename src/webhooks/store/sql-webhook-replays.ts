import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import { gap, template } from '../../platform/sql/query-template.ts';
import { SUBSCRIPTIONS_LOCK, type WebhookSql } from './webhook-sql.ts';
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
export function webhookReplays(parts: WebhookSql): Pick<WebhookStore, 'replay' | 'ownerOfDelivery'> {
  const { runner, dialect } = parts;
  const statements = replayStatements(parts);

  /** @returns what the replay is called. @throws ReplayRunning, TooManyReplays */
  function* begin(id: number, now: number, { most, since }: ReplayTerms): Steps<number> {
    yield dialect.lock(`replays of webhook ${id}`);
    const running = yield* rowsOf(statements.running({ id, now }));
    if (running.length > 0) throw new ReplayRunning();
    const late = yield* rowsOf(statements.late({ id, since, now }));
    if (late.length >= most) throw new TooManyReplays(late[0]!.begun_at);
    const [begun] = yield* rowsOf(statements.begin({ id, now, until: now + BEGINS_WITHIN }));
    return begun!.id;
  }

  function* replaySome(chosen: Chosen, now: number): Steps<readonly number[]> {
    yield dialect.lock(SUBSCRIPTIONS_LOCK, 'shared');
    const ids = (yield* rowsOf(statements.replayable(chosen))).map((row) => row.id);
    if (ids.length === 0) return ids;
    const these = JSON.stringify(ids);
    yield [statements.promises({ these }), statements.replay({ these, now })];
    return ids;
  }

  /** Nothing comes after a row that is none of the subscription's. */
  async function messageOf(subscriptionId: number, deliveryId: number): Promise<number> {
    const [row] = await runner.all(statements.delivery({ deliveryId }));
    return row?.subscription_id === subscriptionId ? row.message_id : Number.MAX_SAFE_INTEGER;
  }

  return {
    async ownerOfDelivery(deliveryId) {
      const [row] = await runner.all(statements.delivery({ deliveryId }));
      if (row) return row.subscription_id;
      const [last] = await runner.all(statements.lastDelivery({}));
      return deliveryId > 0 && deliveryId <= (last?.seq ?? 0) ? 'gone' : undefined;
    },
    async replay(id, after, now, terms) {
      const [active] = await runner.all(statements.active({ id }));
      if (!active) return 0;
      // Before the first message: a crash in between leaves a replay that counts and did nothing, and the other way
      // round messages would be sent that no limit knows of.
      const replay = terms && (await runner.transact(() => begin(id, now, terms)));
      const createdFrom = 'from' in after ? after.from : ALL;
      const keptAfter = terms?.keptAfter ?? ALL;
      let from = 'deliveryId' in after ? await messageOf(id, after.deliveryId) : 0;
      let count = 0;
      for (;;) {
        const ids = await runner.transact(() => replaySome({ id, from, createdFrom, keptAfter }, now));
        count += ids.length;
        if (ids.length < AT_ONCE) break;
        from = ids.at(-1)!;
        await setImmediate();
      }
      // From here on it runs as long as one of its messages waits for its attempt.
      if (replay !== undefined) await runner.write([statements.complete({ replay })]);
      return count;
    },
  };
}

function replayStatements({ database, dialect }: WebhookSql) {
  const these = dialect.listed<number>(gap('these'), 'integer');
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
    // It outlives the rows.
    lastDelivery: template<{ readonly seq: number }>({
      compile: () => dialect.lastId('webhook_deliveries').compile(database),
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
        .limit(AT_ONCE)
        .$if(dialect.isShared, (query) => query.forUpdate('m')),
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
            .where('id', 'in', these)
            .$castTo<{ last_delivery_id: number }>(),
        ),
    ),
    replay: template(
      database
        .updateTable('webhook_messages')
        .set({ attempts: 0, next_attempt_at: gap('now'), last_delivery_id: null, is_replayed: 1 })
        .where('id', 'in', these),
    ),
  };
}
