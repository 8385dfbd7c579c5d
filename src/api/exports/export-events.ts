import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../calls/operation/operation.ts';
import { readDocument } from '../operations/shared/read-documents.ts';
import type { Partition } from './partition-files.ts';

/** Which events are exported. Absent: all. */
export interface EventFilter {
  readonly sport?: string | undefined;
  readonly league?: string | undefined;
  /** The first and the last moment of starts, in milliseconds. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** An event, as far as it says where its rows belong. */
export interface ExportedEvent {
  readonly id: number;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly partition: Partition;
}

type Reader = Pick<OperationContext, 'store' | 'histories' | 'replacements'>;

/** Ids beyond the last allocated one that are tried: what was allocated last may not be counted yet. */
const IDS_BEYOND = 1000;

/** The event as it was; undefined if nothing was known of it, or if it was merged into another. */
export async function readExportedEvent(context: Reader, id: number, asOf: AsOf): Promise<EventDocument | undefined> {
  const recordedBy = asOf.basis === 'recorded' ? asOf.at : undefined;
  if (context.replacements.meaningOf('event', id, recordedBy) !== id) return undefined;
  const document = await readDocument(context, events, String(id), asOf);
  return document?.event.schedule ? document : undefined;
}

/**
 * The events that pass the filter, in the order in which their rows stand: by league, year, start and id.
 * @param allocated how many ids of events were ever given away
 */
export async function findExportedEvents(
  context: Reader,
  { asOf, filter, allocated }: { readonly asOf: AsOf; readonly filter: EventFilter; readonly allocated: number },
  onProgress: (ids: number, total: number) => void = () => {},
): Promise<readonly ExportedEvent[]> {
  const found: ExportedEvent[] = [];
  const partitions = new Map<string, Partition>();
  for (let id = 1, last = allocated; id <= last + IDS_BEYOND; id++) {
    onProgress(Math.min(id, last), last);
    const document = await readExportedEvent(context, id, asOf);
    if (!document) continue;
    last = Math.max(last, id);
    const { sport, league, event } = document;
    const startsAt = timeOf(event.schedule!.starts_at);
    if (!passes(filter, { sport, league, startsAt })) continue;
    const year = new Date(startsAt).getUTCFullYear();
    const name = `${league} ${year}`;
    const partition = partitions.get(name) ?? { league, year };
    partitions.set(name, partition);
    found.push({ id, startsAt, partition });
  }
  return found.sort(compareEvents);
}

const passes = (
  { sport, league, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: EventFilter,
  event: { readonly sport: string; readonly league: string; readonly startsAt: number },
): boolean =>
  (sport === undefined || event.sport === sport) &&
  (league === undefined || event.league === league) &&
  event.startsAt >= from &&
  event.startsAt <= to;

function compareEvents(a: ExportedEvent, b: ExportedEvent): number {
  const [one, other] = [a.partition.league!, b.partition.league!];
  // A year is part of the start.
  return one < other ? -1 : one > other ? 1 : a.startsAt - b.startsAt || a.id - b.id;
}
