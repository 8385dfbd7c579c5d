import { events } from '../../../projections/sports-events/events.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { HOUR, MINUTE } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { DocumentReader } from '../store/document-reader.ts';
import type { ChangeMapper, ClientChange, IsWanted } from './change-mapper.ts';
import { createFoldedStreams } from './folded-streams.ts';
import { injuryChangeMapper } from './mappers/injury-change-mapper.ts';
import { intelligenceChangeMapper } from './mappers/intelligence-change-mapper.ts';
import { lineChangeMapper } from './mappers/line-change-mapper.ts';
import { scoreChangeMapper } from './mappers/score-change-mapper.ts';
import { createStreamFoldCache, type StreamFoldCache } from './stream-fold-cache.ts';

/** All that subscribers are told. A new one comes last, for what is told is named by its place in the list. */
export const CHANGE_MAPPERS: readonly ChangeMapper[] = [
  scoreChangeMapper,
  lineChangeMapper,
  injuryChangeMapper,
  intelligenceChangeMapper,
];

/** The types of domain events that tell subscribers something. */
export const MAPPED_RECORD_TYPES: ReadonlySet<string> = new Set(
  CHANGE_MAPPERS.flatMap(({ recordTypes }) => recordTypes),
);

/** Facts that are older than this when they are recorded are history that is brought in: nobody is told. */
const BACKFILL_AGE = 24 * HOUR;
/** A record that lies further ahead of the clock has kept the time of one before it, made by a clock that was wrong. */
const MAX_CLOCK_SKEW = 5 * MINUTE;
/** More than one teller tells of one record. */
const MAX_CHANGES_PER_MAPPER = 10_000;

/**
 * What subscribers are told of records. For one caller at a time.
 * @param records in the order of the log; those that tell nothing may come without their contents. Who goes on in the
 * order of the log is served fast.
 */
export type MapRecords = (records: readonly LogRecord[], isWanted: IsWanted) => Promise<readonly ClientChange[]>;

export interface RecordMapperParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly store: Pick<DocumentReader, 'find'>;
  /** Resolves when the read models show everything up to a position. Absent: they do. */
  readonly projected?: (position: bigint) => Promise<void>;
  readonly mappers?: readonly ChangeMapper[];
  /** In milliseconds; absent: no record lies ahead of the clock. */
  readonly now?: () => number;
  readonly places?: StreamFoldCache;
  /** Lets everyone else have the event loop where it is time. */
  readonly breathe?: () => Promise<void>;
}

export function createRecordMapper(given: RecordMapperParts): MapRecords {
  const {
    log,
    store,
    mappers = CHANGE_MAPPERS,
    now = () => Number.POSITIVE_INFINITY,
    breathe = async () => {},
  } = given;
  const { places = createStreamFoldCache(), projected = async () => {} } = given;
  const parts = { log, store, projected, places, breathe, events: createFoldedStreams(events, log, places, breathe) };
  const open = mappers.map((teller) => ({ types: new Set(teller.recordTypes), tell: teller.create(parts) }));
  return async (records, isWanted) => {
    const told: ClientChange[] = [];
    const committed = records.at(-1)?.position ?? -1n;
    const clock = now();
    for (const stored of records) {
      const tellersOfIt = open.filter(({ types }) => types.has(stored.type));
      if (tellersOfIt.length === 0) continue;
      const record = limitRecordedAt(stored, clock);
      // What is passed by here is folded when a later record of the same document asks for what was before it.
      if (isBackfill(record)) continue;
      await breathe();
      for (const [place, { tell }] of tellersOfIt.entries()) {
        const ofOne = await tell(record, isWanted, committed);
        // Two that tell of one record must not give one name to two messages.
        told.push(...ofOne.map((one) => ({ ...one, index: one.index + place * MAX_CHANGES_PER_MAPPER })));
      }
    }
    return told;
  };
}

const isBackfill = ({ data, recordedAt }: LogRecord): boolean =>
  timeOf(recordedAt) - timeOf((data as { at: string }).at) > BACKFILL_AGE;

/** The record with a time that can have been: by it subscribers are told, and history is told from news. */
const limitRecordedAt = (record: LogRecord, clock: number): LogRecord =>
  timeOf(record.recordedAt) - clock > MAX_CLOCK_SKEW
    ? { ...record, recordedAt: new Date(clock).toISOString() }
    : record;
