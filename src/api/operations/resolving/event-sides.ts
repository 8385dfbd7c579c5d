import { type BoxDocument, boxes } from '../../../../projections/boxes.ts';
import { type EventDocument, events } from '../../../../projections/events.ts';
import { type LineupDocument, lineups } from '../../../../projections/lineups.ts';
import { boxOf } from '../../../domain/box.ts';
import { playerOf, teamIdsOf } from '../../../domain/event-players.ts';
import { boxRows, lineupRows } from '../../../domain/event-rows.ts';
import { lineupOf } from '../../../domain/lineup.ts';
import type { OperationContext } from '../../calls/operation.ts';
import { readPlayers } from '../player-finding.ts';
import { readDocument, readDocuments } from '../reading.ts';

type Context = Pick<OperationContext, 'store' | 'histories'>;

/** The teams that play in an event; none for an unknown event, and for one of players. */
export async function teamsOfEvent(context: Context, id: number): Promise<readonly number[]> {
  const event = await readDocument<EventDocument>(context, events, String(id), undefined);
  return teamIdsOf(event?.sides ?? null).filter((teamId) => teamId !== null);
}

/** Who may be meant by a player of an event. */
export interface EventPlayers {
  /** Those who play for these teams now. */
  readonly teamIds: readonly number[];
  /** Those who play themselves, and those whom its box or lineup names, wherever they play now. */
  readonly playerIds: readonly number[];
}

/** Nobody, for an unknown event. */
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
  const told = lined?.told ?? [];
  const rows = [...boxRows(boxOf(boxed?.told ?? [])), ...lineupRows([lineupOf(told, 0), lineupOf(told, 1)])];
  const teamIds = teamIdsOf(event.sides);
  const named = rows.map((row) => row.named);
  const finder = await readPlayers(context, event.sport, named, undefined);
  const ofRows = rows.flatMap((row) => playerOf(row, finder, teamIds)?.id ?? []);
  return { teamIds: teamIds.filter((teamId) => teamId !== null), playerIds: [...new Set([...own, ...ofRows])] };
}
