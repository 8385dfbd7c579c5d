import type { DirectoryPlayer, PlayerFinder, PlayerMention } from './directory/player-finder.ts';
import { normalizeName } from './primitives/name-normalization.ts';
import type { EventSide } from './sports-events/sports-event.ts';
import type { BoxRow, BoxScore } from './statistics/box-score.ts';
import type { Lineup } from './statistics/event-lineup.ts';

/** Ids of the two teams of an event; null for one that the directory does not have. */
export type TeamIds = readonly [number | null, number | null];

export const teamIdsOf = (sides: readonly [EventSide, EventSide] | null): TeamIds => {
  const idOf = (side: EventSide | undefined) => (side?.key.startsWith('team:') ? side.id : null);
  return [idOf(sides?.[0]), idOf(sides?.[1])];
};

/** One who is named in an event; `id` is that of the directory, null for who does not stand in it. */
interface EventPlayer {
  readonly id: number | null;
  readonly name: string;
}

/** The player whom a source means with prices on an event. */
export const findPlayerInEvent = (
  finder: PlayerFinder,
  named: PlayerMention,
  teamIds: TeamIds,
): DirectoryPlayer | undefined =>
  finder.find(
    named,
    teamIds.filter((id) => id !== null),
  );

/** A row of a box or a lineup, with the side on which it stands. */
export interface SideRow<Row> {
  readonly row: Row;
  readonly side: 0 | 1;
  readonly named: PlayerMention & { readonly name: string };
}

/** Whose row is which. */
interface RowFinder<Row> {
  /** Undefined where there is none, and where several fit. */
  findRow(player: EventPlayer): SideRow<Row> | undefined;
  /** Whether a row may be the player's: one that is, several, or one of his name of which nobody can tell whose it is. */
  mayHaveRow(player: EventPlayer): boolean;
}

/**
 * A row belongs to the player whom its source means, of the team on whose side it stands; for who is in no directory, to
 * the one of that name, where one row alone bears it.
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
    if (found) addTo(byId, found.id, one);
    else unclear.add(name);
    addTo(byName, name, one);
  }
  return {
    findRow({ id, name }) {
      if (id === null) return only(byName.get(normalizeName(name)) ?? []);
      const own = byId.get(id) ?? [];
      return only(own) ?? only(own.filter(({ named }) => isMeantById(named, id, finder)));
    },
    mayHaveRow({ id, name }) {
      const called = normalizeName(name);
      return id === null ? byName.has(called) : byId.has(id) || unclear.has(called);
    },
  };
}

/** The player of the directory whom a row is about. @param finder that knows the row's player */
export function findPlayerOfRow(
  { named, side }: Omit<SideRow<unknown>, 'row'>,
  finder: PlayerFinder,
  teamIds: TeamIds,
): DirectoryPlayer | undefined {
  const [own, other] = side === 0 ? teamIds : [teamIds[1], teamIds[0]];
  // Whoever plays for the other side today is a namesake. Any other team may be one that he has come from since.
  const isElsewhere = ({ team_id }: DirectoryPlayer) => team_id !== null && team_id === other;
  return finder.find(named, own === null ? [] : [own], isElsewhere);
}

const isMeantById = ({ source, ref }: PlayerMention, id: number, finder: PlayerFinder): boolean =>
  finder.find({ source, ref }, [])?.id === id;

function addTo<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = map.get(key);
  if (known) known.push(item);
  else map.set(key, [item]);
}

const only = <Item>(items: readonly Item[]): Item | undefined => (items.length === 1 ? items[0] : undefined);

/** The rows of a box, with the sides on which they stand; none without a box. */
export const boxRows = (box: BoxScore | undefined): SideRow<BoxRow>[] =>
  (box?.players ?? []).map((row) => ({
    row,
    side: row.role === 'home' || row.role === 'player_1' ? 0 : 1,
    named: { source: box!.playersSource, ref: row.ref, name: row.name },
  }));

/** The players of the lineups of home and of the other side. */
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
