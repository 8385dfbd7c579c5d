import type { EventStatus } from '../../domain/catalogue.ts';
import { spreadResult, totalResult } from '../../domain/grading/comparison.ts';
import { isFullGame, wentInnings } from '../../domain/grading/innings.ts';
import { halvesOf, isQuarterLine } from '../../domain/grading/quarter-line.ts';
import {
  lacksRegularTime,
  lacksShootoutWinner,
  type SettlingScores,
  settlingScores,
} from '../../domain/grading/settling-score.ts';
import type { Played } from '../../domain/results.ts';
import { isTennis } from '../../domain/sides.ts';
import { isOver } from '../../domain/sports-event.ts';
import { hasCompleteSet, hasRetired, matchWinner } from '../../domain/tennis-sets.ts';
import type { Leg } from './leg.ts';
import { kindOf } from './markets.ts';
import { type PropFacts, settleProp } from './settle-prop.ts';
import { pending, type Settled, settled, unmapped, voided, waiting } from './settled.ts';

/** What a leg is settled from. */
export interface SettlingFacts extends Played {
  /** Of home and of the other; null for one that the directory does not have. */
  readonly teamIds: readonly [number | null, number | null];
  /** Of a prop: the box, and what of it is the player's. */
  readonly prop?: PropFacts | undefined;
}

/**
 * How a leg stands, or ended. Pure; the rules stand in words in `house-rules.ts`.
 * @param leg one that the event can have (`whyUnmapped`)
 */
export function settleLeg(facts: SettlingFacts, leg: Leg): Settled {
  const decide = (line: number | null): Settled =>
    kindOf(leg.market_key) === 'prop'
      ? settleProp(facts, facts.prop, leg.market_key, line!)
      : settleGame(facts, leg, line);
  if (facts.sport !== 'soccer' || leg.line === null || !isQuarterLine(leg.line)) return decide(leg.line);
  return ofHalves(leg, halvesOf(leg.line).map(decide));
}

/** Where both halves end the same, that is the result; where one lands on its line, only half of the bet is decided. */
function ofHalves({ side }: Leg, halves: readonly Settled[]): Settled {
  const [one, other] = halves;
  if (one!.result === other!.result) return one!;
  const decided = halves.find(({ result }) => result !== 'push')!.result;
  return unmapped(decided === 'won' || decided === side ? 'half won' : 'half lost');
}

function settleGame(facts: SettlingFacts, leg: Leg, line: number | null): Settled {
  const { status } = facts.event;
  const scores = settlingScores(facts);
  const current = currentOf(facts, leg, scores);
  if (!isOver(status)) return waiting(status, current);
  const reason = whyVoid(facts, leg, status);
  if (reason !== null) return voided(reason);
  const missing = whatIsMissing(facts, leg, scores);
  if (missing !== null) return pending(missing);
  if (leg.market_key === 'h2h') return settled(winnerResult(facts, leg, scores), null);
  return settled(leg.market_key === 'spreads' ? spreadResult(current!, line!) : totalResult(current!, line!), current);
}

const indexOf = (side: Leg['side']): 0 | 1 => (side === 'away' ? 1 : 0);

/** The number that is compared with the line; null on h2h, and where a score is not known. */
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

/** Why nothing was decided though the event is over; null where something was. */
function whyVoid(facts: SettlingFacts, { market_key }: Leg, status: EventStatus): string | null {
  if (status === 'cancelled') return 'The event was cancelled.';
  if (status === 'walkover') return 'The match was a walkover.';
  const isMoneyline = market_key === 'h2h';
  if (facts.sport === 'mlb' && !(isMoneyline ? wentInnings(facts, INNINGS_OF_H2H) : isFullGame(facts))) {
    return isMoneyline
      ? 'The game was shorter than 5 innings (4.5 with the home side ahead).'
      : 'The game was shorter than 9 innings (8.5 with the home side ahead).';
  }
  if (!isTennis(facts.sport) || !hasRetired(facts)) return null;
  if (!isMoneyline) return 'A player retired before the match was over.';
  return hasCompleteSet(facts) === false ? 'A player retired before a set was completed.' : null;
}

const INNINGS_OF_H2H = 5;

/** What nobody has told yet of an event that is over; null where everything is there. */
function whatIsMissing(facts: SettlingFacts, { market_key }: Leg, scores: SettlingScores): string | null {
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
  if (facts.sport !== 'soccer') return 'push';
  return side === 'draw' ? 'won' : 'lost';
}
