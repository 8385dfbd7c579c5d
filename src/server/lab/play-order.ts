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

/** A run of more records would need more memory than a machine may have: 26 bytes each. */
const MAX_RECORDS = 10_000_000;

/** The run is too long. */
export class RunTooLong extends Error {
  readonly code = 'run_too_long';
}

/** The records of a window, in the order of their places. */
export interface PlayOrder {
  readonly length: number;
  placeAt(index: number): Place;
  /** How many records of the log come before it. */
  ordinalAt(index: number): number;
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
    for (const [index, record] of (page as readonly DomainRecord[]).entries()) {
      const eventId = playedSubject(log, record);
      if (eventId === undefined) continue;
      const at = timeOf(record.data.at);
      if (eventId !== null && at < from) earlier.add(eventId);
      if (at < from || at > to) continue;
      const own = (record.data as { readonly league?: string }).league;
      if (league !== undefined && own !== undefined && own !== league) continue;
      if (eventId !== null) within.add(eventId);
      places.add(placeOf(record), read + index);
    }
    read += page.length;
    onProgress(read);
    await yieldToEventLoop();
  }
  const order = places.inOrder();
  return {
    length: order.length,
    placeAt: (index) => places.at(order[index]!),
    ordinalAt: (index) => places.ordinalAt(order[index]!),
    beginsWithin: (eventId) => within.has(eventId) && !earlier.has(eventId),
  };
}

/** Places in little memory. */
class Places {
  #times = new Float64Array(1024);
  #positions = new BigInt64Array(1024);
  #ordinals = new Float64Array(1024);
  #ranks = new Int16Array(1024);
  #count = 0;

  add({ at, rank, position }: Place, ordinal: number): void {
    if (this.#count >= MAX_RECORDS)
      throw new RunTooLong(`a run may have ${MAX_RECORDS} records at most; ask for fewer days, or for one league`);
    if (this.#count === this.#times.length) this.#grow();
    this.#times[this.#count] = at;
    this.#positions[this.#count] = position;
    this.#ordinals[this.#count] = ordinal;
    this.#ranks[this.#count] = rank;
    this.#count++;
  }

  at(index: number): Place {
    return { at: this.#times[index]!, rank: this.#ranks[index]!, position: this.#positions[index]! };
  }

  ordinalAt(index: number): number {
    return this.#ordinals[index]!;
  }

  inOrder(): Uint32Array {
    const order = Uint32Array.from({ length: this.#count }, (_, index) => index);
    const [times, ranks, ordinals] = [this.#times, this.#ranks, this.#ordinals];
    return order.sort((a, b) => times[a]! - times[b]! || ranks[a]! - ranks[b]! || ordinals[a]! - ordinals[b]!);
  }

  #grow(): void {
    const length = this.#times.length * 2;
    const [times, positions] = [new Float64Array(length), new BigInt64Array(length)];
    const [ordinals, ranks] = [new Float64Array(length), new Int16Array(length)];
    times.set(this.#times);
    positions.set(this.#positions);
    ordinals.set(this.#ordinals);
    ranks.set(this.#ranks);
    this.#times = times;
    this.#positions = positions;
    this.#ordinals = ordinals;
    this.#ranks = ranks;
  }
}

/** Records that are fetched together. */
const AT_ONCE = 2048;
/** Records with so few others between them are read in one page. */
const NEAR = 16;
const PAGE = 1000;

type ReadLog = Pick<EventLog, 'recordAt' | 'readAll'>;

interface Wanted {
  readonly place: Place;
  readonly ordinal: number;
}

/** The records of an order, in it. */
export async function* readInOrder(
  log: ReadLog,
  order: PlayOrder,
): AsyncGenerator<{ readonly place: Place; readonly record: DomainRecord }> {
  for (let start = 0; start < order.length; start += AT_ONCE) {
    const count = Math.min(AT_ONCE, order.length - start);
    const wanted = Array.from({ length: count }, (_, index): Wanted => {
      const at = start + index;
      return { place: order.placeAt(at), ordinal: order.ordinalAt(at) };
    });
    const records = await fetchRecords(log, wanted);
    for (const { place } of wanted) yield { place, record: records.get(place.position)! };
    await yieldToEventLoop();
  }
}

async function fetchRecords(log: ReadLog, wanted: readonly Wanted[]): Promise<ReadonlyMap<bigint, DomainRecord>> {
  const sorted = wanted.toSorted((a, b) => a.ordinal - b.ordinal);
  const found = new Map<bigint, DomainRecord>();
  for (let first = 0; first < sorted.length; ) {
    let last = first;
    while (last + 1 < sorted.length && sorted[last + 1]!.ordinal - sorted[last]!.ordinal <= NEAR) last++;
    await readStretch(log, sorted[first]!, sorted[last]!, found);
    first = last + 1;
  }
  return found;
}

/** Reads from one record to another; what lies between them comes too. */
async function readStretch(log: ReadLog, from: Wanted, to: Wanted, found: Map<bigint, DomainRecord>): Promise<void> {
  let after = toPosition(from.place.position);
  found.set(after, (await log.recordAt(after)) as DomainRecord);
  for (let left = to.ordinal - from.ordinal; left > 0; ) {
    const page = await log.readAll(after, Math.min(left, PAGE));
    if (page.length === 0) return;
    for (const record of page) found.set(record.position, record as DomainRecord);
    left -= page.length;
    after = page.at(-1)!.position;
  }
}
