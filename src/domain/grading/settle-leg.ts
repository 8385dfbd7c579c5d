import type { EventStatus } from '../catalogue/catalogue.ts';
import { gameRulesOf, shareOfUsualLength } from '../catalogue/game-rules.ts';
import { periodOrder } from '../catalogue/period-order.ts';
import { isTennis } from '../catalogue/sport-rules.ts';
import { THREE_WAY } from '../odds/three-way.ts';
import type { EventWithSport } from '../sports-events/event-results.ts';
import { isOver } from '../sports-events/sports-event.ts';
import { hasCompleteSet, hasRetired, matchWinner } from '../sports-events/tennis-sets.ts';
import type { BoxRow } from '../statistics/box-score.ts';
import { hasReachedInnings, isFullGame } from './innings.ts';
import type { Leg } from './leg.ts';
import { legKindOf } from './leg-markets.ts';
import {
  dnpOutcome,
  type LegOutcome,
  noStatOutcome,
  pendingOutcome,
  settledOutcome,
  unfinishedEventOutcome,
  ungradeableOutcome,
  voidOutcome,
} from './leg-result.ts';
import { type LegScope, lastPeriodOf } from './leg-scope.ts';
import { gradeSpread, gradeTotal, isQuarterLine, splitQuarterLine } from './line-results.ts';
import { minutesPlayed } from './minutes-played.ts';
import { type BoxWithStatNames, isFinalBox, slipStat } from './player-stat.ts';
import { hoursPostponed } from './postponement.ts';
import type { SportRules } from './rules/rule-set.ts';
import { legScopeState } from './scope-scores.ts';
import {
  hasExtraTime,
  lacksRegularTime,
  lacksShootoutWinner,
  type SettlingScores,
  scoresByOvertime,
  settlingScores,
} from './settling-score.ts';

/** The data by which a leg is settled. */
interface SettlingFacts extends EventWithSport {
  /** Home, then the other side; null for a team outside the directory. */
  readonly teamIds: readonly [number | null, number | null];
  /** For props: the box, and the player's row. */
  readonly prop?: PlayerBoxRow | undefined;
  /** Whether a pitcher who was listed did not start; absent: not known, and no source of the log states it. */
  readonly hasOtherPitcher?: boolean;
}

/**
 * The current or final outcome of a leg. Pure; `house-rules.ts` has the default rules in words.
 * @param leg one that the event can have (`unmappedReason`)
 * @param rules those of the sport in a rule set, with the defaults where it says nothing
 */
export function settleLeg(facts: SettlingFacts, leg: Leg, rules: SportRules): LegOutcome {
  const isProp = legKindOf(leg.market_key) === 'prop';
  if (leg.market_key === THREE_WAY)
    return settleLeg(facts, { ...leg, market_key: 'h2h' }, { ...rules, ...OF_REGULAR_TIME });
  const reason = noActionReason(facts, rules, isProp);
  if (reason !== null) return isProp ? dnpOutcome(reason) : voidOutcome(reason);
  const decide = (line: number | null): LegOutcome => {
    if (isProp) return settleProp(facts, facts.prop, leg, line!);
    if (leg.scope !== undefined) return settleScope(facts, leg, leg.scope, line, rules);
    return settleGame(facts, leg, line, rules);
  };
  if (leg.line === null || !isQuarterLine(leg.line)) return decide(leg.line);
  return combineHalves(splitQuarterLine(leg.line).map(decide));
}

/** Whatever a house says of its moneyline: a draw is a bet of its own, so a level score loses the other two. */
const OF_REGULAR_TIME = { overtime: false, ties: 'lost' } as const;

/**
 * If both halves have the same result, that is the result. If one lands on its line or is void, only half of the stake
 * is decided.
 */
function combineHalves(halves: readonly LegOutcome[]): LegOutcome {
  const [one, other] = halves;
  if (one!.result === other!.result) return one!;
  const decided = halves.find(({ result }) => result !== 'push' && result !== 'void')!;
  return { ...decided, result_detail: decided.result_detail === 'won' ? 'half_won' : 'half_lost' };
}

/** Why no bet on the event counts, whatever happens in it; null if bets count. */
function noActionReason({ event, hasOtherPitcher }: SettlingFacts, rules: SportRules, isProp: boolean): string | null {
  const { postponement_hours: most, listed_pitchers: areListed } = rules;
  if (most !== null && hoursPostponed(event) > most) return `The event was postponed by more than ${most} hours.`;
  return areListed && hasOtherPitcher && !isProp ? 'A listed pitcher did not start.' : null;
}

