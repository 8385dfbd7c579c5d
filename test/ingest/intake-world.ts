import type { EventLog } from '../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { SqlIdentities } from '../../src/ingest/identities/sql/sql-identities.ts';
import { FeedIntake } from '../../src/ingest/pipeline/feed-intake.ts';
import { openSqliteDatabase } from '../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../src/server/composition/registry.ts';
import { LATER } from './feed-messages.ts';
import type { IdentitiesWorld } from './identities/identities-kit.ts';
import type { IntakeWorld } from './intake.contract.ts';

/** A registry, and instances on it as processes have them. */
type Registry = Pick<IdentitiesWorld, 'open' | 'close'>;

async function memoryRegistry(): Promise<Registry> {
  const registry = await openRegistry(openSqliteDatabase({ file: ':memory:' }));
  return { open: () => SqlIdentities.open(registry), close: () => registry.destroy() };
}

/** Feed intakes on one log in memory and one registry, each with identities of its own. */
export async function newIntakeWorld(
  around: (log: EventLog) => EventLog = (log) => log,
  newRegistry: () => Promise<Registry> = memoryRegistry,
): Promise<IntakeWorld> {
  const log = around(createMemoryLog({ now: () => LATER }));
  const registry = await newRegistry();
  let opened = 0;
  return {
    log,
    async open() {
      const identities = await registry.open();
      const owner = `intake-${++opened}`;
      const ports = { log, identities, owner };
      const intake = new FeedIntake({ ...ports, now: () => LATER, pause: async () => {}, random: () => 0 });
      await intake.retryQuarantined();
      return intake;
    },
    waiting: async () => (await (await registry.open()).listQuarantined(1000)).length,
    async close() {
      await registry.close();
      await log.close();
    },
  };
}
