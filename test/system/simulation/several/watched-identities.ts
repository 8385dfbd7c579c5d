import type { Identities } from '../../../../src/ingest/identities/identities.ts';
import { createMemoryIdentities } from '../../../ingest/identities/memory-identities.ts';
import type { World } from '../world.ts';

/** The registry that outlives the processes, which sees to it that no id is given twice. */
export function createWatchedIdentities(world: World): { open(): Identities } {
  const inner = createMemoryIdentities();
  const given = new Set<string>();
  return {
    open() {
      const identities = inner.open();
      return {
        ...identities,
        async allocate(kind, count) {
          const ids = await identities.allocate(kind, count);
          for (const id of ids) {
            world.check(!given.has(`${kind} ${id}`), () => `${kind} ${id} was given twice`);
            given.add(`${kind} ${id}`);
          }
          return ids;
        },
      };
    },
  };
}
