import { setOwn } from '../primitives/own-properties.ts';
import { isWatchedMarket, type PricedOutcome, type PricesContent } from './bookmaker-prices.ts';
import { type LastPrices, type Movement, seriesName } from './line-movements.ts';

/** The series whose prices are held back, and what was told of each before; null: nothing yet. */
export type HeldPrices = Readonly<Record<string, LastPrices[string] | null>>;

/** A price that was suspect is told, because another book came near it. */
export interface ReleasedPrice {
  readonly bookmaker: string;
  readonly market: Movement['market'];
  readonly outcome: PricedOutcome['outcome'];
  /** What was told before; null: nothing yet. */
  readonly from: LastPrices[string] | null;
  readonly to: LastPrices[string];
}

/**
 * What a message makes of suspect prices. It stands with the prices in the log, so that whoever tells news need not
 * compare books again.
 */
export interface SuspectNews {
  /** Of the bookmaker of the message. */
  readonly held?: HeldPrices;
  /** Of other bookmakers. */
  readonly released?: readonly ReleasedPrice[];
}

/** A message without the prices that are held. */
export function withoutHeld(content: PricesContent, held: HeldPrices | undefined): PricesContent {
  if (!held) return content;
  const isHeld = (key: string, outcome: PricedOutcome['outcome']) =>
    Object.hasOwn(held, seriesName(key as Movement['market'], outcome));
  const markets = content.markets.map((market) =>
    isWatchedMarket(market)
      ? { ...market, outcomes: market.outcomes.filter(({ outcome }) => !isHeld(market.key, outcome)) }
      : market,
  );
  return { ...content, markets };
}

/** What was told of the series that are held, over other last prices. */
export function withHeldTold(last: LastPrices, held: HeldPrices | undefined): LastPrices {
  const told: LastPrices = { ...last };
  for (const [series, price] of Object.entries(held ?? {})) {
    if (price) setOwn(told, series, price);
    else delete told[series];
  }
  return told;
}
