import { z } from 'zod';
import type { MainQuotesDocument } from '../../../../projections/odds/main-quotes.ts';
import { WATCHED_MARKETS } from '../../../domain/odds/bookmaker-prices.ts';
import { THREE_WAY } from '../../../domain/odds/three-way.ts';
import { blendWeightAt } from '../../../intelligence/evaluation/blend-weight.ts';
import { blendProbabilities } from '../../../intelligence/forecasts/blend.ts';
import { marketProbabilities } from '../../../intelligence/forecasts/market-forecast.ts';
import { computeBetPrices, type JudgeFair, MAX_EV } from '../../../intelligence/prices/bet-prices.ts';
import { BET_SIDES, type BetToken, betTokensOf } from '../../../intelligence/prices/bet-tokens.ts';
import type { BookList } from '../../../intelligence/prices/book-list.ts';
import { createEdgesOfList } from '../../../intelligence/prices/listed-edges.ts';
import { isFresh } from '../../../intelligence/prices/quotes.ts';
import { type SharpWeight, weightsAt } from '../../../intelligence/prices/sharp-books.ts';
import { USUAL_STAKE } from '../../../intelligence/prices/stake-prices.ts';
import { id } from '../../../read-models/rendering/event-schemas.ts';
import { quotesOf, teamOf } from '../../../read-models/rendering/quotes-of-event.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import type { OwnBooks } from '../../calls/operation/with-my-books.ts';
import { booksParameter, clampedAge, maxAgeParameter, readBookList } from '../shared/book-list-parameters.ts';
import { limit, number, oneOf, text } from '../shared/parameters.ts';
import {
  BestRows,
  better_elsewhere,
  readUpcomingQuotes,
  requireKnownSport,
  requireThreeWay,
  scanParameters,
  size,
  stakeParameter,
  startOf,
} from './upcoming-quotes.ts';

const query = z.object({
  ...scanParameters,
  market: oneOf('Market; tennis has no totals here, and no `h2h_3_way`, as soccer.', WATCHED_MARKETS).default('h2h'),
  min_ev: number('Least EV in percent; brought within 0 and 25.').default(0),
  book: text('A bookmaker’s slug: only what this one offers.').optional(),
  books: booksParameter,
  max_age: maxAgeParameter(' Left out: 900 under a list of books, else 4500.').optional(),
  stake: stakeParameter('Stake of the bet').default(USUAL_STAKE),
  by: oneOf('What prices are judged by: the fair price, or its blend with the forecast.', ['fair', 'blend']).default(
    'fair',
  ),
  limit: limit({ max: 200, fallback: 50 }),
});
type Input = z.infer<typeof query> & OwnBooks;

const opportunity = z
  .object({
    event_id: id,
    side: z.enum(BET_SIDES),
    team: z.string().nullable(),
    bet_type: z.string(),
    line: z.number().nullable(),
    fair_probability: z.number(),
    ev: z.object({
      beta: z.literal(true),
      book: z.string(),
      price: z.int(),
      ev_pct: z.number(),
      kelly_fraction: z.number(),
      quote_age_seconds: z.int(),
      n_books: z.int(),
      size,
    }),
    better_elsewhere,
    blend_probability: z.number().optional().meta({ description: 'Under `by=blend`: what EV and stake follow from.' }),
  })
  .meta({ id: 'EvOpportunity' });
const output = z.object({
  sport: z.string(),
  league: z.string().nullable(),
  market: z.enum(WATCHED_MARKETS),
  min_ev: z.number(),
  max_ev: z.number(),
  book: z.string().nullable(),
  beta: z.literal(true),
  opportunities: z.array(opportunity),
  total: z.int(),
  by: z.enum(['fair', 'blend']),
});
type Opportunity = z.infer<typeof opportunity>;

interface Row {
  readonly start: number;
  /** Index of the outcome among those of its event. */
  readonly index: number;
  readonly opportunity: Opportunity;
}

// Without a list of books a sheet has the columns that it has always had.
const { better_elsewhere: _, ...columns } = opportunity.shape;
const table = answerTable(
  z.object({ sport: z.string(), market: z.enum(WATCHED_MARKETS), ...columns }),
  ({ sport, market, opportunities }: z.infer<typeof output>) => opportunities.map((one) => ({ sport, market, ...one })),
);

export const scanEv: Operation<unknown, Input, unknown, z.infer<typeof output>> = {
  name: 'scan_ev',
  method: 'GET',
  path: '/v1/intelligence/ev',
  tag: 'Intelligence',
  brief: 'Scans a sport for bets with positive expected value: prices that beat the fair ones.',
  summary: 'Main-line prices of a sport’s events to come that are better than fair, by expected value.',
  hint: 'Fair is what reference bookmakers’ prices say without their margin. EV beyond 25% is taken for a mistake, and left out.',
  input: { query },
  output,
  table,
  errors: ['bad_request', 'sport_scope_denied', 'service_unavailable'],
  cost: flatCost(1),
  takesBooks: true,
  checkUnpaid: requireMarket,
  async run(input, context) {
    requireMarket(input);
    const { sport, league, market, by } = input;
    // In the case of the slugs, as those of `books`.
    const book = input.book?.trim().toLowerCase();
    const min_ev = Math.max(0, Math.min(MAX_EV, input.min_ev));
    const clock = context.now();
    const list = readBookList(input);
    const maxAge = input.max_age === undefined ? undefined : clampedAge(input.max_age) * 1000;
    const { stake } = input;
    const options = {
      clock,
      weightOf: weightsAt(context.bookmakers.sharpWeight, sport, clock),
      list,
      maxAge,
      only: book,
      stake,
    };
    const best = new BestRows<Row>(input.limit, compare);
    const judgeOf = by === 'blend' ? await createJudges(context, sport, market, clock) : undefined;
    for await (const document of readUpcomingQuotes(context, { sport, league })) {
      const judge = await judgeOf?.(document);
      for (const row of rowsOf(document, market, { ...options, judge }))
        if (row.opportunity.ev.ev_pct >= min_ev) best.add(row);
    }
    const opportunities = best.all().map(({ opportunity: one }) => one);
    return {
      sport,
      league: league ?? null,
      market,
      min_ev,
      max_ev: MAX_EV,
      book: book ?? null,
      beta: true,
      opportunities,
      total: opportunities.length,
      by,
    };
  },
};

