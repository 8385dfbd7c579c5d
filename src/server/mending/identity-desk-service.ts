import { numberedActs } from '../../../commands/identity-decider.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { DAY } from '../../domain/primitives/time.ts';
import type { ActContent } from '../../domain/streams/identity-stream.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import { parseGroupId } from '../../ingest/identities/waiting-groups.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import type {
  ActRow,
  DuplicateRow,
  IdentityDesk,
  ShownAct,
  ShownDuplicate,
  ShownWaiting,
  WaitingRow,
} from '../../web/account/admin/identity-desk.ts';
import { newestActs, type RecordedActs, readActs } from './act-rows.ts';
import { withTargets } from './act-targets.ts';
import { isShortMove, tryChange, viewEvents } from './changed-events.ts';
import { dismissSource } from './dismiss-source.ts';
import { doAct, type MendingParts } from './do-act.ts';
import { findDuplicates } from './duplicates.ts';
import { thingRows } from './thing-rows.ts';
import { messageRows } from './waiting-messages.ts';
import { waitingRows } from './waiting-rows.ts';

/** The page looks at events that start from so many days ago on: a league has thousands. */
const SHOWN_DAYS = 30;
/** Messages of a group, or of a dismissal, that the page shows. The command lists more. */
const SHOWN_MESSAGES = 10;
const GROUPS_AT_ONCE = 100;
/** Groups that a page looks through for a reason. */
const MOST_LOOKED_AT = 2000;

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

  async function shownWaiting(row: WaitingRow): Promise<ShownWaiting> {
    const ids = [...row.candidates, ...row.near].flatMap(({ event_id }) => event_id ?? []);
    const found = await store.getMany<EventDocument>(events.name, ids.map(String));
    const documents = found.flatMap((stored) => (stored ? [stored.document] : []));
    const things = await thingRows({ identities }, 'event', documents);
    return { ...row, things, messages: await messageRows(identities, row.id, SHOWN_MESSAGES) };
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
    return { ...row, root, ...(undoing && { undoing }) };
  }

  return {
    async waiting({ after, limit, source, reason }) {
      const rows: ShownWaiting[] = [];
      const parts = { store, identities, directory: store };
      // The id of a group begins with its source.
      const first = source === undefined ? null : `${source} `;
      let last = after === null || (first !== null && after < first) ? first : after;
      for (let looked = 0; looked < MOST_LOOKED_AT; looked += GROUPS_AT_ONCE) {
        const groups = await identities.listWaitingGroups(last, GROUPS_AT_ONCE);
        for (const group of groups) {
          if (source !== undefined && parseGroupId(group.id)?.source !== source) return { rows, next: null };
          if (rows.length === limit) return { rows, next: last };
          last = group.id;
          if (reason !== undefined && group.oldest.code !== reason) continue;
          for (const row of await waitingRows(parts, [group])) rows.push(await shownWaiting(row));
        }
        if (groups.length < GROUPS_AT_ONCE) return { rows, next: null };
      }
      return { rows, next: last };
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
      dismissSource: (source, said, isTrial) =>
        dismissSource({ ...intake, identities, now: clock.now }, source, said, isTrial),
    }),
  };
}
