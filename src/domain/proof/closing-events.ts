import type { LogRecord, NewRecord } from '../event-sourcing/record.ts';

/** The fair probabilities of a market's main line at the start. */
interface ClosingFair {
  readonly market: string;
  /** Null on h2h. */
  readonly line: number | null;
  /** By outcome: `home`, `draw`, `away`, `over`, `under`. */
  readonly probabilities: Readonly<Record<string, number>>;
}

/** A bookmaker's last price of an outcome before the start. */
interface ClosingPrice {
  readonly bookmaker: string;
  readonly market: string;
  readonly outcome: string;
  /** American odds. */
  readonly price: number;
  readonly point: number | null;
  /** When it was first seen, ISO 8601. */
  readonly at: string;
}

export interface ClosingContent {
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  /** When the markets closed, ISO 8601. */
  readonly closesAt: string;
  readonly consensus: readonly ClosingFair[];
  readonly prices: readonly ClosingPrice[];
}

/**
 * The closing prices of an event, as they were known at `at`. Stream: `closing-EVENTID`. Prices that come late and
 * change them make a further record; the newest counts.
 */
export interface ClosingRecorded extends ClosingContent {
  readonly at: string;
  /** See `SALT_TEXT`. */
  readonly salt: string;
}

export type ClosingRecord = LogRecord<'ClosingRecorded', ClosingRecorded>;

export const CLOSING_VERSIONS = { ClosingRecorded: 1 } as const;

export const closingStream = (eventId: number): string => `closing-${eventId}`;

export const createClosingRecorded = (data: ClosingRecorded): NewRecord<'ClosingRecorded', ClosingRecorded> => ({
  type: 'ClosingRecorded',
  version: CLOSING_VERSIONS.ClosingRecorded,
  data,
  meta: { partition: closingStream(data.eventId) },
});
