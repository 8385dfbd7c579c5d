import { events } from '../../../projections/events.ts';
import { timeOf } from '../../domain/observation.ts';
import type { LogRecord } from '../../domain/record.ts';
import { HOUR, MINUTE } from '../../domain/time.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { DocumentReader } from '../store/document-reader.ts';
import { foldStreams } from './folded-streams.ts';
import { createStreamPlaces, type StreamPlaces } from './stream-places.ts';
import type { Teller } from './teller.ts';
import { injuryTeller } from './tellers/injury-messages.ts';
import { intelligenceTeller } from './tellers/intelligence-messages.ts';
import { lineTeller } from './tellers/line-messages.ts';
import { scoreTeller } from './tellers/score-messages.ts';
import type { IsWanted, Told } from './told.ts';

/** All that subscribers are told. A new one comes last, for what is told is named by its place in the list. */
export const TELLERS: readonly Teller[] = [scoreTeller, lineTeller, injuryTeller, intelligenceTeller];

/** The types of domain events that tell subscribers something. */
export const TELLING_TYPES: ReadonlySet<string> = new Set(TELLERS.flatMap(({ recordTypes }) => recordTypes));

/** Facts that are older than this when they are recorded are history that is brought in: nobody is told. */
const BACKFILL = 24 * HOUR;
/** A record that lies further ahead of the clock has kept the time of one before it, made by a clock that was wrong. */
const AHEAD = 5 * MINUTE;
/** More than one teller tells of one record. */
const MOST_OF_ONE_TELLER = 10_000;

/**
 * What subscribers are told of records. For one caller at a time.
 * @param records in the order of the log; those that tell nothing may come without their contents. Who goes on in the
 * order of the log is served fast.
 */
export type ToldOf = (records: readonly LogRecord[], isWanted: IsWanted) => Promise<readonly Told[]>;

export interface ToldOfParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly store: Pick<DocumentReader, 'find'>;
  /** Resolves when the read models show everything up to a position. Absent: they do. */
  readonly projected?: (position: bigint) => Promise<void>;
  readonly tellers?: readonly Teller[];
  /** In milliseconds; absent: no record lies ahead of the clock. */
  readonly now?: () => number;
  readonly places?: StreamPlaces;
  /** Lets everyone else have the event loop where it is time. */
  readonly breathe?: () => Promise<void>;
}

export function createToldOf(given: ToldOfParts): ToldOf {
  const { log, store, tellers = TELLERS, now = () => Number.POSITIVE_INFINITY, breathe = async () => {} } = given;
  const { places = createStreamPlaces(), projected = async () => {} } = given;
  const parts = { log, store, projected, places, breathe, events: foldStreams(events, log, places, breathe) };
  const open = tellers.map((teller) => ({ types: new Set(teller.recordTypes), tell: teller.open(parts) }));
  return async (records, isWanted) => {
    const told: Told[] = [];
    const committed = records.at(-1)?.position ?? -1n;
    const clock = now();
    for (const stored of records) {
      const tellersOfIt = open.filter(({ types }) => types.has(stored.type));
      if (tellersOfIt.length === 0) continue;
      const record = cutTo(stored, clock);
      // What is passed by here is folded when a later record of the same document asks for what was before it.
      if (isBackfill(record)) continue;
      await breathe();
      for (const [place, { tell }] of tellersOfIt.entries()) {
        const ofOne = await tell(record, isWanted, committed);
        // Two that tell of one record must not give one name to two messages.
        told.push(...ofOne.map((one) => ({ ...one, index: one.index + place * MOST_OF_ONE_TELLER })));
      }
    }
    return told;
  };
}

const isBackfill = ({ data, recordedAt }: LogRecord): boolean =>
  timeOf(recordedAt) - timeOf((data as { at: string }).at) > BACKFILL;

/** The record with a time that can have been: by it subscribers are told, and history is told from news. */
const cutTo = (record: LogRecord, clock: number): LogRecord =>
  timeOf(record.recordedAt) - clock > AHEAD ? { ...record, recordedAt: new Date(clock).toISOString() } : record;
