import { z } from 'zod';
import { timeOf } from '../../../domain/observations/observation.ts';
import { parseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { time } from '../../../read-models/rendering/event-schemas.ts';
import { notFound } from '../../calls/api-errors.ts';
import type { Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { bookmakerParameter, limit } from '../shared/parameters.ts';
import { costOfMovements } from './get-odds-history.ts';
import { outcomeNames, path, readSeasonMarket, readSeasonOutrights, seasonQuery } from './season-outrights.ts';

const query = z.object({ ...seasonQuery, bookmaker: bookmakerParameter, limit: limit({ max: 200, fallback: 50 }) });
const movement = z
  .object({
    bookmaker: z.string(),
    market: z.string(),
    ...outcomeNames,
    price_from: z.int(),
    price_to: z.int(),
    moved_at: time,
  })
  .meta({ id: 'FuturesMovement' });
const output = z.object({
  league: z.string(),
  season: z.int(),
  movements: z.array(movement),
  total: z.int().meta({ description: 'Movements in this answer.' }),
});
type History = z.infer<typeof output>;

const table = answerTable(
  z.object({ league: z.string(), season: z.int(), ...movement.shape }),
  ({ league, season, movements }: History) => movements.map((one) => ({ league, season, ...one })),
);

export const getFuturesHistory: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, History> = {
  name: 'get_futures_history',
  method: 'GET',
  path: '/v1/leagues/{slug}/futures/history',
  tag: 'Odds',
  brief: 'How outright odds of a season moved, newest first.',
  summary: 'The movements of the prices on how a season ends, newest first.',
  hint: 'For the prices that hold now take `get_futures`.',
  input: { path, query },
  output,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costOfMovements,
  checkUnpaid(input, context) {
    readSeasonMarket(input, context);
  },
  async run(input, context) {
    const wanted = readSeasonMarket(input, context);
    const { includes } = parseBookmakers(input.bookmaker);
    const { books, namesOf } = await readSeasonOutrights(wanted, includes, context);
    const { league, season } = wanted;
    const movements = books
      .flatMap(({ bookmaker, market, outcomes, movements: moved }) =>
        moved.toReversed().map(({ outcome, from, to, at }) => ({
          bookmaker,
          market,
          ...namesOf(outcomes[outcome]!),
          price_from: from,
          price_to: to,
          moved_at: at,
        })),
      )
      .sort((a, b) => timeOf(b.moved_at) - timeOf(a.moved_at))
      .slice(0, input.limit);
    if (movements.length === 0) throw notFound(`No movement of the futures of ${input.slug} ${season} is recorded.`);
    return { league: league.slug, season, movements, total: movements.length };
  },
};
