import type { SourceSchedule } from '../../../commands/events/event-state.ts';
import { MINUTE, SECOND } from '../../domain/primitives/time.ts';

/** An event of the same two sides, either way round, whose start lies within the sport's window of the time given. */
export interface MatchCandidate {
  readonly id: number;
  /** Milliseconds. */
  readonly startsAt: number;
  /** Game 1, 2 or 3 of a day; null if no schedule said so. */
  readonly gameNumber: number | null;
  /** The start is a placeholder (`tbd`). */
  readonly isOpen: boolean;
  readonly isOver: boolean;
  /** The source of the message has a ref for this event. Another ref is then a second name of it, or another game. */
  readonly hasRefOfSource: boolean;
  /** The last schedule of the source of the message for this event; null if there is none. */
  readonly schedule: SourceSchedule | null;
}

/** The event that a message means, as far as it says so. */
export interface WantedEvent {
  /** `match`: the message names the event by its sides and start. */
  readonly by: 'schedule' | 'match';
  /** The message has a ref that its source has not used before. A schedule always has one here. */
  readonly hasNewRef: boolean;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly isOpen: boolean;
  readonly gameNumber: number | null;
  /** The key of the side that the message names first. */
  readonly firstSide: string;
  /** The same two sides may play twice a day, as in baseball. */
  readonly hasDoubleheaders: boolean;
}

export type EventMatch =
  | { readonly kind: 'event'; readonly id: number }
  /** Several events fit. Nobody guesses: the message waits for a person, or until one of them moves. */
  | { readonly kind: 'ambiguous'; readonly candidates: readonly MatchCandidate[] }
  /** No event fits: a schedule creates one, any other message waits for one. */
  | { readonly kind: 'none' };

/** Two starts this close are the same start: sources round to the minute. */
const SAME_START = 60 * SECOND;
/** Farther from the time given, a game of the same day is another game. */
const NEAR = 90 * MINUTE;
/** The next game must lie this much farther from the time given than the nearest, to be another game. */
const CLEARLY_NEARER = 45 * MINUTE;

const NONE: EventMatch = { kind: 'none' };

/**
 * Which of the candidates a message means, by the first rule that applies: for a schedule, a second ref of its source at
 * the same start; the number of the game; the same start; the only one (with doubleheaders only within 90 minutes); the
 * clearly nearest.
 */
export function matchEvent(wanted: WantedEvent, candidates: readonly MatchCandidate[]): EventMatch {
  if (wanted.by === 'schedule') {
    const renamed = candidates.filter((candidate) => isRenamed(wanted, candidate));
    if (renamed.length === 1) return found(renamed[0]!);
  }
  const numbered = wanted.gameNumber;
  const possible = candidates
    .filter((candidate) => mayHaveRef(wanted, candidate))
    .filter(({ gameNumber }) => numbered === null || gameNumber === null || gameNumber === numbered)
    .toSorted((one, other) => distance(wanted, one) - distance(wanted, other) || one.id - other.id);
  const [nearest, next] = possible;
  if (!nearest) return NONE;
  if (numbered !== null) {
    const exact = possible.filter(({ gameNumber }) => gameNumber === numbered);
    if (exact.length === 1) return found(exact[0]!);
  }
  const nearestAt = distance(wanted, nearest);
  const nextAt = next ? distance(wanted, next) : Number.POSITIVE_INFINITY;
  // Only a later game of the day is known, with a placeholder start: the message may mean the first one.
  if (!next && numbered === null && nearest.isOpen && (nearest.gameNumber ?? 1) > 1) return NONE;
  if (nearestAt <= SAME_START && nextAt > SAME_START) return found(nearest);
  const isNear = nearestAt <= NEAR;
  if (!next) return isNear || !wanted.hasDoubleheaders ? found(nearest) : NONE;
  if (isNear && nextAt - nearestAt >= CLEARLY_NEARER) return found(nearest);
  return isNear || !wanted.hasDoubleheaders ? { kind: 'ambiguous', candidates: possible } : NONE;
}

/**
 * The source has given a game a second ref: no side plays itself twice at one moment. Two numbered games of a
 * doubleheader may share a placeholder start, and so may games whose start is open.
 */
function isRenamed(wanted: WantedEvent, { schedule, isOver, hasRefOfSource }: MatchCandidate): boolean {
  if (!hasRefOfSource || !schedule || isOver || schedule.isOpen || wanted.isOpen) return false;
  if (schedule.firstSide !== wanted.firstSide || Math.abs(schedule.startsAt - wanted.startsAt) > SAME_START)
    return false;
  return schedule.gameNumber === null || wanted.gameNumber === null || schedule.gameNumber === wanted.gameNumber;
}

/** One source has one ref for one game, unless it names the same start under a second one. */
function mayHaveRef(wanted: WantedEvent, candidate: MatchCandidate): boolean {
  if (!candidate.hasRefOfSource || !wanted.hasNewRef) return true;
  return wanted.by === 'match' && distance(wanted, candidate) <= SAME_START;
}

const found = ({ id }: MatchCandidate): EventMatch => ({ kind: 'event', id });
const distance = (wanted: WantedEvent, { startsAt }: MatchCandidate): number => Math.abs(startsAt - wanted.startsAt);
