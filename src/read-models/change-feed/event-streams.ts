import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { replacementStream, suffixOf } from '../../domain/identities/stream-replacements.ts';
import { streams } from '../../domain/streams/domain-events.ts';
import type { FoldedStreams } from './folded-streams.ts';

/**
 * The stream of the same event that goes with the stream of a record: with `event-5`, `event-5~812` for a record of
 * `odds-5~812`.
 * @param stream a plain name
 */
const streamBeside = (stream: string, record: Pick<LogRecord, 'stream'>): string =>
  replacementStream(stream, suffixOf(record.stream));

/**
 * The event just before a record of another of its streams, such as its odds.
 * @param committed as in `FoldedStreams.beforePosition`
 */
export function eventBefore<Doc>(
  events: Pick<FoldedStreams<Doc>, 'beforePosition'>,
  record: LogRecord,
  committed: bigint,
): Promise<Doc | undefined> {
  return beforeBeside(events, streams.event, record, committed);
}

/** The same of any of its streams: what it was just before a record of another one. */
export function beforeBeside<Doc>(
  folds: Pick<FoldedStreams<Doc>, 'beforePosition'>,
  streamOf: (eventId: number) => string,
  record: LogRecord,
  committed: bigint,
): Promise<Doc | undefined> {
  const { eventId } = record.data as { readonly eventId: number };
  const stream = streamBeside(streamOf(eventId), record);
  return folds.beforePosition(stream, String(eventId), record.position, committed);
}
