import { badRequest } from '../../../api/calls/api-errors.ts';
import { readDate } from '../../../api/operations/shared/parameters.ts';
import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import { THREE_WAY } from '../../../domain/odds/three-way.ts';
import { SCREEN_MARKETS, type ScreenMarket } from '../answers/odds-screen-answers.ts';
import { DEFAULT_VIEW, MY_BOOKS, type ScreenView } from '../page/view-model/odds-screen/screen-view.ts';

/** The API's names of markets lead to the same pages. */
const ALSO: ReadonlyMap<string, ScreenMarket> = new Map([
  ['h2h', 'moneyline'],
  ['spreads', 'spread'],
  ['totals', 'total'],
  ['first_half_spreads', 'first_half_spread'],
  ['first_half_totals', 'first_half_total'],
  [THREE_WAY, 'three_way'],
]);

/** @throws ApiError bad_request */
export function readScreenMarket(value: string | null): ScreenMarket {
  if (value === null || value === '') return DEFAULT_VIEW.market;
  const market = ALSO.get(value) ?? SCREEN_MARKETS.find((name) => name === value);
  if (market === undefined) throw badRequest(`market must be one of ${SCREEN_MARKETS.join(', ')}`);
  return market;
}

const BOOK = /^[a-z0-9][a-z0-9_.-]{0,62}$/;
const MAX_BOOKS = 60;

/**
 * What the address of the odds screen asks for. An empty parameter counts as absent. Books that are named go before the
 * reader's own list, whose books are not known here.
 * @throws ApiError bad_request
 */
export function readScreenView(search: string): ScreenView {
  const query = new URLSearchParams(search);
  const league = query.get('league') || null;
  const date = query.get('date') || null;
  if (league !== null && !findLeague(league))
    throw badRequest(`league ${JSON.stringify(league.slice(0, 60))} is unknown`);
  if (date !== null) readDate('date', date);
  const asked = query
    .getAll('books')
    .flatMap((value) => value.split(','))
    .map((slug) => slug.trim().toLowerCase())
    .filter((slug) => slug !== '' && slug !== 'all');
  const distinct = [...new Set(asked)].filter((slug) => slug !== MY_BOOKS);
  const isMine = distinct.length === 0 && asked.length > 0;
  if (distinct.length > MAX_BOOKS) throw badRequest(`books may name at most ${MAX_BOOKS} bookmakers`);
  const wrong = distinct.find((slug) => !BOOK.test(slug));
  if (wrong !== undefined) throw badRequest(`books: ${JSON.stringify(wrong.slice(0, 60))} is no bookmaker’s slug`);
  return { league, date, books: distinct, isMine, market: readScreenMarket(query.get('market')) };
}
