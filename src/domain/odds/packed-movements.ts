import { type Observation, timeOf } from '../observations/observation.ts';
import { formatTime } from '../primitives/time.ts';
import { type PricesContent, WATCHED_MARKETS } from './bookmaker-prices.ts';
import {
  type BookMovements,
  type LastPrices,
  MAX_MOVEMENTS,
  MOVED_OUTCOMES,
  type Movement,
  seriesName,
  updateLastPrices,
} from './line-movements.ts';

/**
 * The line movements of one bookmaker on one event, packed as numbers for a read model: an active bookmaker has 200 on
 * each event, and most are never requested. The price after a movement is not stored: it is the price before the next
 * movement of the outcome, or its last price.
 */
export interface PackedMovements {
  /** The last price of each outcome. */
  last: LastPrices;
  /** Time of the newest movement, in milliseconds since 1970; 0 before the first one. */
  until: number;
  /**
   * `ROW` numbers for each movement, newest last: its kind, milliseconds since the previous one, price before, point
   * before. The first one stored has 0 milliseconds, so that equal movements have equal numbers whatever came before
   * them.
   */
  moves: number[];
}

const ROW = 4;
const SINCE = 1;

// The first number of a row encodes outcome, market, and whether there is no point (then the point is 0).
const MARKET = 8;
const NO_POINT = 32;
const MARKET_CODES = new Map<string, number>(WATCHED_MARKETS.map((market, index) => [market, index * MARKET]));
const OUTCOME_CODES = new Map<string, number>(MOVED_OUTCOMES.map((outcome, index) => [outcome, index]));

export const noMovements = (): PackedMovements => ({ last: {}, until: 0, moves: [] });

/** Applies a bookmaker's report to its movements, which it changes. Same rules as `applyMovements`. */
export function addMovements(packed: PackedMovements, { at, content }: Observation<PricesContent>): void {
  const { moves } = packed;
  let time = Number.NaN;
  updateLastPrices(packed.last, content, (market, outcome, [from, pointFrom]) => {
    if (Number.isNaN(time)) time = timeOf(at);
    pushRow(packed, { market, outcome, from, pointFrom }, time);
  });
  if (moves.length <= MAX_MOVEMENTS * ROW) return;
  moves.splice(0, moves.length - MAX_MOVEMENTS * ROW);
  moves[SINCE] = 0;
}

export function packMovements({ last, movements }: BookMovements): PackedMovements {
  const packed: PackedMovements = { last: { ...last }, until: 0, moves: [] };
  for (const movement of movements) pushRow(packed, movement, timeOf(movement.at));
  return packed;
}

function pushRow(packed: PackedMovements, movement: Omit<Movement, 'at' | 'to' | 'pointTo'>, time: number): void {
  const { market, outcome, from, pointFrom } = movement;
  const code = OUTCOME_CODES.get(outcome)! + MARKET_CODES.get(market)! + (pointFrom === null ? NO_POINT : 0);
  const { moves, until } = packed;
  moves.push(code, moves.length === 0 ? 0 : time - until, from, pointFrom ?? 0);
  packed.until = time;
}

/** The movements, newest last. */
export function unpackMovements({ last, until, moves }: PackedMovements): Movement[] {
  const movements: Movement[] = [];
  const next: Record<string, LastPrices[string]> = { ...last };
  let time = until;
  for (let row = moves.length - ROW; row >= 0; row -= ROW) {
    const code = moves[row]!;
    const market = WATCHED_MARKETS[Math.floor((code % NO_POINT) / MARKET)]!;
    const outcome = MOVED_OUTCOMES[code % MARKET]!;
    const series = seriesName(market, outcome);
    const [to, pointTo] = next[series]!;
    const from = moves[row + 2]!;
    const pointFrom = code >= NO_POINT ? null : moves[row + 3]!;
    movements.push({ market, outcome, from, to, pointFrom, pointTo, at: formatTime(time) });
    next[series] = [from, pointFrom];
    time -= moves[row + SINCE]!;
  }
  return movements.reverse();
}
