import { z } from 'zod';
import { odds as projection } from '../../../../projections/odds.ts';
import { chooseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { type Odds, odds } from '../../../read-models/rendering/event-schemas.ts';
import { renderOdds } from '../../../read-models/rendering/odds.ts';
import type { Operation } from '../../calls/operation.ts';
import { bookmakerParameter } from '../bookmaker-parameter.ts';
import { judgeEventRead } from '../judging.ts';
import { asOfParameters, pathId, readAsOf } from '../parameters.ts';
import { readEventWith } from '../reading.ts';

const path = pathId('event');
const query = z.object({ bookmaker: bookmakerParameter, ...asOfParameters });

export const getOdds: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, Odds> = {
  name: 'get_odds',
  method: 'GET',
  path: '/v1/events/{id}/odds',
  tag: 'Odds',
  summary: 'The prices of one bookmaker, several, or all on one event.',
  hint: 'One bookmaker, unless told, is `pinnacle`. How prices moved is in `get_odds_history`.',
  input: { path, query },
  output: odds,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  price: {
    says: '1 credit for one bookmaker, 2 for several or all; free while nothing is available',
    of: ({ bookmaker }, { available }) => (available ? chooseBookmakers(bookmaker).credits : 0),
    bounds: ({ bookmaker }) => ({ min: 0, max: chooseBookmakers(bookmaker).credits }),
  },
  cache: () => 120,
  judge: judgeEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const [, prices] = await readEventWith(context, projection, input.id, asOf);
    return renderOdds(input.id, prices, chooseBookmakers(input.bookmaker), context.bookmakers);
  },
};
