import type { IdentityDesk } from '../../web/account/admin/identity-desk.ts';
import type { Ports } from '../composition/ports.ts';
import { newestActs, readActs } from './act-rows.ts';
import { doAct, type MendingParts } from './do-act.ts';
import { findDuplicates } from './duplicates.ts';
import { waitingRows } from './waiting-rows.ts';

interface DeskParts {
  readonly ports: Pick<Ports, 'log' | 'store' | 'identities' | 'clock'>;
  /** Absent: this process takes no messages in. */
  readonly intake: Pick<MendingParts, 'intake' | 'preview'> | undefined;
}

/** What the staff page for mended identities reads and does. */
export function createIdentityDesk({ ports, intake }: DeskParts): IdentityDesk {
  const { log, store, identities, clock } = ports;
  return {
    waiting: async (after, limit) => waitingRows(store, await identities.listWaitingGroups(after, limit)),
    async duplicates(limit) {
      const rows = [];
      for await (const row of findDuplicates({ store, identities })) {
        rows.push(row);
        if (rows.length === limit) break;
      }
      return rows;
    },
    acts: async (before, limit) => newestActs(await readActs(log), before, limit),
    ...(intake && {
      act: (wanted, isTrial) => doAct({ ...intake, identities, log, now: clock.now }, wanted, isTrial),
    }),
  };
}
