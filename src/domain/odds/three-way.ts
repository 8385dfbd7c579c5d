import { isSoccer, isTennis } from '../catalogue/sport-rules.ts';

/**
 * The moneyline of regular time with a draw of its own, by the name that The Odds API has for it. In soccer that is the
 * moneyline itself, `h2h`; elsewhere a bookmaker may offer both.
 */
export const THREE_WAY = 'h2h_3_way';

interface GivenMarket {
  readonly key: string;
  readonly scope?: string | undefined;
  readonly outcomes: readonly { readonly outcome: string }[];
}

/**
 * The market that a source means: a moneyline of the match with a price of the draw is the one of regular time where a
 * sport's own has none. Taken for the sport's own, it would withdraw that one, and its prices would lie far from those of
 * other books.
 */
export const meantMarket = (sport: string, { key, scope = 'match', outcomes }: GivenMarket): string =>
  key === 'h2h' && scope === 'match' && hasThreeWay(sport) && outcomes.some(({ outcome }) => outcome === 'draw')
    ? THREE_WAY
    : key;

/** Whether a sport may have it beside its moneyline. */
export const hasThreeWay = (sport: string): boolean => !isSoccer(sport) && !isTennis(sport);
