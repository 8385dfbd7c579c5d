import { z } from 'zod';
import { odds } from '../../../../projections/odds/odds.ts';
import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { scopeOf } from '../../../domain/grading/leg-scope.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { type PeriodOdds, periodOdds } from '../../../read-models/rendering/market-schemas.ts';
import {
  addScopeForecast,
  renderPeriodOdds,
  type ScopeForecast,
} from '../../../read-models/rendering/render-period-odds.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { costWhenAvailable, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import {
  asOfParameters,
  boolean,
  eventPath,
  includeAltsParameter,
  MARKET_CACHE_SECONDS,
  readAsOf,
} from '../shared/parameters.ts';
import { readEventWith } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { periodOddsTable } from './line-tables.ts';

const path = eventPath();
const query = z.object({
  include_alts: includeAltsParameter,
  include_forecast: boolean('Adds what the server’s own models, which see no price, expect of each line.').default(
    false,
  ),
  ...asOfParameters,
});

export const getPeriodOdds: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, PeriodOdds> = {
  name: 'get_period_odds',
  method: 'GET',
  path: '/v1/events/{id}/period-odds',
  tag: 'Odds',
  summary:
    'Spreads and totals of the first half, the first five innings or the first set of one event, and their results.',
  hint: 'Not for nhl (400). Lines of the whole match are in `get_odds`.',
  input: { path, query },
  output: periodOdds,
  table: periodOddsTable,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costWhenAvailable,
  cache: () => MARKET_CACHE_SECONDS,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const [event, prices] = await readEventWith(context, odds, input.id, asOf);
    const scope = scopeOf(event);
    if (!scope) throw badRequest(`${event.sport} has no period odds`);
    const answer = renderPeriodOdds(event, prices, scope, input.include_alts);
    if (!input.include_forecast) return answer;
    return addScopeForecast(answer, answer.available ? await readScopeForecast(context, event, asOf) : null);
  },
};

/** Null while there is no forecast for the scope, and while its league is learned. It no longer changes from the start of the event on. */
async function readScopeForecast(
  context: Pick<OperationContext, 'forecasts' | 'now'>,
  { id, sport }: EventDocument,
  asOf: AsOf | undefined,
): Promise<ScopeForecast | null> {
  const forecasts = await context.forecasts.forecastsOf({ id, sport }, asOf);
  if (!forecasts || forecasts === 'learning') return null;
  const latest = forecasts.before((asOf?.at ?? context.now()) + 1);
  if (!latest) return null;
  const forecast = latest.model.scope(latest.memory, latest.fixture);
  return forecast && { forecast, modelVersion: latest.model.version };
}
