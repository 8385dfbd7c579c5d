import type { DirectoryPlayer, PlayerFinder, PlayerMention } from './directory/player-finder.ts';
import { addToGroup, onlyItem } from './primitives/collections.ts';
import { normalizeName } from './primitives/name-normalization.ts';
import type { EventSide } from './sports-events/sports-event.ts';
import type { BoxRow, BoxScore } from './statistics/box-score.ts';
import type { Lineup } from './statistics/event-lineup.ts';

/** The ids of the two teams of an event; null for a team that is not in the directory. */
export type TeamIds = readonly [number | null, number | null];

export const teamIdsOf = (sides: readonly [EventSide, EventSide] | null): TeamIds => {
  const idOf = (side: EventSide | undefined) => (side?.key.startsWith('team:') ? side.id : null);
  return [idOf(sides?.[0]), idOf(sides?.[1])];
};

/** A player mentioned in an event; `id` is the directory's, null if he is not in the directory. */
interface EventPlayer {
  readonly id: number | null;
  readonly name: string;
}

/** The player whom a source mentions in prices of an event. */
export const findPlayerInEvent = (
  finder: PlayerFinder,
  mention: PlayerMention,
  teamIds: TeamIds,
): DirectoryPlayer | undefined =>
  finder.find(
    mention,
    teamIds.filter((id) => id !== null),
  );

/** A row of a box score or lineup, with its side. */
export interface SideRow<Row> {
  readonly row: Row;
  readonly side: 0 | 1;
  readonly named: PlayerMention & { readonly name: string };
}

/** Finds the row of a player. */
interface RowFinder<Row> {
  /** Undefined if no row or several rows match. */
  findRow(player: EventPlayer): SideRow<Row> | undefined;
  /** Whether a row may belong to the player: one or more rows match, or a row with his name has no known owner. */
  mayHaveRow(player: EventPlayer): boolean;
}

/**
 * A row belongs to the player whom its source mentions, from the team on the row's side. A player outside the directory
 * gets the row with his name, if exactly one row has that name.
 */
export function createRowFinder<Row>(
  rows: readonly SideRow<Row>[],
  finder: PlayerFinder,
  teamIds: TeamIds,
): RowFinder<Row> {
  const byId = new Map<number, SideRow<Row>[]>();
  const byName = new Map<string, SideRow<Row>[]>();
  const unclear = new Set<string>();
  for (const one of rows) {
    const found = findPlayerOfRow(one, finder, teamIds);
    const name = normalizeName(one.named.name);
    if (found) addToGroup(byId, found.id, one);
    else unclear.add(name);
    addToGroup(byName, name, one);
  }
  return {
    findRow({ id, name }) {
      if (id === null) return onlyItem(byName.get(normalizeName(name)) ?? []);
      const rowsOfPlayer = byId.get(id) ?? [];
      return (
        onlyItem(rowsOfPlayer) ??
        onlyItem(rowsOfPlayer.filter(({ named: mention }) => isMatchedByRef(mention, id, finder)))
      );
    },
    mayHaveRow({ id, name }) {
      const normalized = normalizeName(name);
      return id === null ? byName.has(normalized) : byId.has(id) || unclear.has(normalized);
    },
  };
}

/** The directory player of a row. @param finder must know the player of the row */
export function findPlayerOfRow(
  { named: mention, side }: Omit<SideRow<unknown>, 'row'>,
  finder: PlayerFinder,
  teamIds: TeamIds,
): DirectoryPlayer | undefined {
  const [ownTeam, opposingTeam] = side === 0 ? teamIds : [teamIds[1], teamIds[0]];
  // A player of the opposing team is a namesake. A player of any third team may have changed teams since.
  const isElsewhere = ({ team_id }: DirectoryPlayer) => team_id !== null && team_id === opposingTeam;
  return finder.find(mention, ownTeam === null ? [] : [ownTeam], isElsewhere);
}

const isMatchedByRef = ({ source, ref }: PlayerMention, id: number, finder: PlayerFinder): boolean =>
  finder.find({ source, ref }, [])?.id === id;

/** The rows of a box score with their sides; empty without a box score. */
export const boxRows = (box: BoxScore | undefined): SideRow<BoxRow>[] =>
  (box?.players ?? []).map((row) => ({
    row,
    side: row.role === 'home' || row.role === 'player_1' ? 0 : 1,
    named: { source: box!.playersSource, ref: row.ref, name: row.name },
  }));

/** The players of both lineups. */
export const lineupRows = (
  lineups: readonly [Lineup | undefined, Lineup | undefined],
): SideRow<{ readonly name: string }>[] =>
  lineups.flatMap((lineup, side) =>
    (lineup?.team.players ?? []).map((row) => ({
      row,
      side: side as 0 | 1,
      named: { source: lineup!.source, ref: row.ref, name: row.name },
    })),
  );
