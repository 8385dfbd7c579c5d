import { type QuerySteps, queryRows, runStepsTogether } from '../../platform/sql/query-runner.ts';
import type { SqlWebhookContext } from './sql-webhook-shared.ts';
import { allocateShards, type ShardLease } from './webhook-shards.ts';
import type { WebhookStore } from './webhook-store.ts';

const LEASES_LOCK = 'webhook dispatchers';

/** The leases of dispatchers on shards. */
export function createLeaseQueries({
  database,
  runner,
  dialect,
}: SqlWebhookContext): Pick<WebhookStore, 'claim' | 'release'> {
  /** Deletes the shards of leases that no longer exist. */
  const freeShards = () =>
    database
      .deleteFrom('webhook_shards')
      .where('epoch', 'not in', (from) => from.selectFrom('webhook_dispatchers').select('epoch'));

  function* claim(owner: string, now: number, until: number | null): QuerySteps<ShardLease> {
    yield [
      ...dialect.lock(LEASES_LOCK),
      database.deleteFrom('webhook_dispatchers').where('until', '<=', now).where('owner', '!=', owner),
      freeShards(),
    ];
    const [[own], leases, shards] = yield* runStepsTogether(
      queryRows<{ readonly epoch: number }>(
        database
          .insertInto('webhook_dispatchers')
          .values({ owner, until })
          .onConflict((conflict) => conflict.column('owner').doUpdateSet({ until }))
          .returning('epoch'),
      ),
      queryRows(database.selectFrom('webhook_dispatchers').select('epoch')),
      queryRows(database.selectFrom('webhook_shards').selectAll()),
    );
    const { epoch } = own!;
    const heldBy = new Map(shards.map((row) => [row.shard, row.epoch]));
    const {
      held,
      taken: allocated,
      requestedByOthers,
    } = allocateShards(
      leases.map((lease) => lease.epoch),
      heldBy,
      epoch,
    );
    const rows = allocated.map((shard) => ({ shard, epoch }));
    if (rows.length > 0) yield database.insertInto('webhook_shards').values(rows);
    return { epoch, shards: [...held, ...allocated].sort((a, b) => a - b), requestedByOthers };
  }

  function* release(owner: string, shards: ReadonlySet<number> | undefined): QuerySteps<void> {
    yield dialect.lock(LEASES_LOCK);
    const own = database.selectFrom('webhook_dispatchers').select('epoch').where('owner', '=', owner);
    if (shards === undefined) {
      yield database.deleteFrom('webhook_dispatchers').where('owner', '=', owner);
      yield freeShards();
    } else if (shards.size > 0) {
      yield database
        .deleteFrom('webhook_shards')
        .where('shard', 'in', [...shards])
        .where('epoch', 'in', own);
    }
  }

  return {
    claim: (owner, now, forMs) =>
      runner.transact(() => claim(owner, now, forMs === Number.POSITIVE_INFINITY ? null : now + forMs)),
    release: (owner, shards) => runner.transact(() => release(owner, shards)),
  };
}
