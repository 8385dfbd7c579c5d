import { type ChangeType, WEBHOOK_TYPES, type WebhookEventType } from '../../domain/webhook-types.ts';
import { formatCursor } from './change-cursor.ts';
import type { ClientChange } from './change-mapper.ts';

/** A change as the API shows it. */
interface ApiChange {
  /** The cursor after the change. */
  readonly id: string;
  readonly type: ChangeType;
  readonly event_id: number | null;
  readonly sport: string;
  readonly league: string | null;
  readonly at: string;
  readonly recorded_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A change as it is sent, encoded once for all readers, with the members that filters need. */
export interface EncodedChange {
  readonly position: bigint;
  /** Orders the changes of one record. It does not depend on filters. */
  readonly index: number;
  readonly type: WebhookEventType;
  /** See `ClientChange`. */
  readonly eventId: number | null;
  readonly fromEventId: number | undefined;
  readonly sport: string;
  readonly league: string | null;
  /** The bookmaker of a line move. */
  readonly bookmaker: string | undefined;
  /** A server-sent event. Its data is JSON: it begins at `dataStart` and ends before the last two bytes. */
  readonly message: Buffer;
  readonly dataStart: number;
}

/** More changes than one record has of one type. */
const MAX_CHANGES_PER_TYPE = 10_000;
const BYTES_PER_CHANGE = 300;

/** Encodes changes, in their order. */
export function encodeChanges(clientChanges: readonly ClientChange[]): EncodedChange[] {
  const changes = clientChanges.map(encodeChange);
  return changes.sort(compareChanges);
}

export const compareChanges = (a: EncodedChange, b: EncodedChange): number =>
  a.position === b.position ? a.index - b.index : a.position < b.position ? -1 : 1;

/** Approximate memory in bytes. */
export const changeSize = ({ message }: EncodedChange): number => BYTES_PER_CHANGE + message.length;

/** The change as the API shows it. */
export const decodeChange = ({ message, dataStart }: EncodedChange): ApiChange =>
  JSON.parse(message.toString('utf8', dataStart, message.length - 2));

/** Changes of one record as the API shows them, each as JSON, in the order of `encodeChanges`. */
export const changesAsJson = (changes: readonly ClientChange[]): string[] =>
  changes
    .map((change) => ({ index: indexOf(change), change }))
    .sort((a, b) => a.index - b.index)
    .map(({ index, change }) =>
      JSON.stringify(shownChange(change, formatCursor({ position: change.position, index }))),
    );

const indexOf = ({ eventType, index }: ClientChange): number =>
  WEBHOOK_TYPES[eventType].order * MAX_CHANGES_PER_TYPE + (index % MAX_CHANGES_PER_TYPE);

const shownChange = (
  { eventType, eventId, sport, league, observedAt, at, data }: ClientChange,
  id: string,
): ApiChange => ({
  id,
  // The mappers of changes tell these types alone.
  type: eventType as ChangeType,
  event_id: eventId,
  sport,
  league,
  at: observedAt,
  recorded_at: at,
  data,
});

function encodeChange(change: ClientChange): EncodedChange {
  const { eventType, eventId, fromEventId, sport, league, data, position } = change;
  const index = indexOf(change);
  const id = formatCursor({ position, index });
  const head = `event: ${eventType}\nid: ${id}\ndata: `;
  const bookmaker = eventType === 'line_move' ? String(data['bookmaker']) : undefined;
  return {
    position,
    index,
    type: eventType,
    eventId,
    fromEventId,
    sport,
    league,
    bookmaker,
    // JSON has no line breaks, so it is one line of data.
    message: Buffer.from(`${head}${JSON.stringify(shownChange(change, id))}\n\n`),
    dataStart: head.length,
  };
}
