import { z } from 'zod';
import type { MainQuotesDocument } from '../../../../projections/odds/main-quotes.ts';
import { computeBetPrices, MAX_EV } from '../../../intelligence/prices/bet-prices.ts';
import { BET_SIDES, betTokensOf } from '../../../intelligence/prices/bet-tokens.ts';
import { QUOTED_MARKETS } from '../../../intelligence/prices/quotes.ts';
import { id } from '../../../read-models/rendering/event-schemas.ts';
import { quotesOf, teamOf } from '../../../read-models/rendering/quotes-of-event.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { limit, number, oneOf, text } from '../shared/parameters.ts';
import { BestRows, readUpcomingQuotes, requireKnownSport, scanParameters, startOf } from './upcoming-quotes.ts';

const query = z.object({
  ...scanParameters,
  market: oneOf('Market; tennis has no totals here.', QUOTED_MARKETS).default('h2h'),
  min_ev: number('Least EV in percent; brought within 0 and 25.').default(0),
  book: text('A bookmaker’s slug: only what this one offers.').optional(),
  limit: limit({ max: 200, fallback: 50 }),
});
type Input = z.infer<typeof query>;

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
    }),
  })
  .meta({ id: 'EvOpportunity' });
const output = z.object({
  sport: z.string(),
  league: z.string().nullable(),
  market: z.enum(QUOTED_MARKETS),
  min_ev: z.number(),
  max_ev: z.number(),
  book: z.string().nullable(),
  beta: z.literal(true),
  opportunities: z.array(opportunity),
  total: z.int(),
});
type Opportunity = z.infer<typeof opportunity>;

interface Row {
  readonly start: number;
  /** Index of the outcome among those of its event. */
  readonly index: number;
  readonly opportunity: Opportunity;
}

const table = answerTable(
  z.object({ sport: z.string(), market: z.enum(QUOTED_MARKETS), ...opportunity.shape }),
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
  errors: ['bad_request', 'sport_scope_denied'],
  cost: flatCost(1),
  checkUnpaid: requireMarket,
  async run(input, context) {
    requireMarket(input);
    const { sport, league, market, book } = input;
    const min_ev = Math.max(0, Math.min(MAX_EV, input.min_ev));
    const clock = context.now();
    const options = {
      clock,
      weightOf: context.bookmakers.sharpWeight,
      ...(book === undefined ? {} : { only: book }),
    };
    const best = new BestRows<Row>(input.limit, compare);
    for await (const document of readUpcomingQuotes(context, { sport, league })) {
      for (const row of rowsOf(document, market, options)) if (row.opportunity.ev.ev_pct >= min_ev) best.add(row);
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
    };
  },
};

/** @throws ApiError bad_request */
function requireMarket({ sport, market }: Input): void {
  requireKnownSport(sport);
  if (sport === 'tennis' && market === 'totals') throw badRequest('the EV scan has no totals of tennis');
}

function rowsOf(
  document: MainQuotesDocument,
  market: Input['market'],
  options: Parameters<typeof computeBetPrices>[3],
): Row[] {
  const tokens = betTokensOf(document.sport, market);
  const bets = computeBetPrices(market, quotesOf(document, market), tokens.length, options);
  return bets.flatMap(({ fair, ev, market: { line } }, index) => {
    if (!fair || !ev) return [];
    const { side, bet_type } = tokens[index]!;
    const team = teamOf(document, tokens[index]!);
    const of = { event_id: document.id, side, team, bet_type, line };
    return [{ start: startOf(document), index, opportunity: { ...of, fair_probability: fair.probability, ev } }];
  });
}

const compare = (a: Row, b: Row): number =>
  b.opportunity.ev.ev_pct - a.opportunity.ev.ev_pct ||
  a.start - b.start ||
  a.opportunity.event_id - b.opportunity.event_id ||
  a.index - b.index;
