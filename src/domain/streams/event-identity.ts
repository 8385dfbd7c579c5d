import type { FeedMatch } from '../feed/messages.ts';

/** How a message named its sports event. `turned`: it has the sides the other way round than the event. */
export interface Origin {
  readonly ref?: string;
  /** Other sources' ids of the event that a schedule told of. */
  readonly refs?: Readonly<Record<string, string>>;
  readonly match?: FeedMatch;
  readonly turned?: true;
}

/** Which sports event a record is about, and how its message named it. */
export interface EventIdentity {
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  readonly origin?: Origin;
}
