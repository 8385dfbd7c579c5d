import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { DocumentReader } from '../store/document-reader.ts';
import type { FoldedStreams } from './folded-streams.ts';
import type { StreamFoldCache } from './stream-fold-cache.ts';

export interface ChangeMapperParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly store: Pick<DocumentReader, 'find'>;
  /** Resolves when the read models show everything up to a position. */
  readonly projected: (position: bigint) => Promise<void>;
  /** Where what is folded is kept, for all tellers together. */
  readonly places: StreamFoldCache;
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
export type MapRecord = (record: LogRecord, isWanted: IsWanted, committed: bigint) => Promise<readonly ClientChange[]>;

/** What tells subscribers of some types. A file each, and a line in the list of `told-of.ts`. */
export interface ChangeMapper {
  readonly changeTypes: readonly WebhookEventType[];
  /** Types of the domain events that it tells of. */
  readonly recordTypes: readonly string[];
  create(parts: ChangeMapperParts): MapRecord;
}

/** Something that subscribers may be told. */
export interface ClientChange {
  readonly eventType: WebhookEventType;
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  /** `data` of the request's body: flat, `event_id` beside the members of the snapshot, the movement or the injury. */
  readonly data: Readonly<Record<string, unknown>>;
  /** When its source observed it (ISO 8601). */
  readonly observedAt: string;
  /** When the server learned it (ISO 8601): `timestamp` of the body. */
  readonly at: string;
  /** The record that it comes from, and its place among what that record tells: names it, in every run. */
  readonly position: bigint;
  readonly index: number;
}

/** Whether anybody would be told. Undefined as an id: of some event of the sport. */
export type IsWanted = (eventType: WebhookEventType, sport: string, eventId?: number) => boolean;
