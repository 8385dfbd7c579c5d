import { upcast } from '../../domain/upcasters.ts';
import { createMemoryLog } from '../../event-log/storage/memory-log.ts';
import { followReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { createLogFeed } from '../../event-log/subscription/log-feed.ts';
import { createMemoryResultsStore } from '../../forecasting/learning/memory-results-store.ts';
import { createMemoryStateSnapshots } from '../../ingest/states/memory-state-snapshots.ts';
import { createServerClock } from '../../platform/clock/server-clock.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { createMemoryFoldStore } from '../../read-models/store/fold-store.ts';
import { createMemoryStore } from '../../read-models/store/memory-store.ts';
import type { Environment } from '../composition/environment.ts';
import type { Ports, Secrets } from '../composition/ports.ts';
import { openRegistryPorts } from '../composition/registry-ports.ts';

/**
 * All stores in the memory of this process, for tests and benchmarks. Nothing survives `close`.
 * @param database holds the relational tables; closed with the ports
 */
export async function openInMemory(
  { box }: Secrets,
  { now, bootClock, logger }: Pick<Environment, 'now' | 'bootClock' | 'logger'>,
  database = openSqliteDatabase({ file: ':memory:' }),
): Promise<Ports> {
  const evidence = { marker: null, lastRecordedAt: null };
  const clock = createServerClock({ now, bootClock, ...evidence, logger });
  const log = createMemoryLog({ now: clock.stamp, upcast });
  await followReplacements(log);
  const store = createMemoryStore();
  const registry = await openRegistryPorts(database, box, clock, { keepsChecksums: false });
  return {
    ...registry,
    log,
    clock,
    feed: createLogFeed(log),
    store,
    states: createMemoryStateSnapshots(),
    folds: createMemoryFoldStore(),
    results: createMemoryResultsStore(),
    async close() {
      await store.close();
      await log.close();
      await registry.close();
    },
  };
}
