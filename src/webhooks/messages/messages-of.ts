import { timeOf } from '../../domain/observation.ts';
import type { LogRecord } from '../../domain/record.ts';
import { HOUR, MINUTE } from '../../domain/time.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { DocumentReader } from '../../store/document-reader.ts';
import { injuryTeller } from './injury-messages.ts';
import { intelligenceTeller } from './intelligence-messages.ts';
import { lineTeller } from './line-messages.ts';
import type { IsWanted, Told } from './notification.ts';
import { scoreTeller } from './score-messages.ts';
import type { Teller } from './teller.ts';

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
 * What subscribers are told of records.
 * @param records in the order of the log, and each later call's after those of the one before
 */
export type MessagesFor = (records: readonly LogRecord[], isWanted: IsWanted) => Promise<readonly Told[]>;

/**
 * @param now in milliseconds; absent: no record lies ahead of the clock
 * @param breathe lets everyone else have the event loop where it is time
 */
export function createMessages(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<DocumentReader, 'find'>,
  tellers: readonly Teller[] = TELLERS,
  now: () => number = () => Number.POSITIVE_INFINITY,
  breathe: () => Promise<void> = async () => {},
): MessagesFor {
  const parts = { log, store, breathe };
  const open = tellers.map((teller) => ({ types: new Set(teller.recordTypes), tell: teller.open(parts) }));
  return async (records, isWanted) => {
    const told: Told[] = [];
    const clock = now();
    for (const stored of records) {
      const record = cutTo(stored, clock);
      // What is passed by here is folded when a later record of the same document asks for what was before it.
      if (isBackfill(record)) continue;
      await breathe();
      const tellersOfIt = open.filter(({ types }) => types.has(record.type));
      for (const [place, { tell }] of tellersOfIt.entries()) {
        const ofOne = await tell(record, isWanted);
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
