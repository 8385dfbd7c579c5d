import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { replacementStream, suffixOf } from '../../domain/identities/stream-replacements.ts';

/**
 * The stream of the same event that goes with the stream of a record: with `event-5`, `event-5~812` for a record of
 * `odds-5~812`.
 * @param stream a plain name
 */
export const streamBeside = (stream: string, record: Pick<LogRecord, 'stream'>): string =>
  replacementStream(stream, suffixOf(record.stream));
