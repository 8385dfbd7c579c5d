import { z } from 'zod';
import { odds } from '../../../../projections/odds/odds.ts';
import { playsLike } from '../../../domain/catalogue/added-leagues.ts';
import { type TeamProps, teamProps } from '../../../read-models/rendering/market-schemas.ts';
import { renderTeamProps } from '../../../read-models/rendering/render-team-props.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { costWhenAvailable, type Operation } from '../../calls/operation/operation.ts';
import {
  asOfParameters,
  eventPath,
  includeAltsParameter,
  MARKET_CACHE_SECONDS,
  readAsOf,
} from '../shared/parameters.ts';
import { readEventWith } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { teamPropsTable } from './line-tables.ts';

const SPORTS: ReadonlySet<string> = new Set(['nfl', 'ncaaf', 'mlb', 'soccer']);
const path = eventPath();
const query = z.object({ include_alts: includeAltsParameter, ...asOfParameters });

export const getTeamProps: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, TeamProps> = {
  name: 'get_team_props',
  method: 'GET',
  path: '/v1/events/{id}/team-props',
  tag: 'Odds',
  summary: 'Totals of each team of one event, with how they stand and their results.',
  hint: 'For nfl, ncaaf, mlb and soccer; 400 for other sports.',
  input: { path, query },
  output: teamProps,
  table: teamPropsTable,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costWhenAvailable,
  cache: () => MARKET_CACHE_SECONDS,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const [event, prices] = await readEventWith(context, odds, input.id, readAsOf(input, context.now));
    if (!SPORTS.has(playsLike(event.sport))) throw badRequest(`${event.sport} has no team props`);
    return renderTeamProps(event, prices, input.include_alts);
  },
};
