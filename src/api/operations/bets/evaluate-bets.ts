import type { LegSide } from '../../../domain/grading/leg.ts';
import type { BetResult, LegResult } from '../../../domain/grading/leg-result.ts';
import type { LegScope } from '../../../domain/grading/leg-scope.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { fairAmericanPrice } from '../../../intelligence/prices/odds-arithmetic.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { type BoundLeg, legOfIds } from '../../../text/slips/slip-leg.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import type { OwnBet } from '../../calls/services/bet-services.ts';
import { toPresentLegs } from '../slips/present-legs.ts';
import { gradeLegs } from '../slips/slip-grader.ts';
import { closingValue, profitOf } from './bet-worth.ts';
import { readCloses } from './closing-of-bets.ts';

/** A bet as answers show it. */
export interface EvaluatedBet {
  readonly id: number;
  readonly event_id: number;
  readonly sport: string;
  readonly home_team: string | null;
  readonly away_team: string | null;
  readonly starts_at: string | null;
  readonly market_key: string;
  readonly side: LegSide;
  readonly line: number | null;
  readonly player_id: number | null;
  readonly team_id: number | null;
  readonly price: number;
  /** The decimal odds that were given; null: it was given in American odds. */
  readonly decimal: number | null;
  readonly stake: number;
  readonly book: string;
  readonly placed_at: string;
  readonly created_at: string;
  readonly grade: LegResult | null;
  readonly message: string | null;
  readonly closing_fair_price: number | null;
  readonly clv: number | null;
  readonly profit: number | null;
  /** Absent: the whole event. */
  readonly scope?: LegScope | undefined;
}

/** A quarter line has the result of the half that was decided, so its message says that the other half came back. */
const HALVES: ReadonlyMap<BetResult | null, string> = new Map([
  ['half_won', 'half won'],
  ['half_lost', 'half lost'],
]);

/** Bets that are evaluated together, before other work has its turn. */
const AT_ONCE = 10;

/** Grades, closing prices and profits by the facts that are known now, in the order of the bets. */
export async function evaluateBets(
  bets: readonly OwnBet[],
  context: OperationContext,
): Promise<readonly EvaluatedBet[]> {
  const evaluated: EvaluatedBet[] = [];
  for (let start = 0; start < bets.length; start += AT_ONCE) {
    evaluated.push(...(await evaluateSome(bets.slice(start, start + AT_ONCE), context)));
    await yieldToEventLoop();
  }
  return evaluated;
}

async function evaluateSome(bets: readonly OwnBet[], context: OperationContext): Promise<readonly EvaluatedBet[]> {
  const bound: BoundLeg[] = [];
  // Names never change once they are resolved, but events are merged.
  for (const bet of bets) bound.push(...(await toPresentLegs([legOfIds(bet.leg)], bet.createdAt, context)));
  const { legs: graded } = await gradeLegs(bound, { context, asOf: undefined, moment: context.now() }, true);
  const legs = bound.map(({ leg }) => leg!);
  const closes = await readCloses(legs, context);
  return bets.map((bet, index): EvaluatedBet => {
    const { event_id, market_key, side, line, player_id, team_id, scope } = legs[index]!;
    const { result, result_detail, message, market } = graded[index]!;
    const { price, decimal, stake, book, sport } = bet;
    const { probability = null, closesAt = Number.NEGATIVE_INFINITY } = closes[index] ?? {};
    const isAfterStart = bet.placedAt > closesAt;
    return {
      id: bet.id,
      event_id,
      sport,
      home_team: market.home_team ?? null,
      away_team: market.away_team ?? null,
      starts_at: market.starts_at ?? null,
      market_key,
      side,
      line,
      player_id,
      team_id,
      price,
      stake,
      book,
      placed_at: formatTime(bet.placedAt),
      created_at: formatTime(bet.createdAt),
      grade: result,
      message: HALVES.get(result_detail) ?? message,
      closing_fair_price: probability === null ? null : fairAmericanPrice(probability),
      clv: probability === null || isAfterStart ? null : closingValue(bet, probability),
      profit: profitOf(bet, result_detail),
      ...(scope === undefined ? {} : { scope }),
      decimal,
    };
  });
}
