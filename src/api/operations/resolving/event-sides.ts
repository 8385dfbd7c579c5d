import { type BoxDocument, boxes } from '../../../../projections/sports-events/boxes.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { type LineupDocument, lineups } from '../../../../projections/sports-events/lineups.ts';
import { boxRows, findPlayerOfRow, lineupRows, teamIdsOf } from '../../../domain/event-players.ts';
import { currentBox } from '../../../domain/statistics/box-score.ts';
import { currentLineup } from '../../../domain/statistics/event-lineup.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { readDocument, readDocuments } from '../shared/read-documents.ts';
import { readPlayerFinder } from '../shared/read-player-finder.ts';

type Context = Pick<OperationContext, 'store' | 'histories'>;

/** Ids of the teams in an event; none for an unknown event, and for one between players. */
export async function teamsOfEvent(context: Context, id: number): Promise<readonly number[]> {
  const event = await readDocument<EventDocument>(context, events, String(id), undefined);
  return teamIdsOf(event?.sides ?? null).filter((teamId) => teamId !== null);
}

/** Players that may be meant by a name in an event. */
interface EventPlayers {
  /** Players of these teams now. */
  readonly teamIds: readonly number[];
  /** Players who are sides themselves, and those named by the box score or lineup, whatever their current team. */
  readonly playerIds: readonly number[];
}

/** Empty for an unknown event. */
export async function playersOfEvent(context: Context, id: number): Promise<EventPlayers> {
  const [[event], [boxed], [lined]] = (await readDocuments(
    context,
    [events, boxes, lineups],
    [String(id)],
    undefined,
  )) as [[EventDocument?], [BoxDocument?], [LineupDocument?]];
  if (!event?.event.schedule) return { teamIds: [], playerIds: [] };
  const sides = event.sides ?? [];
  const own = sides.flatMap((side) => [
    ...(side.id !== null && side.key.startsWith('player:') ? [side.id] : []),
    ...(side.members ?? []).map((member) => member.id),
  ]);
  const reports = lined?.told ?? [];
  const rows = [
    ...boxRows(currentBox(boxed?.told ?? [])),
    ...lineupRows([currentLineup(reports, 0), currentLineup(reports, 1)]),
  ];
  const teamIds = teamIdsOf(event.sides);
  const named = rows.map((row) => row.named);
  const finder = await readPlayerFinder(context, event.sport, named, undefined);
  const ofRows = rows.flatMap((row) => findPlayerOfRow(row, finder, teamIds)?.id ?? []);
  return { teamIds: teamIds.filter((teamId) => teamId !== null), playerIds: [...new Set([...own, ...ofRows])] };
}
