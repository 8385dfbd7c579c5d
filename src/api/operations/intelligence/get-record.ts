import { z } from 'zod';
import { blendWeightAt } from '../../../intelligence/evaluation/blend-weight.ts';
import { blendRecord } from '../../../intelligence/evaluation/market-record.ts';
import { QUOTED_MARKETS, type QuotedMarket } from '../../../intelligence/prices/quotes.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { booksParameter } from '../shared/book-list-parameters.ts';
import { oneOf } from '../shared/parameters.ts';
import { requireKnownSport, scanParameters } from './upcoming-quotes.ts';

const query = z.object({
  ...scanParameters,
  market: oneOf('Market.', QUOTED_MARKETS).default('h2h'),
  by: oneOf('`month` adds `months`; a table has them in the place of leagues and seasons.', [
    'season',
    'month',
  ]).default('season'),
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
    blend: z
      .object(measures)
      .nullable()
      .meta({ description: 'Of the blends of both on the same games, each as it was known before the start.' }),
  })
  .meta({ id: 'RecordRow' });
const worth = z.object({
  n: z.int().meta({ description: 'Selections for which a price was on offer.' }),
  profit: z.number().nullable().meta({ description: 'The mean, of one unit each.' }),
  profit_se: z.number().nullable(),
  drawdown: z.number().meta({ description: 'The deepest fall of the summed profit within the month, in units.' }),
});
const monthRow = z
  .object({
    month: z.string(),
    n: z.int().meta({ description: 'Selections; below 30 of them the means are null.' }),
    clv: z
      .number()
      .nullable()
      .meta({ description: 'Closing line value: fair closing probability by that of the selection, less one.' }),
    clv_se: z.number().nullable(),
    hit_rate: z.number().nullable(),
    hit_rate_se: z.number().nullable(),
    best: worth.meta({ description: 'At the best price on offer at the moment of the selection.' }),
    follower: worth.meta({ description: 'At the best price on the same line 60 s later.' }),
  })
  .meta({ id: 'RecordMonth' });
const output = z.object({
  sport: z.string(),
  league: z.string().nullable(),
  market: z.enum(QUOTED_MARKETS),
  rows: z.array(row),
  total: z.int(),
  months: z.array(monthRow).optional().meta({
    description: 'With `by=month`, of all leagues of the sport: selections by the UTC month in which they settled.',
  }),
  blend: z
    .object({
      weight: z.number(),
      interval: z.array(z.number()).length(2).nullable(),
      n: z.int().meta({ description: 'Settled games with a forecast and a closing fair price.' }),
    })
    .meta({
      description:
        'The weight of the forecast in the blends of this sport and market: the lower end of its interval, 0 below 500 games.',
    }),
});

const { month, n: _, ...ofMonth } = monthRow.shape;
type Output = z.infer<typeof output>;
type MonthColumns = Partial<Omit<z.infer<typeof monthRow>, 'n'>>;

/** One row a league and season; with `by=month` one row a month instead, in the columns that follow and in `n`. */
const table = answerTable(
  z.object({
    sport: z.string(),
    market: z.enum(QUOTED_MARKETS),
    ...row.partial().shape,
    month: month.optional(),
    ...z.object(ofMonth).partial().shape,
  }),
  ({ sport, market, rows, months }: Output): (Partial<Output['rows'][number]> & MonthColumns & NamedMarket)[] =>
    (months ?? rows).map((one) => ({ sport, market, ...one })),
);
type NamedMarket = Pick<Output, 'sport' | 'market'>;

export const getRecord: Operation<unknown, Input, unknown, Output> = {
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
  async run({ sport, league, market, by }, { record, now }) {
    requireKnownSport(sport);
    const all = await record.rows(sport, market);
    const rows = all
      .filter((one) => league === undefined || one.league === league)
      .map((one) => ({ ...one, calibration: [...one.calibration] }));
    const blend = await blendOf(record, sport, market, now());
    const months = by === 'month' ? { months: [...(await record.months(sport, market))] } : {};
    return { sport, league: league ?? null, market, rows, total: rows.length, ...months, blend };
  },
};

async function blendOf(
  { countedBlendTurnsOf }: OperationContext['record'],
  sport: string,
  market: QuotedMarket,
  now: number,
) {
  const turns = await countedBlendTurnsOf(sport);
  const { weight, interval, n } = blendRecord(blendWeightAt(turns?.[market] ?? [], now));
  return { weight, interval: interval && [...interval], n };
}
