import { numberedActs } from '../../../commands/identity-decider.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { DAY } from '../../domain/primitives/time.ts';
import type { ActContent } from '../../domain/streams/identity-stream.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import type {
  ActRow,
  DuplicateRow,
  IdentityDesk,
  ShownAct,
  ShownDuplicate,
  ShownWaiting,
} from '../../web/account/admin/identity-desk.ts';
import { newestActs, type RecordedActs, readActs } from './act-rows.ts';
import { withTargets } from './act-targets.ts';
import { isShortMove, tryChange, viewEvents } from './changed-events.ts';
import { doAct, type MendingParts } from './do-act.ts';
import { findDuplicates } from './duplicates.ts';
import { thingRows } from './thing-rows.ts';
import { messageRows } from './waiting-messages.ts';
import { waitingRows } from './waiting-rows.ts';

/** The page looks at events that start from so many days ago on: a league has thousands. */
const SHOWN_DAYS = 30;
/** Messages of a group, or of a dismissal, that the page shows. The command lists more. */
const SHOWN_MESSAGES = 10;

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

  /** What an act that nobody has done yet would change. */
  async function tried(acts: RecordedActs, content: ActContent) {
    const [before, act] = [numberedActs(acts.state), { act: acts.records.length + 1, content }];
    return (await isShortMove(log, before, act)) ? tryChange({ log, identities }, before, act) : undefined;
  }

  async function shownDuplicate(row: DuplicateRow, acts: RecordedActs): Promise<ShownDuplicate> {
    if (row.what !== 'event') return row;
    const [from, into] = [row.b.id, row.a.id];
    const refs = { fromRef: null, intoRef: null, sport: '', league: '' };
    const change = await tried(acts, { action: 'merge', what: 'event', from, into, ...refs });
    const merged = change && (change.becomes ?? (await viewEvents(log, { from, into }))?.into);
    return merged ? { ...row, merged } : row;
  }

  async function shownAct(row: ActRow, acts: RecordedActs): Promise<ShownAct> {
    const { act, action, at, undone_by } = row;
    const { content } = acts.records[act - 1]!;
    if (undone_by !== null) return row;
    if (action === 'dismiss') return { ...row, messages: await messageRows(identities, { act }, SHOWN_MESSAGES) };
    const root = content.action === 'undo' ? content.root : content.action;
    const undoing = await tried(acts, { action: 'undo', undoes: act, undone: { at, action }, root });
    return undoing ? { ...row, undoing } : row;
  }

  return {
    async waiting(after, limit) {
      const parts = { store, identities };
      const rows = await waitingRows(parts, await identities.listWaitingGroups(after, limit));
      const shown: ShownWaiting[] = [];
      for (const row of rows) {
        const ids = [...row.candidates, ...row.near].flatMap(({ event_id }) => event_id ?? []);
        const found = await store.getMany<EventDocument>(events.name, ids.map(String));
        const documents = found.flatMap((stored) => (stored ? [stored.document] : []));
        const things = await thingRows({ identities }, 'event', documents);
        shown.push({ ...row, things, messages: await messageRows(identities, row.id, SHOWN_MESSAGES) });
      }
      return shown;
    },
    async duplicates(limit) {
      const rows: ShownDuplicate[] = [];
      const acts = await readActs(log);
      const since = clock.now() - SHOWN_DAYS * DAY;
      for await (const row of findDuplicates({ store, identities, since, replacements: log.replacements })) {
        rows.push(await shownDuplicate(row, acts));
        if (rows.length === limit) break;
      }
      return rows;
    },
    async acts(before, limit) {
      const acts = await readActs(log);
      const rows: ShownAct[] = [];
      const parts = { store, replacements: log.replacements };
      for await (const row of withTargets(parts, acts, newestActs(acts, before, limit))) {
        rows.push(await shownAct(row, acts));
      }
      return rows;
    },
    ...(intake && {
      act: (wanted, isTrial) => doAct({ ...intake, identities, log, now: clock.now }, wanted, isTrial),
    }),
  };
}
