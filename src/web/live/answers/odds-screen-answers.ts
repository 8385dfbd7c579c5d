import type { EventStatus } from '../../../domain/catalogue/catalogue.ts';
import type { BoardSide } from './live-page-answers.ts';

/** The markets of the odds screen, by their names in addresses. The first is shown unless one is chosen. */
export const SCREEN_MARKETS = [
  ...(['moneyline', 'spread', 'total', 'first_half_spread', 'first_half_total'] as const),
  'three_way',
] as const;
export type ScreenMarket = (typeof SCREEN_MARKETS)[number];

/**
 * `GET /live/odds?date=YYYY-MM-DD&market=spread`: the prices of one market on a day's events, for the page at `/odds`.
 * Days are those of `GET /live/board`. Without a market: the moneyline.
 */
export interface OddsScreen {
  readonly date: string;
  readonly market: ScreenMarket;
  readonly generated_at: string;
  /** In the order of the board. An event without prices of the market has no books. */
  readonly events: readonly OddsRow[];
}

/**
 * One event with the prices of one market. `event: odds` of `GET /live/stream?date=YYYY-MM-DD&odds=MARKET` carries the
 * whole row whenever it has changed; all else of that stream is as without `odds`.
 */
export interface OddsRow {
  readonly id: number;
  readonly name: string;
  readonly sport: string;
  readonly league: string;
  /** Short. */
  readonly league_name: string;
  readonly starts_at: string;
  readonly status: EventStatus;
  readonly period_label: string | null;
  readonly clock: string | null;
  /** In display order. */
  readonly sides: readonly Pick<BoardSide, 'role' | 'name' | 'abbreviation' | 'score' | 'is_winner'>[];
  /** `home`, `over`, ...: the sides in display order, then a draw; or over and under. */
  readonly outcomes: readonly string[];
  /** The main line of each outcome: signed for a spread, null where there is none. */
  readonly points: readonly (number | null)[];
  /** In the order of bookmakers. */
  readonly books: readonly ScreenBook[];
  /** The probability of each outcome on the main line without margin; null if there are too few prices. */
  readonly fair: readonly number[] | null;
  /** The bookmakers of the fair price, by slug. */
  readonly fair_books: readonly string[];
  /** The movement of the first outcome, oldest first: from the first price that is kept to the last, at most 40 points. */
  readonly series: readonly { readonly price: number; readonly point: number | null }[];
  /** Whose movement it is; null if nobody has prices. */
  readonly series_book: string | null;
  readonly simulated: boolean;
  /** When the first of its prices becomes too old to count; null if none does. */
  readonly until: string | null;
  /** As of a `BoardEvent`. */
  readonly position: string;
}

export interface ScreenBook {
  readonly slug: string;
  readonly name: string;
  /** When the bookmaker last named this market. */
  readonly at: string;
  /** False of a price that is too old or suspect, and of an average that nobody can bet with: it is no best price. */
  readonly counts: boolean;
  /** In the order of `outcomes`; null where the bookmaker has no price. */
  readonly offers: readonly (ScreenOffer | null)[];
}

export interface ScreenOffer {
  /** American odds. */
  readonly price: number;
  readonly point: number | null;
}
