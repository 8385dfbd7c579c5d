import { z } from 'zod';
import { type EventDocument, events, startSortKey } from '../../../../projections/sports-events/events.ts';
import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { DAY, formatDate } from '../../../domain/primitives/time.ts';
import { isForecastByMarket } from '../../../intelligence/forecasts/market-rows.ts';
import { MODEL_VERSION } from '../../../intelligence/models/index.ts';
import { QUOTED_MARKETS } from '../../../intelligence/prices/quotes.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { type ForecastWager, forecastWager } from '../../../read-models/rendering/forecast-wager-schema.ts';
import { compareWagers } from '../../../read-models/rendering/render-forecast-wagers.ts';
import { findPages } from '../../../read-models/store/query-pages.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { date, limit, oneOf, readDate } from '../shared/parameters.ts';
import { readWagers } from './event-intelligence.ts';
import { BestRows, requireKnownSport, scanParameters } from './upcoming-quotes.ts';

const query = z.object({
  sport: scanParameters.sport,
  date: date('A UTC date; today unless told.'),
  market: oneOf('Only this market; of tennis and soccer.', QUOTED_MARKETS).optional(),
  limit: limit(),
});
const output = z.object({
  sport: z.string(),
  date: z.string(),
  learning: z.literal(true).optional().meta({
    description: 'Present while the results of a league of these events are still learned: its rows are missing.',
  }),
  model_version: z.string(),
  reliability: forecastWager.shape.reliability,
  wagers: z.array(forecastWager),
  total: z.int(),
});

const table = answerTable(
  z.object({ date: z.string(), ...forecastWager.shape }),
  ({ date: day, wagers }: z.infer<typeof output>) => wagers.map((one) => ({ date: day, ...one })),
);

export const listForecasts: Operation<unknown, z.infer<typeof query>, unknown, z.infer<typeof output>> = {
  name: 'list_forecasts',
  method: 'GET',
  path: '/v1/intelligence/forecasts',
  tag: 'Intelligence',
  summary: 'What the server’s own models, which see no price, expect of the events of a day, the surest first.',
  hint: 'Tennis and soccer by market, all other sports by player and statistic. Of a past day as it stood at the starts.',
  input: { query },
  output,
  table,
  errors: ['bad_request', 'sport_scope_denied'],
  cost: flatCost(1),
  checkUnpaid: (input) => void requireDay(input),
  async run(input, context) {
    const from = requireDay(input) ?? timeOf(`${formatDate(context.now())}T00:00:00Z`);
    const sport = input.sport as SportSlug;
    const market = isForecastByMarket(sport) ? input.market : undefined;
    const best = new BestRows<ForecastWager>(input.limit, compareWagers);
    let hasLearning = false;
    for await (const event of eventsOf(context, sport, from)) {
      const { wagers, isLearning } = await readWagers(context, event);
      if (isLearning) hasLearning = true;
      for (const wager of wagers) if (market === undefined || wager.market === market) best.add(wager);
      await yieldToEventLoop();
    }
    const wagers = best.all();
    return {
      sport,
      date: formatDate(from),
      ...(hasLearning ? { learning: true as const } : {}),
      model_version: MODEL_VERSION[sport],
      reliability: context.record.reliabilityOf(sport, context.now()),
      wagers,
      total: wagers.length,
    };
  },
};

/**
 * @returns the start of the day, if one is given
 * @throws ApiError bad_request
 */
function requireDay({ sport, date: day }: z.infer<typeof query>): number | undefined {
  requireKnownSport(sport);
  return day === undefined ? undefined : readDate('date', day);
}

/** Events in one read. */
const PAGE = 50;

async function* eventsOf(
  { store }: Pick<OperationContext, 'store'>,
  sport: SportSlug,
  from: number,
): AsyncGenerator<EventDocument> {
  const query = {
    where: { sport },
    range: { field: 'starts_at', from, to: from + DAY, exclusive: 'to' },
    order: { field: 'starts_at', direction: 'asc' },
    limit: PAGE,
  } as const;
  for await (const page of findPages(store, events.name, query, startSortKey)) {
    for (const { document } of page) {
      const { status } = document.event;
      if (status !== 'cancelled' && status !== 'postponed') yield document;
    }
  }
}
