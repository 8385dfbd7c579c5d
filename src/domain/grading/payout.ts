import type { BetResult } from './leg-result.ts';

/**
 * What one unit of stake comes back as, from 0 to the price; null until the leg is settled, and where it is won without
 * a price.
 * @param price decimal
 */
export function payoutFactor(result: BetResult | null, price: number | null): number | null {
  switch (result) {
    case null:
    case 'ungradeable':
      return null;
    case 'lost':
      return 0;
    case 'half_lost':
      return 0.5;
    case 'push':
    case 'void':
      return 1;
    case 'half_won':
      return price === null ? null : (1 + price) / 2;
    case 'won':
      return price;
  }
}

interface PricedResult {
  readonly result: BetResult | null;
  /** Decimal; null: unknown. */
  readonly price: number | null;
}

/**
 * What one unit of stake on a parlay comes back as: 0 as soon as one leg is lost, null while another one is open or the
 * prices do not tell. A leg that is a push or void takes its price out of the parlay's. Where nothing is won, no price
 * counts: the stake comes back, or half of it for each leg that is half lost.
 * @param price the decimal price of the whole parlay; null: it is that of its legs together
 */
export function parlayFactor(legs: readonly PricedResult[], price: number | null): number | null {
  if (legs.some(({ result }) => result === 'lost')) return 0;
  const mayWin = legs.some(({ result }) => result === null || !WITHOUT_WIN.has(result));
  const whole = mayWin ? price : null;
  return legs.reduce<number | null>((product, leg) => {
    const factor = legFactor(leg, whole !== null);
    return product === null || factor === null ? null : product * factor;
  }, whole ?? 1);
}

const WITHOUT_WIN: ReadonlySet<BetResult> = new Set(['push', 'void', 'half_lost']);

/** @param isInPrice whether the price of the leg is in that of the parlay */
function legFactor({ result, price }: PricedResult, isInPrice: boolean): number | null {
  if (result === 'won' && isInPrice) return 1;
  const factor = payoutFactor(result, price);
  if (!isInPrice || factor === null) return factor;
  return price === null ? null : factor / price;
}
