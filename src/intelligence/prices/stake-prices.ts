import { americanFromDecimal } from '../../domain/odds/american-odds.ts';
import { fillStake } from '../../domain/odds/venue-fee.ts';
import { decimalOdds } from './odds-arithmetic.ts';
import type { Quote } from './quotes.ts';

/** What a bet is unless told: money. */
export const USUAL_STAKE = 100;

/**
 * The quotes as a stake gets them: of an exchange the effective price through its ladder, fees included, in American
 * odds. Where the ladder ends before the stake nothing is offered, and the best price is only shown.
 * @param stakes by outcome
 */
export function quotesForStakes(quotes: readonly Quote[], stakes: (outcome: number) => number): Quote[] {
  return quotes.map((quote) => {
    const { ladders, fee } = quote;
    if (!ladders) return quote;
    const decimals = ladders.map((ladder, outcome) => fillStake(ladder, stakes(outcome), fee)?.decimal);
    const prices = decimals.map((decimal) => (decimal === undefined ? undefined : americanFromDecimal(decimal)));
    return {
      ...quote,
      prices: prices.map((price, outcome) => price ?? quote.prices[outcome]!),
      decimals,
      unfilled: prices.map((price) => price === undefined),
    };
  });
}

export const quotesForStake = (quotes: readonly Quote[], stake: number): Quote[] =>
  quotesForStakes(quotes, () => stake);

/** Whether somebody can have this outcome at the price of the quote. */
export const isOffered = ({ unfilled }: Quote, outcome: number): boolean => unfilled?.[outcome] !== true;

/** What a stake of one comes back as, stake included: not rounded to American odds where an exchange fills it. */
export const decimalOf = ({ decimals, prices }: Quote, outcome: number): number =>
  decimals?.[outcome] ?? decimalOdds(prices[outcome]!);

/** The money that can be staked at the best price of an exchange; null: the bookmaker does not say. */
export const sizeOf = ({ ladders }: Quote, outcome: number): number | null => ladders?.[outcome]?.[0]?.[1] ?? null;