/** @throws ApiError bad_request */
function requireMarket({ sport, market, by }: Input): void {
  requireKnownSport(sport);
  if (sport === 'tennis' && market === 'totals') throw badRequest('the EV scan has no totals of tennis');
  requireThreeWay(sport, market);
  if (market === THREE_WAY && by === 'blend') throw badRequest(`there is no forecast of ${THREE_WAY}: by must be fair`);
}

interface ScanOptions {
  readonly clock: number;
  readonly weightOf: SharpWeight;
  /** Absent: every book counts. */
  readonly list: BookList | undefined;
  /** How old an offer may be without a list, in milliseconds; absent: as a quote that counts for the fair price. */
  readonly maxAge: number | undefined;
  readonly only: string | undefined;
  readonly stake: number;
  /** Absent: offers are judged by the fair probabilities. */
  readonly judge: JudgeFair | undefined;
}

type Found = Pick<Opportunity, 'line' | 'fair_probability' | 'ev' | 'better_elsewhere' | 'blend_probability'>;

/**
 * Judges offers by the blends of events: as the intelligence of each has them now.
 * @throws UnavailableError while the weights are not counted
 */
async function createJudges(
  { record, forecasts }: Pick<OperationContext, 'record' | 'forecasts'>,
  sport: string,
  market: Input['market'],
  clock: number,
): Promise<(document: MainQuotesDocument) => Promise<JudgeFair>> {
  const turns = await record.countedBlendTurnsOf(sport);
  // Nobody forecasts the moneyline of regular time.
  if (market === THREE_WAY) return async () => (fair) => fair;
  const { weight } = blendWeightAt(turns?.[market] ?? [], clock);
  return async (document) => {
    // Forecasts without a weight change nothing.
    if (weight === 0 || quotesOf(document, market).length === 0) return (fair) => fair;
    const found = await forecasts.forecastsOf(document, undefined);
    const known = found === 'learning' ? null : (found?.before(clock + 1) ?? null);
    return (fair, line) => {
      const forecast = known && marketProbabilities(known.forecast, market, line);
      return forecast ? blendProbabilities(fair, forecast, weight) : fair;
    };
  };
}

function rowsOf(document: MainQuotesDocument, market: Input['market'], options: ScanOptions): Row[] {
  const tokens = betTokensOf(document.sport, market);
  return edgesOf(document, market, tokens, options).flatMap((found, index) => {
    if (!found) return [];
    const { line, ...values } = found;
    const { side, bet_type } = tokens[index]!;
    const team = teamOf(document, tokens[index]!);
    const one = { event_id: document.id, side, team, bet_type, line, ...values };
    return [{ start: startOf(document), index, opportunity: one }];
  });
}

/** By outcome; null where no price is better than fair. */
function edgesOf(
  document: MainQuotesDocument,
  market: Input['market'],
  tokens: readonly BetToken[],
  { list, maxAge, only, judge, ...unjudged }: ScanOptions,
): (Found | null)[] {
  const { clock, weightOf } = unjudged;
  const options = { ...unjudged, ...(judge && { judge }) };
  const quotes = quotesOf(document, market);
  if (list) {
    return createEdgesOfList(
      market,
      quotes,
      tokens.length,
      options,
    )(list, only).map(
      (edge) =>
        edge && {
          line: edge.line,
          fair_probability: edge.fairProbability,
          ev: edge.ev,
          better_elsewhere: edge.betterElsewhere,
          ...(judge && { blend_probability: edge.judgedProbability }),
        },
    );
  }
  const counted =
    maxAge === undefined ? quotes : quotes.filter(({ book, at }) => weightOf(book) > 0 || isFresh(at, clock, maxAge));
  const choice = only === undefined ? options : { ...options, only };
  const bets = computeBetPrices(market, counted, tokens.length, choice);
  const fairs = bets.map(({ fair }) => fair?.probability ?? 0);
  return bets.map(({ fair, ev, market: { line } }, outcome) => {
    if (!fair || !ev) return null;
    const judged = judge?.(fairs, bets[0]!.market.line);
    return {
      line,
      fair_probability: fair.probability,
      ev,
      ...(judged && { blend_probability: judged[outcome]! }),
    };
  });
}

const compare = (a: Row, b: Row): number =>
  b.opportunity.ev.ev_pct - a.opportunity.ev.ev_pct ||
  a.start - b.start ||
  a.opportunity.event_id - b.opportunity.event_id ||
  a.index - b.index;
