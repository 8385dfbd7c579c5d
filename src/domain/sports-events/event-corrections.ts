import type { EventStatus, ResultType } from '../catalogue/catalogue.ts';
import { isTennis, rolesOf } from '../catalogue/sport-rules.ts';
import { timeOf } from '../observations/observation.ts';
import { hasPlayBegun, isInPlay, isWinner, resultType } from './event-results.ts';
import { isForwardTransition, isOver, type SportsEvent } from './sports-event.ts';

/** The fields of a sports event that can be corrected, in the order in which one message's corrections are listed. */
export const CORRECTED_FIELDS = ['status', 'score', 'result', 'starts_at'] as const;
type CorrectedField = (typeof CORRECTED_FIELDS)[number];

/** Scores by role of the side, as in answers. */
type CorrectedScore = Readonly<Record<string, string | null>>;

interface CorrectedResult {
  readonly result_type: ResultType | null;
  /** A role; null without a winner, or if unknown. */
  readonly winner: string | null;
}

interface Values {
  readonly status: EventStatus;
  readonly score: CorrectedScore;
  readonly result: CorrectedResult;
  readonly starts_at: string;
}

/** A field that a message changed although it should be stable, with the values before and after. */
export type Correction = {
  readonly [Field in CorrectedField]: {
    readonly field: Field;
    readonly before: Values[Field];
    readonly after: Values[Field];
  };
}[CorrectedField];

/** Qualifiers of starts that are expected to move. */
const OPEN_STARTS: ReadonlySet<string | undefined> = new Set(['not_before', 'following', 'tbd']);

/**
 * The fields that a message changed although they should be stable. A message older than the current state changes
 * nothing.
 */
export function findCorrections(sport: string, before: SportsEvent, after: SportsEvent): Correction[] {
  const corrections: Correction[] = [];
  const [from, to] = [before.status, after.status];
  if (from !== to && !isForwardTransition(from, to)) corrections.push({ field: 'status', before: from, after: to });

  const [scoreBefore, scoreAfter] = [shownScore(sport, before), shownScore(sport, after)];
  if (isScoreCorrected(sport, from, scoreBefore, scoreAfter)) {
    corrections.push({ field: 'score', before: scoreBefore, after: scoreAfter });
  }

  if (from === 'final' && to === 'final') {
    const [resultBefore, resultAfter] = [resultOf(sport, before), resultOf(sport, after)];
    const isSame = resultBefore.result_type === resultAfter.result_type && resultBefore.winner === resultAfter.winner;
    if (!isSame) corrections.push({ field: 'result', before: resultBefore, after: resultAfter });
  }

  const [start, moved] = [before.schedule, after.schedule];
  if (start && moved && timeOf(start.starts_at) !== timeOf(moved.starts_at)) {
    const isExpected = from === 'postponed' || OPEN_STARTS.has(start.starts_at_qualifier);
    if (!isExpected) corrections.push({ field: 'starts_at', before: start.starts_at, after: moved.starts_at });
  }
  return corrections;
}

function isScoreCorrected(sport: string, status: EventStatus, before: CorrectedScore, after: CorrectedScore): boolean {
  const roles = rolesOf(sport);
  if (isOver(status)) return roles.some((role) => before[role] !== after[role]);
  return isInPlay(status) && !isTennis(sport) && roles.some((role) => isLess(after[role], before[role]));
}

const isLess = (score: string | null | undefined, than: string | null | undefined): boolean =>
  typeof score === 'string' && typeof than === 'string' && Number(score) < Number(than);

function shownScore(sport: string, { status, sides }: SportsEvent): CorrectedScore {
  const shown = rolesOf(sport).map((role, side) => [role, hasPlayBegun(status) ? (sides[side]!.score ?? null) : null]);
  return Object.fromEntries(shown);
}

function resultOf(sport: string, event: SportsEvent): CorrectedResult {
  const winner = rolesOf(sport).find((_, side) => isWinner({ sport, event }, side as 0 | 1) === true);
  return { result_type: resultType({ sport, event }), winner: winner ?? null };
}
