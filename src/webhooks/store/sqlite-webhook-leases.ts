import type { Kysely } from 'kysely';
import type { SqliteTransactions } from '../../sqlite/query-runner.ts';
import { dealOut } from './shards.ts';
import type { WebhookTables } from './sqlite-webhook-tables.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Which dispatcher sends for which shards. */
export function webhookLeases(
  database: Kysely<WebhookTables>,
  transactions: SqliteTransactions,
): Pick<WebhookStore, 'claim' | 'release'> {
  /** Shards of leases that are no more belong to nobody. */
  const freeShards = () =>
    database
      .deleteFrom('webhook_shards')
      .where('epoch', 'not in', (from) => from.selectFrom('webhook_dispatchers').select('epoch'));

  return {
    async claim(owner, now, forMs) {
      const until = forMs === Number.POSITIVE_INFINITY ? null : now + forMs;
      return transactions.within(() => {
        const over = database.deleteFrom('webhook_dispatchers').where('until', '<=', now).where('owner', '!=', owner);
        transactions.run(over);
        transactions.run(freeShards());
        const [own] = transactions.all<{ readonly epoch: number }>(
          database
            .insertInto('webhook_dispatchers')
            .values({ owner, until })
            .onConflict((conflict) => conflict.column('owner').doUpdateSet({ until }))
            .returning('epoch'),
        );
        const { epoch } = own!;
        const leases = transactions.all(database.selectFrom('webhook_dispatchers').select('epoch'));
        const shards = transactions.all(database.selectFrom('webhook_shards').selectAll());
        const heldBy = new Map(shards.map((row) => [row.shard, row.epoch]));
        const { held, taken, asked } = dealOut(
          leases.map((lease) => lease.epoch),
          heldBy,
          epoch,
        );
        const rows = taken.map((shard) => ({ shard, epoch }));
        if (rows.length > 0) transactions.run(database.insertInto('webhook_shards').values(rows));
        return { epoch, shards: [...held, ...taken].sort((a, b) => a - b), asked };
      });
    },
    async release(owner, shards) {
      transactions.within(() => {
        if (shards === undefined) {
          transactions.run(database.deleteFrom('webhook_dispatchers').where('owner', '=', owner));
          transactions.run(freeShards());
          return;
        }
        const own = database
          .deleteFrom('webhook_shards')
          .where('shard', 'in', [...shards])
          .where('epoch', 'in', (from) =>
            from.selectFrom('webhook_dispatchers').select('epoch').where('owner', '=', owner),
          );
        transactions.run(own);
      });
    },
  };
}
