import { events } from '../../../projections/sports-events/events.ts';
import { isReplayed, type LogRecord } from '../../domain/event-sourcing/record.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { HOUR, MINUTE } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import type { DocumentReader } from '../store/document-reader.ts';
import type { ChangeMapper, ClientChange, IsWanted, ListsFor } from './change-mapper.ts';
import { createFoldedStreams } from './folded-streams.ts';
import { identityChangeMapper } from './mappers/identity-change-mapper.ts';
import { injuryChangeMapper } from './mappers/injury-change-mapper.ts';
import { intelligenceChangeMapper } from './mappers/intelligence-change-mapper.ts';
import { lineChangeMapper } from './mappers/line-change-mapper.ts';
import { marketChangeMapper } from './mappers/market-change-mapper.ts';
import { gameMomentMapper, scoreChangeMapper } from './mappers/score-change-mapper.ts';
import { valueChangeMapper } from './mappers/value-change-mapper.ts';
import { createStreamFoldCache, type StreamFoldCache } from './stream-fold-cache.ts';

/** All change mappers. Add new ones at the end: the place of a mapper is part of the webhook ids of its changes. */
export const CHANGE_MAPPERS: readonly ChangeMapper[] = [
  scoreChangeMapper,
  lineChangeMapper,
  injuryChangeMapper,
  intelligenceChangeMapper,
  identityChangeMapper,
];

/** The mappers of subscriptions: what `/v1/changes` tells, and what is derived from it. Add new ones at the end. */
export const SUBSCRIPTION_MAPPERS: readonly ChangeMapper[] = [
  ...CHANGE_MAPPERS,
  gameMomentMapper,
  marketChangeMapper,
  valueChangeMapper,
];

/** The types of domain events that have changes for clients. */
export const MAPPED_RECORD_TYPES: ReadonlySet<string> = new Set(
  SUBSCRIPTION_MAPPERS.flatMap(({ recordTypes }) => recordTypes),
);

/** Facts older than this when they are recorded are imported history: clients are not notified. */
const BACKFILL_AGE = 24 * HOUR;
/**
 * A record further ahead of the clock than this has inherited the time of an earlier record, written with a wrong
 * clock.
 */
const MAX_CLOCK_SKEW = 5 * MINUTE;
/** More changes than one mapper has for one record. */
const MAX_CHANGES_PER_MAPPER = 10_000;

/**
 * Maps records to changes. For one caller at a time.
 * @param records in the order of the log; records without changes may come without their contents. Following the order
 * of the log is fast.
 * @param listsFor absent: nobody has a list of books
 */
export type MapRecords = (
  records: readonly LogRecord[],
  isWanted: IsWanted,
  listsFor?: ListsFor,
) => Promise<readonly ClientChange[]>;

export interface RecordMapperParts {
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  readonly store: Pick<DocumentReader, 'find'>;
  /** Resolves when the read models reflect everything up to a position. Absent: they always do. */
  readonly projected?: (position: bigint) => Promise<void>;
  readonly mappers?: readonly ChangeMapper[];
  /** Milliseconds; absent: no record is ahead of the clock. */
  readonly now?: () => number;
  readonly places?: StreamFoldCache;
  /** Weights of reference books in fair prices. Absent: there are none, and so no edges. */
  readonly weightOf?: SharpWeight;
  /** Yields to the event loop if it is time. */
  readonly breathe?: () => Promise<void>;
  /** Maps imported history too, of which nobody is notified. Default: it has no changes. */
  readonly withHistory?: boolean;
}

export function createRecordMapper(options: RecordMapperParts): MapRecords {
  const {
    log,
    store,
    mappers = CHANGE_MAPPERS,
    now = () => Number.POSITIVE_INFINITY,
    withHistory = false,
    breathe = async () => {},
  } = options;
  const { places: foldCache = createStreamFoldCache(), projected: waitUntilProjected = async () => {} } = options;
  const { weightOf = () => 0 } = options;
  const eventFolds = createFoldedStreams(events, log, foldCache, breathe);
  const parts = { log, store, waitUntilProjected, foldCache, breathe, events: eventFolds, weightOf };
  const openMappers = mappers.map((mapper) => ({ types: new Set(mapper.recordTypes), map: mapper.create(parts) }));
  return async (records, isWanted, listsFor = () => []) => {
    const changes: ClientChange[] = [];
    const committed = records.at(-1)?.position ?? -1n;
    const clock = now();
    for (const stored of records) {
      await breathe();
      const matching = openMappers.filter(({ types }) => types.has(stored.type));
      if (matching.length === 0) continue;
      // It was told when it came for the first time.
      if (isReplayed(stored)) continue;
      const record = limitRecordedAt(stored, clock);
      // A skipped record is folded when a later record of the same document needs the state before it.
      if (!withHistory && isHistory(record.recordedAt, (record.data as { at: string }).at)) continue;
      for (const [index, { map }] of matching.entries()) {
        const mapped = await map(record, isWanted, committed, listsFor);
        // Two mappers of one record must not give the same index to two changes.
        changes.push(...mapped.map((one) => ({ ...one, index: one.index + index * MAX_CHANGES_PER_MAPPER })));
      }
    }
    return changes;
  };
}

/** Whether a fact was that old when it was recorded. @param recordedAt ISO 8601, as `observedAt` */
export const isHistory = (recordedAt: string, observedAt: string): boolean =>
  timeOf(recordedAt) - timeOf(observedAt) > BACKFILL_AGE;

/** The record with a plausible time: the time is sent to clients, and tells history from news. */
const limitRecordedAt = (record: LogRecord, clock: number): LogRecord =>
  timeOf(record.recordedAt) - clock > MAX_CLOCK_SKEW
    ? { ...record, recordedAt: new Date(clock).toISOString() }
    : record;
