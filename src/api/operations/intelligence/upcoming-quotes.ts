import { z } from 'zod';
import { type MainQuotesDocument, mainQuotes } from '../../../../projections/odds/main-quotes.ts';
import { findSport, SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { hasThreeWay, THREE_WAY } from '../../../domain/odds/three-way.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { findPages } from '../../../read-models/store/query-pages.ts';
import { badRequest } from '../../calls/api-errors.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { described, number, text } from '../shared/parameters.ts';

/** Parameters of scans over the upcoming events of one sport. */
export const scanParameters = {
  sport: described('Sport slug.', { enum: SPORT_SLUGS, examples: ['nfl'] }),
  league: text('League slug; an unknown one gives an empty list.').optional(),
};

/** The money of a bet: matters where an exchange is asked, whose ladder may end before it. */
export const stakeParameter = (of: string) =>
  number(`${of}, in money of the venue: an exchange counts with what it pays for it, fees included.`)
    .min(1, 'must be at least 1')
    .max(1_000_000, 'must be at most 1000000');

/** Of an offer of an exchange. */
export const size = z.number().optional().meta({
  description: 'Of an exchange: the money that can be staked at its best price. Otherwise left out.',
});

/** Of a row under a list of books. */
export const better_elsewhere = z.int().optional().meta({
  description:
    'Under a list of books: how many books outside it have a better price at the same line. Otherwise left out.',
});

/** @throws ApiError bad_request for an unknown sport */
export function requireKnownSport(sport: string): void {
  if (!findSport(sport)) throw badRequest(`sport must be one of ${SPORT_SLUGS.join(', ')}`);
}

/** @throws ApiError bad_request for the moneyline of regular time where the moneyline is that, or nobody draws */
export function requireThreeWay(sport: string, market: string | undefined): void {
  if (market === THREE_WAY && !hasThreeWay(sport)) throw badRequest(`${sport} has no market ${THREE_WAY}`);
}

/** Documents in one read. */
const PAGE = 50;

/** Scheduled or delayed events with a start in the future and at least one quote; sorted by start, then id. */
export async function* readUpcomingQuotes(
  { store, now }: Pick<OperationContext, 'store' | 'now'>,
  { sport, league }: { readonly sport: string; readonly league?: string | undefined },
): AsyncGenerator<MainQuotesDocument> {
  const query = {
    where: { sport, ...(league === undefined ? {} : { league }) },
    range: { field: 'opens_at', from: now(), exclusive: 'from' },
    order: { field: 'opens_at', direction: 'asc' },
    limit: PAGE,
  } as const;
  const sortKeyOf = (last: MainQuotesDocument) => ({ value: startOf(last), id: last.id });
  for await (const page of findPages(store, mainQuotes.name, query, sortKeyOf)) {
    for (const { document } of page) {
      yield document;
      await yieldToEventLoop();
    }
  }
}

export const startOf = ({ event }: MainQuotesDocument): number => timeOf(event.schedule!.starts_at);

/** Keeps the first rows by an order, and holds at most twice as many in memory. */
export class BestRows<Row> {
  #rows: Row[] = [];
  readonly #max: number;
  readonly #compare: (a: Row, b: Row) => number;

  constructor(max: number, compare: (a: Row, b: Row) => number) {
    this.#max = max;
    this.#compare = compare;
  }

  add(row: Row): void {
    this.#rows.push(row);
    if (this.#rows.length >= 2 * this.#max) this.#rows = this.all();
  }

  all(): Row[] {
    return this.#rows.sort(this.#compare).slice(0, this.#max);
  }
}
