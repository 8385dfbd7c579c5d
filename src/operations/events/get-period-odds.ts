import { z } from 'zod';
import { odds } from '../../../projections/odds.ts';
import { badRequest } from '../../calls/errors.ts';
import { type Operation, whenAvailable } from '../../calls/operation.ts';
import { scopeOf } from '../../domain/grading/scope.ts';
import { type PeriodOdds, periodOdds } from '../../rendering/market-schemas.ts';
import { renderPeriodOdds } from '../../rendering/period-odds.ts';
import { judgeEventRead } from '../judging.ts';
import { asOfParameters, pathId, readAsOf } from '../parameters.ts';
import { readEventWith } from '../reading.ts';
import { includeAlts, MARKET_CACHE } from './market-reading.ts';

const path = pathId('event');
const query = z.object({ include_alts: includeAlts, ...asOfParameters });

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
    const [event, prices] = await readEventWith(context, odds, input.id, readAsOf(input, context.now));
    const scope = scopeOf(event.sport);
    if (!scope) throw badRequest(`${event.sport} has no period odds`);
    return renderPeriodOdds(event, prices, scope, input.include_alts);
  },
};
