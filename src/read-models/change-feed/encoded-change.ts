import type { WebhookEventType } from '../../domain/webhook-types.ts';
import { formatCursor } from './change-cursor.ts';
import type { ClientChange } from './change-mapper.ts';

/** A change as the API shows it. */
interface ApiChange {
  /** The cursor behind it. */
  readonly id: string;
  readonly type: WebhookEventType;
  readonly event_id: number;
  readonly sport: string;
  readonly league: string;
  readonly at: string;
  readonly recorded_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A change as it goes out, made once for all who get it, with what filters ask of it. */
export interface EncodedChange {
  readonly position: bigint;
  /** Orders those of one record: the same whatever else is asked for. */
  readonly index: number;
  readonly type: WebhookEventType;
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  /** Of a line that moved. */
  readonly bookmaker: string | undefined;
  /** A server-sent event; its data, which is JSON, begins at `from` and ends before the last two bytes. */
  readonly message: Buffer;
  readonly dataStart: number;
}

/** Changes of one record come in this order. Cursors hold the places in it: a new type comes last. */
const TYPE_ORDER: readonly WebhookEventType[] = ['status', 'score', 'line_move', 'injury', 'intelligence'];
/** More than one record tells of one type. */
const MAX_CHANGES_PER_TYPE = 10_000;
const BYTES_BESIDE = 300;

/** What is told as changes, in their order. */
export function encodeChanges(told: readonly ClientChange[]): EncodedChange[] {
  const changes = told.map(encodeChange);
  return changes.sort(compareChanges);
}

export const compareChanges = (a: EncodedChange, b: EncodedChange): number =>
  a.position === b.position ? a.index - b.index : a.position < b.position ? -1 : 1;

/** About how much memory it takes. */
export const changeSize = ({ message }: EncodedChange): number => BYTES_BESIDE + message.length;

/** What the API shows of it. */
export const decodeChange = ({ message, dataStart }: EncodedChange): ApiChange =>
  JSON.parse(message.toString('utf8', dataStart, message.length - 2));

function encodeChange({
  eventType,
  eventId,
  sport,
  league,
  data,
  observedAt,
  at,
  position,
  index: of,
}: ClientChange): EncodedChange {
  const index = TYPE_ORDER.indexOf(eventType) * MAX_CHANGES_PER_TYPE + (of % MAX_CHANGES_PER_TYPE);
  const id = formatCursor({ position, index });
  const shown: ApiChange = {
    id,
    type: eventType,
    event_id: eventId,
    sport,
    league,
    at: observedAt,
    recorded_at: at,
    data,
  };
  const head = `event: ${eventType}\nid: ${id}\ndata: `;
  const bookmaker = eventType === 'line_move' ? String(data['bookmaker']) : undefined;
  return {
    ...{ position, index, type: eventType, eventId, sport, league, bookmaker },
    // JSON has no line breaks, so that it is one line of data.
    message: Buffer.from(`${head}${JSON.stringify(shown)}\n\n`),
    dataStart: head.length,
  };
}
