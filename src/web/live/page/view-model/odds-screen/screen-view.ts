import { SCREEN_MARKETS, type ScreenMarket } from '../../../answers/odds-screen-answers.ts';

/** What the odds screen shows, as its address says. */
export interface ScreenView {
  /** Null for all leagues. */
  readonly league: string | null;
  /** YYYY-MM-DD; null for the nearest day with events. */
  readonly date: string | null;
  /** Slugs of bookmakers; empty for all. */
  readonly books: readonly string[];
  /** The books are those of the reader's own list, which the address does not name. */
  readonly isMine: boolean;
  readonly market: ScreenMarket;
}

export const DEFAULT_VIEW: ScreenView = {
  league: null,
  date: null,
  books: [],
  isMine: false,
  market: SCREEN_MARKETS[0],
};

export const SCREEN_MARKET_NAMES: Readonly<Record<ScreenMarket, string>> = {
  moneyline: 'Moneyline',
  spread: 'Spread',
  total: 'Total',
  first_half_spread: '1st half spread',
  first_half_total: '1st half total',
  three_way: '3-way',
};

/** Stands in the address for the reader's own list. */
export const MY_BOOKS = 'mine';

/** `league=nfl&market=spread`: what differs from the default, in a fixed order. */
export function viewQuery({ league, date, books, isMine, market }: ScreenView): string {
  const query = new URLSearchParams();
  if (league !== null) query.set('league', league);
  if (date !== null) query.set('date', date);
  if (isMine) query.set('books', MY_BOOKS);
  else if (books.length > 0) query.set('books', books.join(','));
  query.set('market', market);
  // A comma needs no escape in a query.
  return query.toString().replaceAll('%2C', ',');
}

export const viewPath = (view: ScreenView): string => `/odds?${viewQuery(view)}`;
