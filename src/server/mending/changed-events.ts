import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { connectedEvents, rootMove } from '../../domain/identities/connected-events.ts';
import type { NumberedAct } from '../../domain/identities/stream-replacements.ts';
import { streams } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import { tryMove } from '../../ingest/mending/trial-move.ts';
import { eventName } from '../../read-models/rendering/render-event.ts';
import type { ChangedEvents, EventView } from '../../web/account/admin/identity-desk.ts';
import { documentsFromLog } from './documents-from-log.ts';

type ReadLog = Pick<EventLog, 'readStream' | 'replacements' | 'head'>;
type Documents = ReturnType<typeof documentsFromLog>;

/** The events of a merge or a split, each by what it is called in the row of the act. */
export interface ViewedEvents {
  readonly into: EventView | undefined;
  readonly from: EventView | undefined;
}

interface Ids {
  readonly from: number;
  readonly into: number;
}

/** What the events of an act are now; undefined if it moves nothing between events. */
export async function viewEvents(
  log: Pick<EventLog, 'readStream' | 'replacements'>,
  ids: Ids | undefined,
): Promise<ViewedEvents | undefined> {
  const isItself = (id: number) => log.replacements.meaningOf('event', id) === id;
  return ids && viewBoth(documentsFromLog(log), ids, isItself);
}

/** Records of schedules and scores that a page tries to move: some tens of milliseconds of work. */
const MAX_TRIED = 2000;

/** Whether an act moves something between events that have few records enough to try it for a page. */
export async function isShortMove(
  log: Pick<EventLog, 'readStream' | 'replacements'>,
  before: readonly NumberedAct[],
  act: NumberedAct,
): Promise<boolean> {
  const acts = [...before, act];
  const ids = rootMove(acts, act);
  if (!ids) return false;
  let records = 0;
  for (const id of connectedEvents(acts, [ids.from, ids.into])) {
    for (const stream of log.replacements.allOf(streams.event(id))) {
      const [last] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
      records += last ? last.revision + 1 : 0;
    }
  }
  return records <= MAX_TRIED;
}

/** What an act would change, by doing it in memory. @param before the acts before it */
export async function tryChange(
  { log, identities }: { readonly log: ReadLog; readonly identities: Pick<Identities, 'listRefs' | 'listNames'> },
  before: readonly NumberedAct[],
  act: NumberedAct,
): Promise<ChangedEvents> {
  const ids = rootMove([...before, act], act);
  const tried = await tryMove({ log, identities }, before, act);
  if (!ids || !tried) return {};
  try {
    const now = await viewEvents(log, ids);
    return changesOf(now, await viewBoth(documentsFromLog(tried), ids, tried.isItself));
  } finally {
    await tried.close();
  }
}

export function changesOf(before: ViewedEvents | undefined, after: ViewedEvents | undefined): ChangedEvents {
  const changed = (which: keyof ViewedEvents) => {
    const view = after?.[which];
    return view && JSON.stringify(view) !== JSON.stringify(before?.[which]) ? view : undefined;
  };
  const [into, from] = [changed('into'), changed('from')];
  return { ...(into && { becomes: into }), ...(from && { from_becomes: from }) };
}

async function viewBoth(documents: Documents, { from, into }: Ids, isItself: (id: number) => boolean) {
  const view = (id: number) => (isItself(id) ? viewEvent(documents, id) : undefined);
  return { into: await view(into), from: await view(from) };
}

async function viewEvent(documents: Documents, id: number): Promise<EventView | undefined> {
  const document = (await documents.get<EventDocument>(events.name, String(id)))?.document;
  if (!document?.event.schedule) return undefined;
  const { status, schedule } = document.event;
  return { id, name: eventName(document), starts_at: schedule.starts_at, status };
}
