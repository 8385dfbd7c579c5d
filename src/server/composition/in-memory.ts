import { upcast } from '../../domain/upcasters.ts';
import { createLogFeed } from '../../event-log/log-feed.ts';
import { createMemoryLog } from '../../event-log/memory-log.ts';
import { createMemoryKeptResults } from '../../forecasting/memory-kept-results.ts';
import { createMemoryStateSnapshots } from '../../ingest/states/memory-state-snapshots.ts';
import { createServerClock } from '../../platform/clock/server-clock.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { createMemoryStore } from '../../read-models/store/memory-store.ts';
import type { Environment } from './environment.ts';
import type { Ports, Secrets } from './ports.ts';
import { openRegistryPorts } from './registry-ports.ts';

/**
 * Everything in the memory of this process, for tests and benchmarks: nothing of it survives `close`.
 * @param database of what is relational; closed with the ports
 */
export async function openInMemory(
  { box }: Secrets,
  { now, bootClock, logger }: Pick<Environment, 'now' | 'bootClock' | 'logger'>,
  database = openSqliteDatabase({ file: ':memory:' }),
): Promise<Ports> {
  const evidence = { mark: null, lastRecordedAt: null };
  const clock = createServerClock({ now, bootClock, ...evidence, logger });
  const log = createMemoryLog({ now: clock.stamp, upcast });
  const store = createMemoryStore();
  const registry = await openRegistryPorts(database, box, clock);
  return {
    ...registry,
    log,
    clock,
    feed: createLogFeed(log),
    store,
    states: createMemoryStateSnapshots(),
    keptResults: createMemoryKeptResults(),
    async close() {
      await store.close();
      await log.close();
      await registry.close();
    },
  };
}
