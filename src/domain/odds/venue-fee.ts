import type { FeeModel } from '../feed/book-message.ts';

/** What a venue takes from an order: a fact with a date. */
export interface VenueFee {
  /**
   * `p(1-p)`: `rate` x (price x (1 - price))^`exponent` of each contract, paid on top of it. `notional`: `rate` of the
   * money of the order, paid on top of it. `winnings`: `rate` of what the order wins, taken from the payout.
   */
  readonly model: FeeModel;
  /** A share: 0.07 is 7 %. */
  readonly rate: number;
  /** Of `p(1-p)` alone; default 1. */
  readonly exponent?: number | undefined;
  /** Whether an order that waits in the book pays nothing. A price that is taken pays in any case. */
  readonly taker_only?: boolean | undefined;
  /** The unit of money to which the fee of a whole order is rounded up; absent: it is not rounded. */
  readonly rounding?: number | undefined;
  /** From when on it holds; absent: from the message on. */
  readonly from?: string | undefined;
}

/** A price as a probability, and the money that can be staked at it. */
export type Level = readonly [price: number, size: number];

/**
 * The fee on one contract that pays 1 and is bought at `price`, before any rounding. Of `winnings` it is taken from the
 * payout, of the other models it is paid on top of the price. The formula of `p(1-p)` is the one that Kalshi and
 * Polymarket publish for takers.
 */
function feeOfContract(fee: VenueFee, price: number): number {
  if (fee.model === 'winnings') return fee.rate * (1 - price);
  if (fee.model === 'notional') return fee.rate * price;
  return fee.rate * (price * (1 - price)) ** (fee.exponent ?? 1);
}

/** The decimal price (stake included) of a contract net of its fee, without the rounding of an order. */
export function netDecimal(price: number, fee: VenueFee | undefined): number {
  if (!fee) return 1 / price;
  const charge = feeOfContract(fee, price);
  return fee.model === 'winnings' ? (1 - charge) / price : 1 / (price + charge);
}

/** Less than this is no money: what is left over by the arithmetic of a computer. */
const NOTHING = 1e-9;

/**
 * The least money, fees included, for which orders return so much in all, without the rounding of the fee. Undefined if
 * the asks end before.
 * @param asks best price first
 */
export function costOfReturn(asks: readonly Level[], returned: number, fee: VenueFee | undefined): number | undefined {
  let left = returned;
  let cost = 0;
  for (const [price, size] of asks) {
    const charge = fee ? feeOfContract(fee, price) : 0;
    const [paidEach, returnedEach] = fee?.model === 'winnings' ? [price, 1 - charge] : [price + charge, 1];
    const bought = Math.min(size / price, left / returnedEach);
    cost += bought * paidEach;
    left -= bought * returnedEach;
    if (left <= NOTHING) return cost;
  }
  return undefined;
}

/** What an order gets. Money is that of the venue. */
export interface FilledOrder {
  /** How many contracts it buys; each pays 1. */
  readonly contracts: number;
  /** The fee of the whole order, rounded up to the unit of the venue. */
  readonly fee: number;
  /** What it pays in all. On a rounded fee it may exceed the stake by less than one unit. */
  readonly paid: number;
  /** What it gets back if it wins. */
  readonly returned: number;
  /** `returned` / `paid`. */
  readonly decimal: number;
}

/**
 * Takes the best asks, one after the other, until the stake is spent with its fees. The fee is rounded once, over the
 * whole order. Undefined if the asks end before the stake.
 * @param asks best price first
 * @param stake the money that is spent, fees included
 */
export function fillStake(asks: readonly Level[], stake: number, fee: VenueFee | undefined): FilledOrder | undefined {
  let left = stake;
  let contracts = 0;
  let money = 0;
  let charge = 0;
  for (const [price, size] of asks) {
    const each = fee ? feeOfContract(fee, price) : 0;
    const paidEach = fee?.model === 'winnings' ? price : price + each;
    const bought = Math.min(size / price, left / paidEach);
    contracts += bought;
    money += bought * price;
    charge += bought * each;
    left -= bought * paidEach;
    if (left <= NOTHING) break;
  }
  if (left > NOTHING || contracts === 0) return undefined;
  const rounded = roundUp(charge, fee?.rounding);
  const paid = fee?.model === 'winnings' ? money : money + rounded;
  const returned = fee?.model === 'winnings' ? contracts - rounded : contracts;
  return { contracts, fee: rounded, paid, returned, decimal: returned / paid };
}

/** A unit that divides the money but for the arithmetic of a computer is not rounded up. */
const roundUp = (money: number, unit: number | undefined): number =>
  unit === undefined ? money : Math.ceil(money / unit - NOTHING) * unit;
