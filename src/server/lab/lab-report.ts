import { group, rollup } from 'd3-array';
import { formatTime } from '../../domain/primitives/time.ts';
import type { BetDesk, BetOutcome, Fill, Refusal, RefusedBet } from './bet-desk.ts';
import { drawdownOf, type FillMeasures, measureFills } from './lab-measures.ts';
import type { SettledFill } from './settle-fills.ts';

interface LatencyMeasures extends FillMeasures {
  readonly latency_seconds: number;
  readonly filled: number;
  readonly refused: number;
  readonly refusals: Readonly<Partial<Record<Refusal, number>>>;
  readonly drawdown: number;
  readonly by_book: readonly Row[];
  readonly by_market: readonly Row[];
}

type Row = FillMeasures & { readonly key: string };

/** What a run is told at its end, beside what its options and its program were. */
export interface LabResult extends Omit<LatencyMeasures, 'refusals' | 'fills'> {
  readonly bets: number;
  readonly fills: readonly ReturnType<typeof showFill>[];
  readonly refusals: readonly ReturnType<typeof showRefusal>[];
  readonly latencies: readonly LatencyMeasures[];
}

/**
 * @param own the desk at the latency of the run
 * @param others the desks at the latencies that every run shows
 */
export function reportBets(
  bets: number,
  own: BetDesk,
  others: readonly BetDesk[],
  settle: (fill: Fill) => SettledFill,
): LabResult {
  const settled = own.fills.map(settle);
  const { refusals: _, fills: __, ...measures } = measureDesk(own, settled);
  return {
    bets,
    ...measures,
    fills: settled.map(showFill),
    refusals: own.refusals.map(showRefusal),
    latencies: others.map((desk) => measureDesk(desk, desk.fills.map(settle))),
  };
}

function measureDesk({ latency, refusals }: BetDesk, fills: readonly SettledFill[]): LatencyMeasures {
  const reasons = rollup(
    refusals,
    (some) => some.length,
    ({ reason }) => reason,
  );
  return {
    latency_seconds: latency / 1000,
    filled: new Set(fills.map(({ bet }) => bet)).size,
    refused: refusals.length,
    refusals: Object.fromEntries([...reasons].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...measureFills(fills),
    drawdown: drawdownOf(fills),
    by_book: rowsOf(fills, ({ book }) => book),
    by_market: rowsOf(fills, ({ leg }) => leg.market_key),
  };
}

const rowsOf = (fills: readonly SettledFill[], keyOf: (fill: SettledFill) => string): Row[] =>
  [...group(fills, keyOf)]
    .map(([key, some]) => ({ key, ...measureFills(some) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

/** Where a fill is, and what it took: as the program is told it, and the report. */
const placeOfFill = ({ bet, leg, book, price, stake, filledAt }: Fill) => ({
  bet,
  event_id: leg.event_id,
  market: leg.market_key,
  outcome: leg.side,
  point: leg.line,
  book,
  price,
  stake,
  filled_at: formatTime(filledAt),
});

const showFill = (fill: SettledFill) => ({
  ...placeOfFill(fill),
  placed_at: formatTime(fill.placedAt),
  result: fill.result,
  profit: fill.profit,
  clv: fill.clv,
});

const showRefusal = ({ bet, reason, refusedAt }: RefusedBet) => ({ bet, reason, refused_at: formatTime(refusedAt) });

/** What came of a bet, as the program is told. */
export const showOutcome = ({ bet, fills, reason }: BetOutcome) => ({ bet, fills: fills.map(placeOfFill), reason });
