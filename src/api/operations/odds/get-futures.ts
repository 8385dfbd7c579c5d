import { z } from 'zod';
import { decimalFromAmerican } from '../../../domain/odds/american-odds.ts';
import { time } from '../../../read-models/rendering/event-schemas.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { requireLeague } from '../shared/league-seasons.ts';
import { MARKET_CACHE_SECONDS, readAsOf } from '../shared/parameters.ts';
import { outcomeNames, path, readSeasonOutrights, seasonQuery } from './season-outrights.ts';

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
  summary: 'The prices of all bookmakers on how a season ends, as of now or of any moment.',
  hint: 'For how they moved take `get_futures_history`.',
  input: { path, query },
  output,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: flatCost(1),
  cache: () => MARKET_CACHE_SECONDS,
  checkUnpaid(input, context) {
    requireLeague(input.slug, context);
    readAsOf(input, context.now);
  },
  async run(input, context) {
    const { league, season, books, namesOf } = await readSeasonOutrights(input, 'all', context);
    const markets = new Map<string, Futures['markets'][number]['bookmakers']>();
    for (const { market, bookmaker, capturedAt, outcomes } of books) {
      const offered = Object.values(outcomes).filter(({ isWithdrawn }) => !isWithdrawn);
      if (offered.length === 0) continue;
      // The likeliest first.
      offered.sort((a, b) => decimalFromAmerican(a.price) - decimalFromAmerican(b.price));
      const shown = offered.map((one) => ({ ...namesOf(one), price: one.price }));
      markets.set(market, [...(markets.get(market) ?? []), { bookmaker, captured_at: capturedAt, outcomes: shown }]);
    }
    return {
      league: league.slug,
      season,
      markets: [...markets].map(([market, bookmakers]) => ({ market, bookmakers })),
    };
  },
};
