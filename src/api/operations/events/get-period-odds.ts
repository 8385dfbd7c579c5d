import { z } from 'zod';
import type { EventDocument } from '../../../../projections/events.ts';
import { odds } from '../../../../projections/odds.ts';
import { scopeOf } from '../../../domain/grading/scope.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { type PeriodOdds, periodOdds } from '../../../read-models/rendering/market-schemas.ts';
import { renderPeriodOdds } from '../../../read-models/rendering/period-odds.ts';
import { type ScopeForecast, withScopeForecast } from '../../../read-models/rendering/scope-forecast.ts';
import { badRequest } from '../../calls/errors.ts';
import { type Operation, type OperationContext, whenAvailable } from '../../calls/operation.ts';
import { judgeEventRead } from '../judging.ts';
import { asOfParameters, boolean, pathId, readAsOf } from '../parameters.ts';
import { readEventWith } from '../reading.ts';
import { includeAlts, MARKET_CACHE } from './market-reading.ts';

const path = pathId('event');
const query = z.object({
  include_alts: includeAlts,
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
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  price: whenAvailable,
  cache: () => MARKET_CACHE,
  judge: judgeEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const [event, prices] = await readEventWith(context, odds, input.id, asOf);
    const scope = scopeOf(event.sport);
    if (!scope) throw badRequest(`${event.sport} has no period odds`);
    const answer = renderPeriodOdds(event, prices, scope, input.include_alts);
    if (!input.include_forecast) return answer;
    return withScopeForecast(answer, answer.available ? await readScopeForecast(context, event, asOf) : null);
  },
};

/** Null while nothing is forecast of the scope. From the start of the event on it stands still. */
async function readScopeForecast(
  context: Pick<OperationContext, 'forecasts' | 'now'>,
  { id, sport }: EventDocument,
  asOf: AsOf | undefined,
): Promise<ScopeForecast | null> {
  const forecasts = await context.forecasts.of({ id, sport }, asOf);
  const said = forecasts?.before((asOf?.at ?? context.now()) + 1);
  if (!said) return null;
  const forecast = said.model.scope(said.memory, said.fixture);
  return forecast && { forecast, modelVersion: said.model.version };
}
