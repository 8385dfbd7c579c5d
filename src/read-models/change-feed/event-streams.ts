import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { replacementStream } from '../../domain/identities/stream-replacements.ts';

/**
 * The stream of the same event that goes with the stream of a record: with `event-5`, `event-5~812` for a record of
 * `odds-5~812`.
 * @param stream a plain name
 */
export function streamBeside(stream: string, record: Pick<LogRecord, 'stream'>): string {
  const [, suffix] = record.stream.split('~');
  return suffix === undefined ? stream : replacementStream(stream, suffix);
}