function settleGame(facts: SettlingFacts, leg: Leg, line: number | null, rules: SportRules): LegOutcome {
  const { status } = facts.event;
  const overtimeCounts = countsOvertime(rules);
  const scores = scoresByOvertime(facts, overtimeCounts);
  const current = currentOf(facts, leg, scores);
  if (!isOver(status)) return unfinishedEventOutcome(status, current);
  const reason = voidReason(facts, leg, status, rules);
  if (reason !== null) return uncountedOutcome(reason, leg, { current, line, rules });
  const missing = missingFact(facts, leg, scores, overtimeCounts);
  if (missing !== null) return pendingOutcome(missing);
  return compare(facts, leg, scores, line, rules);
}

const countsOvertime = ({ overtime }: SportRules): boolean => overtime !== false;

interface Standing {
  readonly current: number | null;
  readonly line: number | null;
  readonly rules: SportRules;
}

/** Of a game or a part that does not count: void, but for what was passed already where the house lets that stand. */
const uncountedOutcome = (reason: string, leg: Leg, { current, line, rules }: Standing): LegOutcome =>
  rules.abandoned === 'decided' && isPassed(leg, current, line)
    ? settledOutcome('over', leg.side, current)
    : voidOutcome(reason);

/** Whether more play could not have changed the result. */
const isPassed = ({ market_key }: Leg, current: number | null, line: number | null): boolean =>
  (market_key === 'totals' || market_key === 'team_total') && current !== null && current > line!;

/** @param scores both known */
function compare(
  facts: SettlingFacts,
  leg: Leg,
  scores: SettlingScores,
  line: number | null,
  rules: SportRules,
): LegOutcome {
  if (leg.market_key === 'h2h') return settledOutcome(winnerResult(facts, leg, scores, rules), leg.side, null);
  const current = currentOf(facts, leg, scores);
  return settledOutcome(
    leg.market_key === 'spreads' ? gradeSpread(current!, line!) : gradeTotal(current!, line!),
    leg.side,
    current,
  );
}

/**
 * Why a part of a game that was given up too early does not count: it was given up in that part, or before it. Null if
 * the part counts.
 */
function cutShortReason(facts: SettlingFacts, scope: LegScope, rules: SportRules): string | null {
  const least = minimumMinutes(facts, rules);
  if (least === null || !isOver(facts.event.status)) return null;
  const minutes = minutesPlayed(facts);
  if (minutes === null || minutes >= least) return null;
  const reached = periodOrder(facts.event.period ?? '') ?? 0;
  return lastPeriodOf(scope, facts) < reached ? null : `The game was given up before ${scope} was completed.`;
}

/** A leg on a part of an event. It settles when that part ends, and stays settled if the event is cancelled later. */
function settleScope(
  facts: SettlingFacts,
  leg: Leg,
  scope: LegScope,
  line: number | null,
  rules: SportRules,
): LegOutcome {
  const { status } = facts.event;
  const { scores, isComplete } = legScopeState(facts, scope, countsInSecondHalf(rules));
  const current = currentOf(facts, leg, scores);
  if (!isComplete && !isOver(status)) return unfinishedEventOutcome(status, current);
  const reason = isComplete ? cutShortReason(facts, scope, rules) : unfinishedScope(scope, status);
  if (reason !== null) return uncountedOutcome(reason, leg, { current, line, rules });
  if (scores.some((score) => score === null)) {
    const message = `The score of ${scope} is not stated.`;
    return isOver(status) ? ungradeableOutcome(message) : pendingOutcome(message, current);
  }
  return compare(facts, leg, scores, line, rules);
}

/** Whether overtime belongs to the second half. */
export const countsInSecondHalf = ({ second_half_overtime }: SportRules): boolean => second_half_overtime !== false;

function unfinishedScope(scope: LegScope, status: EventStatus): string {
  if (status === 'cancelled') return CANCELLED;
  if (status === 'walkover') return WALKOVER;
  return scope === 'F5' ? TOO_SHORT_FOR_FIVE : `The event was over before ${scope} was completed.`;
}

const indexOf = (side: Leg['side']): 0 | 1 => (side === 'away' ? 1 : 0);

/** The number compared with the line; null for h2h, and if a score is unknown. */
function currentOf(
  { teamIds }: SettlingFacts,
  { market_key, side, team_id }: Leg,
  scores: SettlingScores,
): number | null {
  const [home, away] = scores;
  if (market_key === 'team_total') return scores[team_id === teamIds[0] ? 0 : 1];
  if (home === null || away === null || market_key === 'h2h') return null;
  if (market_key === 'totals') return home + away;
  return side === 'home' ? home - away : away - home;
}

const CANCELLED = 'The event was cancelled.';
const WALKOVER = 'The match was a walkover.';
const TOO_SHORT_FOR_FIVE = 'The game was shorter than 5 innings (4.5 with the home side ahead).';

