import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { IDENTITY_STREAM_ID } from '../../domain/streams/identity-stream.ts';
import type { EventLog } from '../port/event-log.ts';
import { readStreamPages } from '../storage/read-pages.ts';
import { readOwnSports } from './read-own-sports.ts';

type ActRecord = Extract<DomainRecord, { type: 'IdentityActed' }>;
type Followed = Pick<EventLog, 'readStream' | 'onCommitted' | 'replacements'>;

/**
 * Fills `log.replacements` with the acts of the log, and keeps it up with those that come. What the log's hints leave
 * out, `readReplacements` finds.
 * @returns stops it
 */
export async function followReplacements(log: Followed): Promise<() => void> {
  const stop = log.onCommitted((records) => {
    for (const record of records) noteAct(log, record);
  });
  try {
    await readReplacements(log);
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

/** Reads the acts that `log.replacements` does not know yet. */
export async function readReplacements(log: Pick<Followed, 'readStream' | 'replacements'>): Promise<void> {
  // Here, because whoever folds what is in the log needs both.
  await readOwnSports(log);
  // The act with the id 1 has the revision 0.
  const pages = readStreamPages(log, streams.identity(IDENTITY_STREAM_ID), log.replacements.acts);
  for await (const page of pages) for (const record of page) noteAct(log, record);
}

function noteAct({ replacements }: Pick<Followed, 'replacements'>, record: LogRecord): void {
  if (record.type !== 'IdentityActed') return;
  const { act, at, content, replacement } = (record as ActRecord).data;
  // After a gap the acts between would be passed over for good.
  if (act !== replacements.acts + 1) return;
  replacements.note({
    act,
    at,
    content,
    recordedAt: Date.parse(record.recordedAt),
    ...(replacement ? { replacement } : {}),
  });
}
