import type { LogRecord } from '../../domain/record.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { DocumentReader } from '../../store/document-reader.ts';
import type { IsWanted, Told } from './notification.ts';

export interface TellerParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly store: Pick<DocumentReader, 'find'>;
  /** Lets everyone else have the event loop where it is time. */
  readonly breathe: () => Promise<void>;
}

/** What subscribers are told of one record. Records come in the order of the log. */
export type Tell = (record: LogRecord, isWanted: IsWanted) => Promise<readonly Told[]>;

/** What tells subscribers of some types. A file each, and a line in the list of `messages-of.ts`. */
export interface Teller {
  readonly tells: readonly WebhookEventType[];
  /** Types of the domain events that it tells of. */
  readonly recordTypes: readonly string[];
  open(parts: TellerParts): Tell;
}
