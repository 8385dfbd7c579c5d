import { z } from 'zod';
import { QUOTED_MARKETS } from '../../../intelligence/prices/quotes.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { booksParameter } from '../shared/book-list-parameters.ts';
import { oneOf } from '../shared/parameters.ts';
import { requireKnownSport, scanParameters } from './upcoming-quotes.ts';

const query = z.object({
  ...scanParameters,
  market: oneOf('Market.', QUOTED_MARKETS).default('h2h'),
  books: booksParameter.meta({
    description: 'As in the scans. The record names no book and no price on offer, so a list changes nothing in it.',
  }),
});
type Input = z.infer<typeof query>;

const measures = {
  n: z.int().meta({ description: 'Games; below 30 of them the others are null.' }),
  log_loss: z.number().nullable(),
  brier: z.number().nullable(),
  slope: z.number().nullable(),
  intercept: z.number().nullable(),
};
const bin = z.object({
  from: z.number(),
  to: z.number(),
  n: z.int(),
  predicted: z.number(),
  observed: z.number(),
});
const row = z
  .object({
    league: z.string(),
    season: z.int(),
    model_version: z.string(),
    ...measures,
    close: z
      .object(measures)
      .nullable()
      .meta({ description: 'Of the closing fair probabilities, on those of the games that have one.' }),
    calibration: z.array(bin),
  })
  .meta({ id: 'RecordRow' });
const output = z.object({
  sport: z.string(),
  league: z.string().nullable(),
  market: z.enum(QUOTED_MARKETS),
  rows: z.array(row),
  total: z.int(),
});

const table = answerTable(
  z.object({ sport: z.string(), market: z.enum(QUOTED_MARKETS), ...row.shape }),
  ({ sport, market, rows }: z.infer<typeof output>) => rows.map((one) => ({ sport, market, ...one })),
);

export const getRecord: Operation<unknown, Input, unknown, z.infer<typeof output>> = {
  name: 'get_record',
  method: 'GET',
  path: '/v1/intelligence/record',
  tag: 'Intelligence',
  summary: 'What the server’s own forecasts were worth, by league and season, beside the market’s close.',
  input: { query },
  output,
  table,
  errors: ['bad_request', 'sport_scope_denied', 'service_unavailable'],
  cost: flatCost(0),
  checkUnpaid: ({ sport }) => requireKnownSport(sport),
  async run({ sport, league, market }, { record }) {
    requireKnownSport(sport);
    const all = await record.rows(sport, market);
    const rows = all
      .filter((one) => league === undefined || one.league === league)
      .map((one) => ({ ...one, calibration: [...one.calibration] }));
    return { sport, league: league ?? null, market, rows, total: rows.length };
  },
};
