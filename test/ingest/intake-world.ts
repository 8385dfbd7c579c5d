import { openRegistry } from '../../src/composition/registry.ts';
import { SqlIdentities } from '../../src/identities/sql-identities.ts';
import { FeedIntake } from '../../src/ingest/feed-intake.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { openSqliteDatabase } from '../../src/sqlite/sqlite-database.ts';
import { LATER } from './feed-messages.ts';
import type { IntakeWorld } from './intake.contract.ts';

/** Feed intakes on one log and one registry in memory, each with identities of its own. */
export async function newIntakeWorld(around: (log: EventLog) => EventLog = (log) => log): Promise<IntakeWorld> {
  const log = around(createMemoryLog({ now: () => LATER }));
  const registry = await openRegistry(openSqliteDatabase({ file: ':memory:' }));
  let opened = 0;
  return {
    log,
    async open() {
      const identities = await SqlIdentities.open(registry);
      const owner = `intake-${++opened}`;
      const ports = { log, identities, owner };
      const intake = new FeedIntake({ ...ports, now: () => LATER, pause: async () => {}, random: () => 0 });
      await intake.resume();
      return intake;
    },
    waiting: async () => (await (await SqlIdentities.open(registry)).listWaiting(1000)).length,
    async close() {
      await registry.destroy();
      await log.close();
    },
  };
}
