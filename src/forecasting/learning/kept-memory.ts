import type { HistoryStart } from '../../intelligence/facts/league-history.ts';
import type { EventResults } from './results-of-event.ts';

/** What was learned of the old results of a league. With it a start learns only the later ones. */
export interface KeptMemory {
  /** The results that became known before this moment are learned: milliseconds. No event has some before and some after. */
  readonly upTo: number;
  /** Results from before this moment were dropped; milliseconds. */
  readonly since: number;
  readonly start: HistoryStart<unknown, unknown>;
  /** How many results these are, of how many events. */
  readonly results: number;
  readonly events: number;
  /** When the first of them became known: milliseconds. */
  readonly oldest: number;
  /** When the server recorded the last of them: milliseconds. */
  readonly recordedTo: number;
}

/** The stored old results of a league, which are read only if something needs them. */
export interface OldResults {
  has(eventId: number): boolean;
  read(): AsyncIterable<EventResults>;
}
