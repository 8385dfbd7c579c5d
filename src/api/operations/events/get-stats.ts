import { z } from 'zod';
import { type PlayerDocument, players } from '../../../../projections/directory/players.ts';
import { type TeamDocument, teams } from '../../../../projections/directory/teams.ts';
import { boxes } from '../../../../projections/sports-events/boxes.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { lineups } from '../../../../projections/sports-events/lineups.ts';
import { isTennis } from '../../../domain/catalogue/sport-rules.ts';
import { findPlayerOfRow } from '../../../domain/event-players.ts';
import type { BoxReports, BoxRow } from '../../../domain/statistics/box-score.ts';
import { isMainDrawSingles, sideIdsOf } from '../../../domain/statistics/counted-game.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import {
  type EventExtras,
  noStatistics,
  renderLineup,
  renderPlayerBox,
  renderStatistics,
  shownBox,
} from '../../../read-models/rendering/statistics/render-statistics.ts';
import {
  type PlayerBox,
  type Statistics,
  statistics,
} from '../../../read-models/rendering/statistics/statistics-schema.ts';
import { costWhenAvailable, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { readKnownGames } from '../shared/known-games.ts';
import { asOfParameters, pathId, readAsOf } from '../shared/parameters.ts';
import { readDocuments, requireEvent } from '../shared/read-documents.ts';
import { readPlayerFinder } from '../shared/read-player-finder.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { statisticsTable } from './statistics-table.ts';

const path = pathId('event');
const query = z.object(asOfParameters);

export const getStats: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, Statistics> = {
  name: 'get_stats',
  method: 'GET',
  path: '/v1/events/{id}/stats',
  tag: 'Statistics',
  summary: 'What both sides of one event did before it: form, strength, schedule, rates, head-to-head, rest.',
  hint: 'Nothing in it is later than the start of the event, except who plays and the players’ own box score.',
  input: { path, query },
  output: statistics,
  table: statisticsTable,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costWhenAvailable,
  cache: () => 120,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const read = await readDocuments(context, [events, boxes, lineups], [String(input.id)], asOf);
    const [found, box, lineup] = read.map(([document]) => document);
    const event = requireEvent(context, found, input.id, asOf);
    const ids = sideIdsOf(event);
    if (!ids || (isTennis(event.sport) && !isMainDrawSingles(event))) return noStatistics(event);
    const games = await readKnownGames(context, event, ids, asOf ? [asOf] : []);
    return renderStatistics(event, ids, games, {
      ...(await readEntries(context, event, ids, asOf)),
      lineups: [renderLineup(lineup?.told, 0), renderLineup(lineup?.told, 1)],
      playerBox: await readPlayerBox(context, event, ids, box?.told, asOf),
    });
  },
};

async function readPlayerBox(
  context: OperationContext,
  event: EventDocument,
  ids: readonly [number, number],
  reports: BoxReports | undefined,
  asOf: AsOf | undefined,
): Promise<PlayerBox | null> {
  const { players: rows, playersSource: source } = shownBox(event, reports) ?? { players: [], playersSource: null };
  const placed = ({ ref, name, role }: BoxRow) => ({
    named: { source, ref, name },
    side: role === 'home' ? (0 as const) : (1 as const),
  });
  const wanted = rows.map(placed).map(({ named, side }) => ({ ...named, teamIds: [ids[side]] }));
  const finder = await readPlayerFinder(context, event.sport, wanted, asOf);
  return renderPlayerBox(event, reports, (row) => findPlayerOfRow(placed(row), finder, ids)?.id ?? null);
}

/** Facts from the directory that the statistics show of both sides. */
async function readEntries(
  context: OperationContext,
  { sport, league }: EventDocument,
  ids: readonly [number, number],
  asOf: AsOf | undefined,
): Promise<Pick<EventExtras, 'players' | 'nations'>> {
  const keys = ids.map(String);
  const [ranked = []] = isTennis(sport) ? await readDocuments(context, [players], keys, asOf) : [];
  const [national = []] = league === 'fifa_world_cup' ? await readDocuments(context, [teams], keys, asOf) : [];
  const rankedOf = (document: PlayerDocument | undefined) => ({
    ranking: document?.facts.tennis_ranking ?? null,
    points: document?.facts.tennis_ranking_points ?? null,
  });
  const nationOf = (document: TeamDocument | undefined) => ({
    fifaRank: document?.facts.fifa_rank ?? null,
    confederation: document?.facts.conference ?? null,
  });
  return {
    players: [rankedOf(ranked[0]), rankedOf(ranked[1])],
    nations: [nationOf(national[0]), nationOf(national[1])],
  };
}
