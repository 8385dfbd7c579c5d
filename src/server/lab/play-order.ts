import { events } from '../../../projections/sports-events/events.ts';
import { toPosition } from '../../domain/event-sourcing/position.ts';
import { suffixOf } from '../../domain/identities/stream-replacements.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { toObservedRecord } from '../../domain/streams/observed-order.ts';
import { oddsStream } from '../../domain/streams/stream-definitions.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';

/** Where a record stands in a run. `at` is in milliseconds; at equal times the rank decides, then the position. */
export interface Place {
  readonly at: number;
  readonly rank: number;
  readonly position: bigint;
}

/** The place before every record of this time or later. */
export const startOf = (at: number): Place => ({ at, rank: Number.NEGATIVE_INFINITY, position: -1n });

export const comparePlaces = (a: Place, b: Place): number =>
  a.at - b.at || a.rank - b.rank || (a.position < b.position ? -1 : a.position > b.position ? 1 : 0);

export const placeOf = (record: DomainRecord): Place => {
  const { at, rank } = toObservedRecord(record, undefined);
  return { at, rank, position: record.position };
};

/** What is played: the time is when a source observed it, in milliseconds, both ends included. */
export interface PlayedWindow {
  readonly from: number;
  readonly to: number;
  /** Undefined: every league. */
  readonly league: string | undefined;
}

/** A run of more records would need more memory than a machine may have: 18 bytes each. */
const MAX_RECORDS = 10_000_000;

/** The run is too long. */
export class RunTooLong extends Error {
  readonly code = 'run_too_long';
}

/** The records of a window, in the order of their places. */
export interface PlayOrder {
  readonly length: number;
  placeAt(index: number): Place;
  /** Whether the first record of this event lies in the window. */
  beginsWithin(eventId: number): boolean;
}

/** Records of an event's own streams that are played: its schedule and scores, and its prices. */
const OF_EVENT: ReadonlySet<string> = new Set([
  ...events.types,
  'ScheduleRepeated',
  'ScoreRepeated',
  ...Object.keys(oddsStream.versions),
]);

/** Whether a record is in the streams that an event has now: those of before an identity was mended do not count. */
const isCurrent = (log: Pick<EventLog, 'replacements'>, stream: string, { stream: own }: DomainRecord): boolean =>
  log.replacements.isEmpty || suffixOf(own) === suffixOf(log.replacements.current(stream));

/** Whether a record is played at all, whatever its time; the id of its event, or null for one of a team. */
function playedSubject(log: Pick<EventLog, 'replacements'>, record: DomainRecord): number | null | undefined {
  const { type, data } = record;
  if (OF_EVENT.has(type) || type === 'IntelligencePublished') {
    const { eventId } = data as { readonly eventId: number };
    return isCurrent(log, streams.event(eventId), record) ? eventId : undefined;
  }
  if (type !== 'InjuryReported') return undefined;
  return isCurrent(log, streams.injuries(data.teamId), record) ? null : undefined;
}

/**
 * Reads the whole log once and finds the order in which it is played.
 * @param onProgress called with the number of records that were read
 * @throws RunTooLong
 */
export async function findPlayOrder(
  log: Pick<EventLog, 'readAllFrom' | 'replacements'>,
  { from, to, league }: PlayedWindow,
  onProgress: (records: number) => void = () => {},
): Promise<PlayOrder> {
  const places = new Places();
  const earlier = new Set<number>();
  const within = new Set<number>();
  let read = 0;
  for await (const page of log.readAllFrom(null)) {
    for (const record of page as readonly DomainRecord[]) {
      const eventId = playedSubject(log, record);
      if (eventId === undefined) continue;
      const at = timeOf(record.data.at);
      if (eventId !== null && at < from) earlier.add(eventId);
      if (at < from || at > to) continue;
      const own = (record.data as { readonly league?: string }).league;
      if (league !== undefined && own !== undefined && own !== league) continue;
      if (eventId !== null) within.add(eventId);
      places.add(placeOf(record));
    }
    read += page.length;
    onProgress(read);
    await yieldToEventLoop();
  }
  const order = places.inOrder();
  return {
    length: order.length,
    placeAt: (index) => places.at(order[index]!),
    beginsWithin: (eventId) => within.has(eventId) && !earlier.has(eventId),
  };
}

