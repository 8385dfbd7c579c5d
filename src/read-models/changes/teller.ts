import type { EventDocument } from '../../../projections/events.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { DocumentReader } from '../store/document-reader.ts';
import type { FoldedStreams } from './folded-streams.ts';
import type { StreamPlaces } from './stream-places.ts';
import type { IsWanted, Told } from './told.ts';

export interface TellerParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly store: Pick<DocumentReader, 'find'>;
  /** Resolves when the read models show everything up to a position. */
  readonly projected: (position: bigint) => Promise<void>;
  /** Where what is folded is kept, for all tellers together. */
  readonly places: StreamPlaces;
  /** Sports events as they stood. */
  readonly events: FoldedStreams<EventDocument>;
  /** Lets everyone else have the event loop where it is time. */
  readonly breathe: () => Promise<void>;
}

/**
 * What subscribers are told of one record: a fold of the log up to it and of nothing else, so that it is the same
 * whenever, and by whomever, it is asked for.
 * @param committed a position of the log that is there, at the record's or behind it
 */
export type Tell = (record: LogRecord, isWanted: IsWanted, committed: bigint) => Promise<readonly Told[]>;

/** What tells subscribers of some types. A file each, and a line in the list of `told-of.ts`. */
export interface Teller {
  readonly tells: readonly WebhookEventType[];
  /** Types of the domain events that it tells of. */
  readonly recordTypes: readonly string[];
  open(parts: TellerParts): Tell;
}
