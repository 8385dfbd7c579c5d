import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { ScoreMoment } from '../../domain/alerts/alert-filter.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import type { ScoreSnapshot } from '../rendering/event-schemas.ts';
import type { DocumentReader } from '../store/document-reader.ts';
import type { FoldedStreams } from './folded-streams.ts';
import type { StreamFoldCache } from './stream-fold-cache.ts';

export interface ChangeMapperParts {
  readonly log: Pick<EventLog, 'readStream' | 'replacements'>;
  readonly store: Pick<DocumentReader, 'find'>;
  /** Resolves when the read models reflect everything up to a position. */
  readonly waitUntilProjected: (position: bigint) => Promise<void>;
  /** The cache of folds that all mappers share. */
  readonly foldCache: StreamFoldCache;
  /** Past states of sports events. */
  readonly events: FoldedStreams<EventDocument>;
  /** Yields to the event loop if it is time. */
  readonly breathe: () => Promise<void>;
  /** Weights of reference books in fair prices. */
  readonly weightOf: SharpWeight;
}

/**
 * Maps one record to the changes that clients see. It depends only on the log up to the record, so that the result is
 * the same at any time and for anyone.
 * @param committed a position that the log already has, at the record or later
 */
export type MapRecord = (
  record: LogRecord,
  isWanted: IsWanted,
  committed: bigint,
  listsFor: ListsFor,
) => Promise<readonly ClientChange[]>;

/** Maps records to changes of some types. A new mapper is a file in `mappers/` and a line in a list of mappers. */
export interface ChangeMapper {
  readonly changeTypes: readonly WebhookEventType[];
  /** Types of the domain events that it maps. */
  readonly recordTypes: readonly string[];
  create(parts: ChangeMapperParts): MapRecord;
}

/** A change that clients may see. */
export interface ClientChange {
  readonly eventType: WebhookEventType;
  /** Null: the change is of a team or a player. */
  readonly eventId: number | null;
  /** The event that a mended identity has taken something from: who follows it is told too. */
  readonly fromEventId?: number | undefined;
  readonly sport: string;
  /** Null: a player whose league nobody told. */
  readonly league: string | null;
  /** `data` of the webhook body: flat, `event_id` beside the members of the snapshot, the movement or the injury. */
  readonly data: Readonly<Record<string, unknown>>;
  /** When the source observed the change (ISO 8601). */
  readonly observedAt: string;
  /** When the server recorded the change (ISO 8601): `timestamp` of the body. */
  readonly at: string;
  /**
   * The position of the record, and the index among the changes of that record: together they identify the change, in
   * every run.
   */
  readonly position: bigint;
  readonly index: number;
  /** Made for those with this list of books alone; absent: for those without one, or whatever the list. */
  readonly list?: NamedBooks;
  /** Of an `ev`: its `data` for those who have edges judged by blends; null: by these it is no change. */
  readonly dataByBlend?: Readonly<Record<string, unknown>> | null;
  /** Of a change of score or status: what it was before, and which moments of the game it is. */
  readonly score?: { readonly before: ScoreSnapshot; readonly moments: readonly ScoreMoment[] };
}

/** A list of books, which several subscriptions may have. */
export interface NamedBooks {
  readonly books: ReadonlySet<string>;
  /** Equal for equal lists. */
  readonly key: string;
}

/** The different lists of those who want such a change. */
export type ListsFor = (eventType: WebhookEventType, sport: string, eventId: number) => readonly NamedBooks[];

/** Whether anybody wants such a change. Without an id: of any event of the sport. */
export type IsWanted = (eventType: WebhookEventType, sport: string, eventId?: number) => boolean;
