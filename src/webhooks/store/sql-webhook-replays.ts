import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { compileTemplate, placeholder } from '../../platform/sql/query-template.ts';
import { type SqlWebhookContext, SUBSCRIPTIONS_LOCK } from './sql-webhook-shared.ts';
import { type ReplayLimits, ReplayRunning, TooManyReplays, type WebhookStore } from './webhook-store.ts';

/**
 * Rows of a replay that change in one transaction. In this time nobody else writes, and this process does nothing else.
 */
const MESSAGES_PER_TRANSACTION = 500;
/** Far longer than a replay needs to make its messages due. A replay that died meanwhile blocks no longer than this. */
const REPLAY_START_TIMEOUT = 60_000;
const BEFORE_EVERYTHING = Number.MIN_SAFE_INTEGER;

interface ReplaySelection {
  readonly id: number;
  /** Messages with a greater id. */
  readonly from: number;
  readonly createdFrom: number;
  readonly keptAfter: number;
}

/** Makes messages due again. */
export function createReplayQueries(parts: SqlWebhookContext): Pick<WebhookStore, 'replay' | 'ownerOfDelivery'> {
  const { runner, dialect } = parts;
  const statements = replayStatements(parts);

  /**
   * @returns the id of the replay
   * @throws ReplayRunning, TooManyReplays
   */
  function* begin(id: number, now: number, { maxReplays, since }: ReplayLimits): QuerySteps<number> {
    yield dialect.lock(`replays of webhook ${id}`);
    const running = yield* queryRows(statements.running({ id, now }));
    if (running.length > 0) throw new ReplayRunning();
    const recent = yield* queryRows(statements.late({ id, since, now }));
    if (recent.length >= maxReplays) throw new TooManyReplays(recent[0]!.begun_at);
    const [started] = yield* queryRows(statements.begin({ id, now, until: now + REPLAY_START_TIMEOUT }));
    return started!.id;
  }

  function* replaySome(chosen: ReplaySelection, now: number): QuerySteps<readonly number[]> {
    yield dialect.lock(SUBSCRIPTIONS_LOCK, 'shared');
    const ids = (yield* queryRows(statements.replayable(chosen))).map((row) => row.id);
    if (ids.length === 0) return ids;
    const these = JSON.stringify(ids);
    yield [statements.promises({ these }), statements.replay({ these, now })];
    return ids;
  }

  /** If the row belongs to another subscription, no message comes after it. */
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
      // Stored before the first message: a crash in between leaves a counted replay without messages. The other order
      // could send messages without any limit.
      const replay = terms && (await runner.transact(() => begin(id, now, terms)));
      const createdFrom = 'from' in after ? after.from : BEFORE_EVERYTHING;
      const keptAfter = terms?.keptAfter ?? BEFORE_EVERYTHING;
      let from = 'deliveryId' in after ? await messageOf(id, after.deliveryId) : 0;
      let count = 0;
      for (;;) {
        const ids = await runner.transact(() => replaySome({ id, from, createdFrom, keptAfter }, now));
        count += ids.length;
        if (ids.length < MESSAGES_PER_TRANSACTION) break;
        from = ids.at(-1)!;
        await setImmediate();
      }
      // From here on the replay runs as long as one of its messages waits for its attempt.
      if (replay !== undefined) await runner.write([statements.complete({ replay })]);
      return count;
    },
  };
}

function replayStatements({ database, dialect }: SqlWebhookContext) {
  const these = dialect.jsonValues<number>(placeholder('these'), 'integer');
  return {
    active: compileTemplate(
      database
        .selectFrom('webhook_subscriptions')
        .select('id')
        .where('id', '=', placeholder<number>('id'))
        .where('is_active', '=', sql.lit(1)),
    ),
    running: compileTemplate({
      compile: () =>
        sql`select 1 where exists (
          select 1 from webhook_messages where subscription_id = ${placeholder<number>('id')} and is_replayed = 1
        ) or exists (
          select 1 from webhook_replays
          where subscription_id = ${placeholder<number>('id')} and begun_at <= ${placeholder<number>('now')}
          and begins_until > ${placeholder<number>('now')}
        )`.compile(database),
    }),
    // A replay with a start in the future comes from a wrong clock and does not count.
    late: compileTemplate<{ readonly begun_at: number }>(
      database
        .selectFrom('webhook_replays')
        .select('begun_at')
        .where('subscription_id', '=', placeholder<number>('id'))
        .where('begun_at', '>', placeholder<number>('since'))
        .where('begun_at', '<=', placeholder<number>('now'))
        .orderBy('begun_at'),
    ),
    begin: compileTemplate<{ readonly id: number }>(
      database
        .insertInto('webhook_replays')
        .values({
          subscription_id: placeholder('id'),
          begun_at: placeholder('now'),
          begins_until: placeholder('until'),
        })
        .returning('id'),
    ),
    complete: compileTemplate(
      database
        .updateTable('webhook_replays')
        .set({ begins_until: null })
        .where('id', '=', placeholder<number>('replay')),
    ),
    delivery: compileTemplate<{ readonly message_id: number; readonly subscription_id: number }>(
      database
        .selectFrom('webhook_deliveries')
        .select(['message_id', 'subscription_id'])
        .where('id', '=', placeholder<number>('deliveryId')),
    ),
    // The last id outlives the rows.
    lastDelivery: compileTemplate<{ readonly seq: number }>({
      compile: () => dialect.lastId('webhook_deliveries').compile(database),
    }),
    replayable: compileTemplate<{ readonly id: number }>(
      database
        .selectFrom('webhook_messages as m')
        .innerJoin('webhook_subscriptions as s', 's.id', 'm.subscription_id')
        .select('m.id')
        .where('m.subscription_id', '=', placeholder<number>('id'))
        .where('m.id', '>', placeholder<number>('from'))
        .where('m.created_at', '>=', placeholder<number>('createdFrom'))
        .where((where) =>
          where.or([
            where('m.created_at', '>', placeholder<number>('keptAfter')),
            where('m.next_attempt_at', 'is not', null),
          ]),
        )
        .where('s.is_active', '=', sql.lit(1))
        .orderBy('m.id')
        .limit(MESSAGES_PER_TRANSACTION)
        .$if(dialect.isShared, (query) => query.forUpdate('m')),
    ),
    promises: compileTemplate(
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
    replay: compileTemplate(
      database
        .updateTable('webhook_messages')
        .set({ attempts: 0, next_attempt_at: placeholder('now'), last_delivery_id: null, is_replayed: 1 })
        .where('id', 'in', these),
    ),
  };
}
