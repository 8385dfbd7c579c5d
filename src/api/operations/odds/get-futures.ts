import { z } from 'zod';
import { time } from '../../../read-models/rendering/event-schemas.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { MARKET_CACHE_SECONDS } from '../shared/parameters.ts';
import {
  offeredOutcomes,
  outcomeNames,
  path,
  readSeasonMarket,
  readSeasonOutrights,
  seasonQuery,
} from './season-outrights.ts';

const query = z.object(seasonQuery);
const outcome = z.object({ ...outcomeNames, price: z.int() }).meta({ id: 'FuturesOutcome' });
const output = z
  .object({
    league: z.string(),
    season: z.int(),
    markets: z.array(
      z.object({
        market: z.string(),
        bookmakers: z.array(z.object({ bookmaker: z.string(), captured_at: time, outcomes: z.array(outcome) })),
      }),
    ),
  })
  .meta({ id: 'Futures' });
type Futures = z.infer<typeof output>;

const table = answerTable(
  z.object({
    league: z.string(),
    season: z.int(),
    market: z.string(),
    bookmaker: z.string(),
    captured_at: time,
    ...outcome.shape,
  }),
  ({ league, season, markets }: Futures) =>
    markets.flatMap(({ market, bookmakers }) =>
      bookmakers.flatMap(({ bookmaker, captured_at, outcomes }) =>
        outcomes.map((one) => ({ league, season, market, bookmaker, captured_at, ...one })),
      ),
    ),
);

export const getFutures: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, Futures> = {
  name: 'get_futures',
  method: 'GET',
  path: '/v1/leagues/{slug}/futures',
  tag: 'Odds',
  brief: 'Outright odds of a season: who wins the title, a division, who goes down.',
  summary: 'All bookmakers’ prices on how a season ends, as of any moment.',
  input: { path, query },
  output,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: flatCost(1),
  cache: () => MARKET_CACHE_SECONDS,
  checkUnpaid(input, context) {
    readSeasonMarket(input, context);
  },
  async run(input, context) {
    const wanted = readSeasonMarket(input, context);
    const { books, namesOf } = await readSeasonOutrights(wanted, () => true, context);
    const markets = new Map<string, Futures['markets'][number]['bookmakers']>();
    for (const book of books) {
      const outcomes = offeredOutcomes(book).map((one) => ({ ...namesOf(one), price: one.price }));
      if (outcomes.length === 0) continue;
      const { market, bookmaker, capturedAt } = book;
      markets.set(market, [...(markets.get(market) ?? []), { bookmaker, captured_at: capturedAt, outcomes }]);
    }
    return {
      league: wanted.league.slug,
      season: wanted.season,
      markets: [...markets].map(([market, bookmakers]) => ({ market, bookmakers })),
    };
  },
};
