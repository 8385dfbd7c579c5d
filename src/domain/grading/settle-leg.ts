import { playsLike } from '../catalogue/added-leagues.ts';
import type { EventStatus } from '../catalogue/catalogue.ts';
import { isTennis } from '../catalogue/sport-rules.ts';
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
  unmappedOutcome,
  voidOutcome,
} from './leg-result.ts';
import { gradeSpread, gradeTotal, isQuarterLine, splitQuarterLine } from './line-results.ts';
import { type BoxWithStatNames, isFinalBox, slipStat } from './player-stat.ts';
import {
  hasExtraTime,
  lacksRegularTime,
  lacksShootoutWinner,
  type SettlingScores,
  settlingScores,
} from './settling-score.ts';

/** The data by which a leg is settled. */
interface SettlingFacts extends EventWithSport {
  /** Home, then the other side; null for a team outside the directory. */
  readonly teamIds: readonly [number | null, number | null];
  /** For props: the box, and the player's row. */
  readonly prop?: PlayerBoxRow | undefined;
}

/**
 * The current or final outcome of a leg. Pure; `house-rules.ts` has the rules in words.
 * @param leg one that the event can have (`unmappedReason`)
 */
export function settleLeg(facts: SettlingFacts, leg: Leg): LegOutcome {
  const decide = (line: number | null): LegOutcome =>
    legKindOf(leg.market_key) === 'prop'
      ? settleProp(facts, facts.prop, leg.market_key, line!)
      : settleGame(facts, leg, line);
  if (playsLike(facts.sport) !== 'soccer' || leg.line === null || !isQuarterLine(leg.line)) return decide(leg.line);
  return combineHalves(leg, splitQuarterLine(leg.line).map(decide));
}

/**
 * If both halves have the same result, that is the result. If one lands on its line, only half of the stake is decided.
 */
function combineHalves({ side }: Leg, halves: readonly LegOutcome[]): LegOutcome {
  const [one, other] = halves;
  if (one!.result === other!.result) return one!;
  const decided = halves.find(({ result }) => result !== 'push')!.result;
  return unmappedOutcome(decided === 'won' || decided === side ? 'half won' : 'half lost');
}

function settleGame(facts: SettlingFacts, leg: Leg, line: number | null): LegOutcome {
  const { status } = facts.event;
  const scores = settlingScores(facts);
  const current = currentOf(facts, leg, scores);
  if (!isOver(status)) return unfinishedEventOutcome(status, current);
  const reason = voidReason(facts, leg, status);
  if (reason !== null) return voidOutcome(reason);
  const missing = missingFact(facts, leg, scores);
  if (missing !== null) return pendingOutcome(missing);
  if (leg.market_key === 'h2h') return settledOutcome(winnerResult(facts, leg, scores), null);
  return settledOutcome(
    leg.market_key === 'spreads' ? gradeSpread(current!, line!) : gradeTotal(current!, line!),
    current,
  );
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

/** Why a leg is void although the event is over; null if it is not. */
function voidReason(facts: SettlingFacts, { market_key }: Leg, status: EventStatus): string | null {
  if (status === 'cancelled') return 'The event was cancelled.';
  if (status === 'walkover') return 'The match was a walkover.';
  const isMoneyline = market_key === 'h2h';
  if (
    playsLike(facts.sport) === 'mlb' &&
    !(isMoneyline ? hasReachedInnings(facts, INNINGS_OF_H2H) : isFullGame(facts))
  ) {
    return isMoneyline
      ? 'The game was shorter than 5 innings (4.5 with the home side ahead).'
      : 'The game was shorter than 9 innings (8.5 with the home side ahead).';
  }
  if (!isTennis(facts.sport) || !hasRetired(facts)) return null;
  if (!isMoneyline) return 'A player retired before the match was over.';
  return hasCompleteSet(facts) === false ? 'A player retired before a set was completed.' : null;
}

const INNINGS_OF_H2H = 5;

/** What is still unknown about an event that is over; null if nothing is missing. */
function missingFact(facts: SettlingFacts, { market_key }: Leg, scores: SettlingScores): string | null {
  if (lacksRegularTime(facts)) return 'The score after 90 minutes is not stated.';
  if (scores.some((score) => score === null)) return 'The event is over, but its score is not stated.';
  if (lacksShootoutWinner(facts)) return 'The winner of the shootout is not stated.';
  const needsWinner = isTennis(facts.sport) && market_key === 'h2h';
  return needsWinner && matchWinner(facts) === null ? 'The winner of the match is not stated.' : null;
}

function winnerResult(facts: SettlingFacts, { side }: Leg, [home, away]: SettlingScores): 'won' | 'lost' | 'push' {
  if (isTennis(facts.sport)) return matchWinner(facts) === indexOf(side) ? 'won' : 'lost';
  const ahead = home! - away!;
  if (ahead !== 0) return side !== 'draw' && ahead > 0 === (side === 'home') ? 'won' : 'lost';
  if (playsLike(facts.sport) !== 'soccer') return 'push';
  return side === 'draw' ? 'won' : 'lost';
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
function settleProp(played: EventWithSport, facts: PlayerBoxRow | undefined, stat: string, line: number): LegOutcome {
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
  return settledOutcome(gradeTotal(current, line), current);
}
