import { z } from 'zod';
import { type BoxDocument, boxes } from '../../../../projections/boxes.ts';
import { type LineupDocument, lineups } from '../../../../projections/lineups.ts';
import { type OddsDocument, odds } from '../../../../projections/odds.ts';
import { boxOf } from '../../../domain/box.ts';
import { lineupOf } from '../../../domain/lineup.ts';
import { chooseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { type PlayerProps, playerProps } from '../../../read-models/rendering/market-schemas.ts';
import { playerPrices } from '../../../read-models/rendering/player-prices.ts';
import { namedPlayers, renderPlayerProps } from '../../../read-models/rendering/player-props.ts';
import { badRequest } from '../../calls/errors.ts';
import { type Operation, whenAvailable } from '../../calls/operation.ts';
import { judgeEventRead } from '../judging.ts';
import { asOfParameters, integer, pathId, readAsOf } from '../parameters.ts';
import { readPlayers } from '../player-finding.ts';
import { readEventWithAll } from '../reading.ts';
import { includeAlts, MARKET_CACHE } from './market-reading.ts';

const SPORTS: ReadonlySet<string> = new Set(['nfl', 'nba', 'ncaaf', 'ncaab', 'nhl', 'mlb', 'soccer']);
const path = pathId('event');
const query = z.object({
  market: z
    .string({ error: 'must be a string' })
    .regex(/^[a-z0-9_]{1,60}$/, 'must be the name of one statistic: [a-z0-9_]{1,60}')
    .meta({ description: 'Only the props of this statistic.', examples: ['passing_yards'] })
    .optional(),
  player_id: integer('Only the props of this player.').optional(),
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
  include_alts: includeAlts,
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
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  price: whenAvailable,
  cache: () => MARKET_CACHE,
  judge: judgeEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const [event, [priced, told, lined]] = await readEventWithAll<[OddsDocument, BoxDocument, LineupDocument]>(
      context,
      [odds, boxes, lineups],
      input.id,
      asOf,
    );
    if (!SPORTS.has(event.sport)) throw badRequest(`${event.sport} has no player props`);
    const prices = playerPrices(priced, input.include_alts);
    const lineup = lined?.told ?? [];
    const facts = { box: boxOf(told?.told ?? []), lineups: [lineupOf(lineup, 0), lineupOf(lineup, 1)] as const };
    const named = prices.length > 0 ? namedPlayers(prices, facts) : [];
    const finder = await readPlayers(context, event.sport, named, asOf);
    const { market, player_id, bookmaker } = input;
    return renderPlayerProps(event, prices, facts, finder, { market, player_id, books: chooseBookmakers(bookmaker) });
  },
};