/** Places in little memory. */
class Places {
  #times = new Float64Array(1024);
  #positions = new Float64Array(1024);
  #ranks = new Int16Array(1024);
  #count = 0;

  add({ at, rank, position }: Place): void {
    if (this.#count >= MAX_RECORDS)
      throw new RunTooLong(`a run may have ${MAX_RECORDS} records at most; ask for fewer days, or for one league`);
    if (this.#count === this.#times.length) this.#grow();
    this.#times[this.#count] = at;
    this.#positions[this.#count] = Number(position);
    this.#ranks[this.#count] = rank;
    this.#count++;
  }

  at(index: number): Place {
    return { at: this.#times[index]!, rank: this.#ranks[index]!, position: BigInt(this.#positions[index]!) };
  }

  inOrder(): Uint32Array {
    const order = Uint32Array.from({ length: this.#count }, (_, index) => index);
    const [times, ranks, positions] = [this.#times, this.#ranks, this.#positions];
    return order.sort((a, b) => times[a]! - times[b]! || ranks[a]! - ranks[b]! || positions[a]! - positions[b]!);
  }

  #grow(): void {
    const length = this.#times.length * 2;
    const grown = <A extends Float64Array | Int16Array>(made: A, from: A): A => {
      made.set(from);
      return made;
    };
    this.#times = grown(new Float64Array(length), this.#times);
    this.#positions = grown(new Float64Array(length), this.#positions);
    this.#ranks = grown(new Int16Array(length), this.#ranks);
  }
}

/** Records that are fetched together. */
const AT_ONCE = 2048;
/** Positions that lie this near to each other are read in one page. */
const NEAR = 16n;

/** The records of an order, in it. */
export async function* readInOrder(
  log: Pick<EventLog, 'recordAt' | 'readAll'>,
  order: PlayOrder,
): AsyncGenerator<{ readonly place: Place; readonly record: DomainRecord }> {
  for (let start = 0; start < order.length; start += AT_ONCE) {
    const count = Math.min(AT_ONCE, order.length - start);
    const places = Array.from({ length: count }, (_, index) => order.placeAt(start + index));
    const records = await fetchRecords(log, places);
    for (const place of places) yield { place, record: records.get(place.position)! };
    await yieldToEventLoop();
  }
}

async function fetchRecords(log: Pick<EventLog, 'recordAt' | 'readAll'>, places: readonly Place[]) {
  const wanted = new Set(places.map(({ position }) => position));
  const sorted = [...wanted].sort((a, b) => (a < b ? -1 : 1));
  const found = new Map<bigint, DomainRecord>();
  for (let first = 0; first < sorted.length; ) {
    let last = first;
    while (last + 1 < sorted.length && sorted[last + 1]! - sorted[last]! <= NEAR) last++;
    if (first === last) found.set(sorted[first]!, (await log.recordAt(toPosition(sorted[first]!))) as DomainRecord);
    else await readStretch(log, sorted[first]!, sorted[last]!, wanted, found);
    first = last + 1;
  }
  return found;
}

async function readStretch(
  log: Pick<EventLog, 'readAll'>,
  from: bigint,
  to: bigint,
  wanted: ReadonlySet<bigint>,
  found: Map<bigint, DomainRecord>,
): Promise<void> {
  for (let after = from - 1n; after < to; ) {
    const page = await log.readAll(toPosition(after), Math.min(1000, Number(to - after)));
    if (page.length === 0) return;
    for (const record of page) if (wanted.has(record.position)) found.set(record.position, record as DomainRecord);
    after = page.at(-1)!.position;
  }
}