/** Why a leg is void although the event is over; null if it is not. */
function voidReason(facts: SettlingFacts, { market_key }: Leg, status: EventStatus, rules: SportRules): string | null {
  if (status === 'cancelled') return CANCELLED;
  if (status === 'walkover') return WALKOVER;
  const isMoneyline = market_key === 'h2h';
  const { unit, periods } = gameRulesOf(facts);
  if (unit === 'inning') {
    if (isMoneyline) return hasReachedInnings(facts, INNINGS_OF_H2H) ? null : TOO_SHORT_FOR_FIVE;
    return rules.abandoned === 'score' || isFullGame(facts)
      ? null
      : `The game was shorter than ${periods.length} innings (${periods.length - 0.5} with the home side ahead).`;
  }
  const least = minimumMinutes(facts, rules);
  if (least !== null && (minutesPlayed(facts) ?? least) < least) return `The game was shorter than ${least} minutes.`;
  if (!isTennis(facts.sport) || !hasRetired(facts)) return null;
  if (!isMoneyline) return 'A player retired before the match was over.';
  if (rules.retirement === 'match_complete') return 'A player retired, and the match was not completed.';
  if (rules.retirement === 'started') return null;
  return hasCompleteSet(facts) === false ? 'A player retired before a set was completed.' : null;
}

const INNINGS_OF_H2H = 5;

/** A house means games of the usual length: of others it needs the same share, rounded down. */
const minimumMinutes = (facts: SettlingFacts, { minimum_minutes: least }: SportRules): number | null =>
  least === null ? null : Math.floor(least * shareOfUsualLength(facts));

/** What is still unknown about an event that is over; null if nothing is missing. */
function missingFact(
  facts: SettlingFacts,
  { market_key }: Leg,
  scores: SettlingScores,
  overtimeCounts: boolean,
): string | null {
  if (!overtimeCounts && lacksRegularTime(facts)) return 'The score after 90 minutes is not stated.';
  if (scores.some((score) => score === null)) {
    const isKnown = !overtimeCounts && settlingScores(facts).every((score) => score !== null);
    return isKnown ? 'The score in regular time is not stated.' : 'The event is over, but its score is not stated.';
  }
  if (overtimeCounts && lacksShootoutWinner(facts)) return 'The winner of the shootout is not stated.';
  const needsWinner = isTennis(facts.sport) && market_key === 'h2h';
  return needsWinner && matchWinner(facts) === null ? 'The winner of the match is not stated.' : null;
}

function winnerResult(
  facts: SettlingFacts,
  { side, scope }: Leg,
  [home, away]: SettlingScores,
  { ties }: SportRules,
): 'won' | 'lost' | 'push' {
  if (isTennis(facts.sport) && scope === undefined) return matchWinner(facts) === indexOf(side) ? 'won' : 'lost';
  const ahead = home! - away!;
  if (ahead !== 0) return side !== 'draw' && ahead > 0 === (side === 'home') ? 'won' : 'lost';
  if (side === 'draw') return 'won';
  return ties === 'lost' ? 'lost' : 'push';
}

/** The data of one player in the box of an event. */
export interface PlayerBoxRow {
  readonly box: BoxWithStatNames | undefined;
  /** His row, if exactly one matches. */
  readonly row: BoxRow | undefined;
  /** Whether a row may be his. */
  readonly mayBeNamed: boolean;
}

/**
 * The rules of slips (docs/slips.md): a prop stands however short the game was, so no innings are asked for. The lines
 * of the answer about player props need a full game in baseball: see `gradePlayerStat`. The two answers publish different
 * rules, and each keeps its own.
 */
function settleProp(
  played: EventWithSport,
  facts: PlayerBoxRow | undefined,
  { market_key: stat, side }: Leg,
  line: number,
): LegOutcome {
  const { status } = played.event;
  const { box, row, mayBeNamed = false } = facts ?? {};
  const current = slipStat(played, box, row, stat);
  if (!isOver(status)) return unfinishedEventOutcome(status, current);
  if (status === 'cancelled') return dnpOutcome('The event was cancelled.');
  if (status === 'walkover') return dnpOutcome('The event was a walkover.');
  if (hasExtraTime(played))
    return noStatOutcome('The match went to extra time, which the statistics count and the bet does not.');
  // A box with team statistics only does not show who played.
  if (!box || box.players.length === 0) return noStatOutcome('There are no player statistics of this event.');
  if (!isFinalBox(played, box)) return pendingOutcome('The statistics of this event are not final yet.', current);
  if (!row && mayBeNamed) return noStatOutcome('The statistics do not tell which row is the player’s.');
  if (!row || row.dnp) return dnpOutcome('The player did not play.');
  if (current === null) return noStatOutcome(`The statistics of this event have no ${stat} of the player.`);
  return settledOutcome(gradeTotal(current, line), side, current);
}
