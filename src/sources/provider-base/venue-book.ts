import { formatTime, MINUTE } from '../../domain/primitives/time.ts';
import type { JsonObject } from '../parsing/json-values.ts';
import { type ContractSide, nameOfGame, type VenueMarket } from './venue-contract.ts';

/** A price in dollars between 0 and 1, and the number of contracts that pay 1. */
type Order = readonly [price: number, count: number];
/** As in `book` messages: a probability, and the money that can be staked. */
export type BookLevel = readonly [price: number, money: number];

/** The two halves of a book, of one side of a market. */
export interface BookHalves {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

/** An unchanged ladder is published again after so long, so that its prices stay fresh. */
export const REPEAT_AFTER = 10 * MINUTE;

const LEVELS = 10;
const TICK = 10_000;
/** Binary fractions: 0.29 x 10,000 is a little less than 2,900. */
const TINY = 1e-6;

/**
 * Bids and asks of one side, the best ten of each. Prices have four decimals: a finer bid is rounded down and an ask up,
 * so that nobody is promised more than there is.
 */
export function bookOf(bids: readonly Order[], asks: readonly Order[]): BookHalves {
  return {
    bids: levelsOf(bids, (price) => Math.floor(price * TICK + TINY), -1),
    asks: levelsOf(asks, (price) => Math.ceil(price * TICK - TINY), 1),
  };
}

function levelsOf(orders: readonly Order[], toTick: (price: number) => number, direction: 1 | -1): BookLevel[] {
  const money = new Map<number, number>();
  for (const [price, count] of orders) {
    const tick = toTick(price);
    if (!(tick >= 1 && tick <= TICK - 1) || !(count > 0)) continue;
    money.set(tick, (money.get(tick) ?? 0) + (tick / TICK) * count);
  }
  return [...money]
    .map(([tick, sum]): BookLevel => [tick / TICK, Math.round(sum * 100) / 100])
    .filter(([, sum]) => sum > 0)
    .sort(([a], [b]) => direction * (a - b))
    .slice(0, LEVELS);
}

/** The orders of the other side: who bids p for one side asks 1 - p for the other. */
export const mirrored = (orders: readonly Order[]): Order[] => orders.map(([price, count]) => [1 - price, count]);

/** The widest spread whose middle is a price of a contract. */
const MAX_SPREAD = 0.1;

/** The middle between the best bid and the best ask; undefined where they are too far apart, or one is missing. */
export function middleOf({ bids, asks }: BookHalves): number | undefined {
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]];
  if (bid === undefined || ask === undefined || ask <= bid || ask - bid > MAX_SPREAD + TINY) return undefined;
  return (bid + ask) / 2;
}

/** A market with its book as it stands. */
export interface QuotedContract {
  readonly market: VenueMarket;
  readonly book: BookHalves;
  /** Of the opposite side. */
  readonly oppositeBook: BookHalves;
}

const mirroredBook = ({ market }: QuotedContract): boolean => market.opposite !== undefined;

/**
 * One `book` message for each market of a game. Of the lines of spreads and totals the one whose price is the most even
 * is the main one.
 */
export function* bookMessages(source: string, at: number, quoted: readonly QuotedContract[]): Generator<JsonObject> {
  const [first] = quoted;
  if (!first) return;
  const head = { kind: 'book', source, at: formatTime(at), ...nameOfGame(first.market.game), venue: source };
  for (const key of ['h2h', 'spreads', 'totals'] as const) {
    const own = quoted.filter(({ market }) => market.key === key);
    if (own.length === 0) continue;
    const main = key === 'h2h' ? own : own.filter((one) => one === mostEven(own));
    const others = own.filter((one) => !main.includes(one));
    yield { ...head, markets: [marketOf(key, main)] };
    if (others.length > 0) yield { ...head, markets: [{ ...marketOf(key, others), alternate: true }] };
  }
}

function mostEven(quoted: readonly QuotedContract[]): QuotedContract | undefined {
  const distance = ({ book }: QuotedContract): number => Math.abs((middleOf(book) ?? 2) - 0.5);
  return quoted.toSorted((a, b) => distance(a) - distance(b) || (a.market.id < b.market.id ? -1 : 1))[0];
}

function marketOf(key: string, quoted: readonly QuotedContract[]): JsonObject {
  const outcomes = quoted.flatMap((one) => {
    const { market, book, oppositeBook } = one;
    const { last, volume } = market;
    const own = outcomeOf(market.side, book, last, volume);
    if (!mirroredBook(one)) return [own];
    return [own, outcomeOf(market.opposite!, oppositeBook, last === undefined ? undefined : 1 - last, volume)];
  });
  const { fee } = quoted[0]!.market;
  return { key, outcomes, ...(fee === undefined ? {} : { fee }) };
}

function outcomeOf(side: ContractSide, book: BookHalves, last: number | undefined, volume: number | undefined) {
  const lastTick = last === undefined ? 0 : Math.round(last * TICK);
  return {
    outcome: side.outcome,
    ...(side.point === undefined ? {} : { point: side.point }),
    contract: side.contract,
    bids: book.bids,
    asks: book.asks,
    ...(lastTick >= 1 && lastTick < TICK ? { last: lastTick / TICK } : {}),
    ...(volume === undefined ? {} : { volume }),
  };
}
