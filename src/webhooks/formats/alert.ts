import { markSimulated, SIMULATED_SENTENCE } from '../../domain/primitives/simulated.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import { oneLine } from './clip-text.ts';

/** What a person is told of one change. */
export interface AlertLine {
  readonly type: WebhookEventType | 'test';
  /** The name of the event; null: the change is of no event. */
  readonly event: string | null;
  readonly eventId: number | null;
  /** One line: what changed from what to what. */
  readonly text: string;
  /** When it was observed: ISO 8601. */
  readonly at: string;
  /** Worth a loud sound. */
  readonly isUrgent: boolean;
  /** The demo has invented it. */
  readonly isSimulated?: true;
}

/** The content of one message to a person: one change, or several of one event. */
export interface Alert {
  /** The first changes, in their order. At least one. */
  readonly lines: readonly AlertLine[];
  /** How many changes there are: no fewer than lines. */
  readonly count: number;
}

/** What renderers take from an alert, in plain text. */
export interface AlertText {
  readonly title: string;
  /** Each on one line. */
  readonly lines: readonly string[];
  readonly link: string;
  /** ISO 8601, of the last change. */
  readonly at: string;
  readonly type: AlertLine['type'];
  readonly isUrgent: boolean;
}

/** @param baseUrl the server's public address, without a trailing slash */
export function textOf({ lines, count }: Alert, baseUrl: string): AlertText {
  const last = lines.at(-1)!;
  const { event, eventId, type } = lines[0]!;
  const isSimulated = lines.some((line) => line.isSimulated);
  const name = oneLine(event ?? '') || 'Ledgerline';
  const title = isSimulated ? markSimulated(name) : name;
  const texts = lines.map((line) => oneLine(`${line.text} (${clockOf(line.at)})`));
  const hidden = count - lines.length;
  return {
    title,
    lines: [
      ...(count > 1 ? [`${count} changes:`] : []),
      ...(count > 1 ? texts.map((text) => `• ${text}`) : texts),
      ...(hidden > 0 ? [`… and ${hidden} more`] : []),
      ...(isSimulated ? [SIMULATED_SENTENCE] : []),
    ],
    link: eventId === null ? `${baseUrl}/` : `${baseUrl}/#/events/${eventId}`,
    at: last.at,
    type,
    isUrgent: lines.some(({ isUrgent }) => isUrgent),
  };
}

/** `18:04 UTC` of an ISO 8601 time. */
const clockOf = (at: string): string => `${at.slice(11, 16)} UTC`;
