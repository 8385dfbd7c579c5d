import { timeOf } from '../../domain/observation.ts';
import type { LogRecord } from '../../domain/record.ts';
import { HOUR } from '../../domain/time.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { DocumentReader } from '../../store/document-reader.ts';
import { INJURY_TYPES, injuryMessages } from './injury-messages.ts';
import { LINE_TYPES, lineMessages } from './line-messages.ts';
import type { IsWanted, Told } from './notification.ts';
import { SCORE_TYPES, scoreMessages } from './score-messages.ts';

/** The types of domain events that tell subscribers something. */
export const TELLING_TYPES: ReadonlySet<string> = new Set([...SCORE_TYPES, ...LINE_TYPES, ...INJURY_TYPES]);

/** Facts that are older than this when they are recorded are history that is brought in: nobody is told. */
const BACKFILL = 24 * HOUR;

/**
 * What subscribers are told of records.
 * @param records in the order of the log, and each later call's after those of the one before
 */
export type MessagesFor = (records: readonly LogRecord[], isWanted: IsWanted) => Promise<readonly Told[]>;

export function createMessages(log: Pick<EventLog, 'readStream'>, store: Pick<DocumentReader, 'find'>): MessagesFor {
  const kinds = [
    { types: SCORE_TYPES, tell: scoreMessages(log) },
    { types: LINE_TYPES, tell: lineMessages(log) },
    { types: INJURY_TYPES, tell: injuryMessages(log, store) },
  ];
  return async (records, isWanted) => {
    const told: Told[] = [];
    for (const record of records) {
      const kind = kinds.find(({ types }) => types.has(record.type));
      // What is passed by here is folded when a later record of the same document asks for what was before it.
      if (kind && !isBackfill(record)) told.push(...(await kind.tell(record, isWanted)));
    }
    return told;
  };
}

const isBackfill = ({ data, recordedAt }: LogRecord): boolean =>
  timeOf(recordedAt) - timeOf((data as { at: string }).at) > BACKFILL;
