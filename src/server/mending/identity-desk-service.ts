import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { DAY } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import type { DuplicateRow, IdentityDesk, ShownWaiting } from '../../web/account/admin/identity-desk.ts';
import { newestActs, readActs } from './act-rows.ts';
import { doAct, type MendingParts } from './do-act.ts';
import { findDuplicates } from './duplicates.ts';
import { thingRows } from './thing-rows.ts';
import { waitingRows } from './waiting-rows.ts';

/** The page looks at events that start from so many days ago on: a league has thousands. */
const SHOWN_DAYS = 30;

interface DeskParts {
  readonly ports: {
    readonly log: EventLog;
    readonly store: DocumentReader;
    readonly identities: Identities;
    readonly clock: { readonly now: () => number };
  };
  /** Absent: this process takes no messages in. */
  readonly intake: Pick<MendingParts, 'intake' | 'preview'> | undefined;
}

/** What the staff page for mended identities reads and does. */
export function createIdentityDesk({ ports, intake }: DeskParts): IdentityDesk {
  const { log, store, identities, clock } = ports;
  return {
    async waiting(after, limit) {
      const rows = await waitingRows(store, await identities.listWaitingGroups(after, limit));
      const shown: ShownWaiting[] = [];
      for (const row of rows) {
        const ids = row.candidates.flatMap(({ event_id }) => (event_id === null ? [] : [String(event_id)]));
        const found = await store.getMany<EventDocument>(events.name, ids);
        const documents = found.flatMap((stored) => (stored ? [stored.document] : []));
        shown.push({ ...row, things: await thingRows({ identities }, 'event', documents) });
      }
      return shown;
    },
    async duplicates(limit) {
      const rows: DuplicateRow[] = [];
      for await (const row of findDuplicates({ store, identities, since: clock.now() - SHOWN_DAYS * DAY })) {
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
