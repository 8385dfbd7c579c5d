import type { OperationContext } from '../../api/calls/operation/operation.ts';
import { closingValue, profitOf } from '../../api/operations/bets/bet-worth.ts';
import { readCloses } from '../../api/operations/bets/closing-of-bets.ts';
import { gradeLegs } from '../../api/operations/slips/slip-grader.ts';
import type { Leg } from '../../domain/grading/leg.ts';
import type { BetResult } from '../../domain/grading/leg-result.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import { legOfIds } from '../../text/slips/slip-leg.ts';
import type { Fill } from './bet-desk.ts';

/** What a leg came to, by everything that the log holds. */
interface SettledLeg {
  /** Null while that is not decided. */
  readonly result: BetResult | null;
  /** The fair probability at the close, if the line was this one. */
  readonly close: number | null;
  /** When the markets closed, in milliseconds. */
  readonly closesAt: number;
}

/** A fill with what it was worth. */
export interface SettledFill extends Fill {
  readonly result: BetResult | null;
  /** In the unit of the stake; null while that is not decided. */
  readonly profit: number | null;
  /** Null where the close is unknown, or of another line. */
  readonly clv: number | null;
  /** When its event began, in milliseconds. */
  readonly closesAt: number;
}

/** Legs that are settled together, before other work has its turn. */
const AT_ONCE = 20;

/**
 * Results, profits and closing values, by the functions that grade slips and follow an account's bets.
 * @param end the end of the log
 */
export async function createSettler(fills: Iterable<Fill>, context: OperationContext, end: AsOf) {
  const legs = new Map<string, Leg>();
  for (const { leg } of fills) legs.set(keyOf(leg), leg);
  const settled = new Map<string, SettledLeg>();
  const all = [...legs.values()];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const some = all.slice(start, start + AT_ONCE);
    const { legs: graded } = await gradeLegs(some.map(legOfIds), { context, asOf: end, moment: end.at }, true);
    const closes = await readCloses(some, context, end);
    for (const [index, leg] of some.entries()) {
      const { probability = null, closesAt = Number.POSITIVE_INFINITY } = closes[index] ?? {};
      settled.set(keyOf(leg), { result: graded[index]!.result_detail, close: probability, closesAt });
    }
    await yieldToEventLoop();
  }
  return (fill: Fill): SettledFill => {
    const { result: own, close, closesAt } = settled.get(keyOf(fill.leg))!;
    // The start was known to be earlier only afterwards: no bookmaker lets such a bet stand.
    const isLate = fill.filledAt >= closesAt;
    const result = isLate ? 'void' : own;
    const clv = close === null || isLate ? null : closingValue(fill, close);
    return { ...fill, result, profit: profitOf(fill, result), clv, closesAt };
  };
}

const keyOf = ({ event_id, market_key, side, line }: Leg): string => JSON.stringify([event_id, market_key, side, line]);
