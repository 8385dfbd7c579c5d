import { z } from 'zod';
import { type OddsDocument, odds } from '../../../../projections/odds/odds.ts';
import { type BoxDocument, boxes } from '../../../../projections/sports-events/boxes.ts';
import { type LineupDocument, lineups } from '../../../../projections/sports-events/lineups.ts';
import { playsLike } from '../../../domain/catalogue/added-leagues.ts';
import { currentBox } from '../../../domain/statistics/box-score.ts';
import { currentLineup } from '../../../domain/statistics/event-lineup.ts';
import { parseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { type PlayerProps, playerProps } from '../../../read-models/rendering/market-schemas.ts';
import { namedPlayers, playerPrices, renderPlayerProps } from '../../../read-models/rendering/render-player-props.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { costWhenAvailable, type Operation } from '../../calls/operation/operation.ts';
import {
  asOfParameters,
  eventPath,
  includeAltsParameter,
  MARKET_CACHE_SECONDS,
  playerId,
  readAsOf,
} from '../shared/parameters.ts';
import { readEventWithAll } from '../shared/read-documents.ts';
import { readPlayerFinder } from '../shared/read-player-finder.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { playerPropsTable } from './line-tables.ts';

const SPORTS: ReadonlySet<string> = new Set(['nfl', 'nba', 'ncaaf', 'ncaab', 'nhl', 'mlb', 'soccer']);
const path = eventPath();
const query = z.object({
  market: z
    .string({ error: 'must be a string' })
    .regex(/^[a-z0-9_]{1,60}$/, 'must be the name of one statistic: [a-z0-9_]{1,60}')
    .meta({ description: 'Only the props of this statistic.', examples: ['passing_yards'] })
    .optional(),
  player_id: playerId('Only the props of this player.').optional(),
  bookmaker: z
    .string({ error: 'must be a string' })
    .max(2000, 'must have at most 2000 characters')
    .regex(
      /^\s*(?:\w{1,40}\s*)?(?:,\s*(?:\w{1,40}\s*)?)*$/,
      'must be slugs, [a-z0-9_]{1,40}, with commas between them, or all',
    )
    .meta({
      description: 'A bookmaker’s slug, `all`, or a comma-separated list.',
      examples: ['all', 'pinnacle', 'fanduel,draftkings'],
    })
    .default('all'),
  include_alts: includeAltsParameter,
  ...asOfParameters,
});

export const getPlayerProps: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, PlayerProps> = {
  name: 'get_player_props',
  method: 'GET',
  path: '/v1/events/{id}/player-props',
  tag: 'Odds',
  summary: 'Lines on what the players of one event make, with how they stand and their results.',
  hint: 'Not for tennis (400). Ids of players are in `search_players`.',
  input: { path, query },
  output: playerProps,
  table: playerPropsTable,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costWhenAvailable,
  cache: () => MARKET_CACHE_SECONDS,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const [event, [priced, boxDocument, lineupDocument]] = await readEventWithAll<
      [OddsDocument, BoxDocument, LineupDocument]
    >(context, [odds, boxes, lineups], input.id, asOf);
    if (!SPORTS.has(playsLike(event.sport))) throw badRequest(`${event.sport} has no player props`);
    const prices = playerPrices(priced);
    const lineup = lineupDocument?.told ?? [];
    const facts = {
      box: currentBox(boxDocument?.told ?? []),
      lineups: [currentLineup(lineup, 0), currentLineup(lineup, 1)] as const,
    };
    const named = prices.length > 0 ? namedPlayers(prices, facts) : [];
    const finder = await readPlayerFinder(context, event.sport, named, asOf);
    const { market, player_id, bookmaker } = input;
    const filter = { market, player_id, books: parseBookmakers(bookmaker) };
    return renderPlayerProps(event, prices, facts, finder, filter, input.include_alts);
  },
};
