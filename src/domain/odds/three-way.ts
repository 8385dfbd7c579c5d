import { isSoccer, isTennis } from '../catalogue/sport-rules.ts';

/**
 * The moneyline of regular time with a draw of its own, by the name that The Odds API has for it. In soccer that is the
 * moneyline itself, `h2h`; elsewhere a bookmaker may offer both.
 */
export const THREE_WAY = 'h2h_3_way';

/** Whether the prices of a market have no points: who wins. */
export const isMoneyline = (market: string): boolean => market === 'h2h' || market === THREE_WAY;

/** Whether a sport may have it beside its moneyline. */
export const hasThreeWay = (sport: string): boolean => !isSoccer(sport) && !isTennis(sport);
