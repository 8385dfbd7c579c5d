import { normalizeName } from '../primitives/name-normalization.ts';
import type { PlayerFacts } from './directory-entries.ts';

/** How a source names a player. */
export interface PlayerMention {
  readonly source?: string | null | undefined;
  /** The source's own id. */
  readonly ref?: string | undefined;
  readonly name?: string | undefined;
}

/** A player of the directory, as far as finding him goes. */
export interface DirectoryPlayer {
  readonly id: number;
  readonly full_name: string;
  readonly team_id: number | null;
  /** As `playerRef` makes them. */
  readonly refs: readonly string[];
  /** As `playerName` makes them. */
  readonly names: readonly string[];
}

/** What is known of the players of a sport that may be meant. */
export interface PlayerFinder {
  /**
   * The player that a source means: by its own id, else by name among the players of these teams, else by name in the
   * sport. Two that fit are none.
   * @param isElsewhere of whom the sport may know by that name, and yet cannot be meant
   */
  find(
    named: PlayerMention,
    teamIds: readonly number[],
    isElsewhere?: (player: DirectoryPlayer) => boolean,
  ): DirectoryPlayer | undefined;
}

/** @param players all of the sport that bear one of the ids or names that will be asked for */
export function createPlayerFinder(sport: string, players: Iterable<DirectoryPlayer>): PlayerFinder {
  const byKey = new Map<string, DirectoryPlayer[]>();
  const add = (key: string, player: DirectoryPlayer) => {
    const found = byKey.get(key);
    if (found) found.push(player);
    else byKey.set(key, [player]);
  };
  for (const player of players) {
    for (const ref of player.refs) add(`ref ${ref}`, player);
    for (const name of player.names) add(`name ${name}`, player);
  }
  return {
    find(named, teamIds, isElsewhere = () => false) {
      const { ref, name } = lookupKeysOf(sport, named);
      const known = ref === undefined ? [] : (byKey.get(`ref ${ref}`) ?? []);
      if (known.length > 0) return only(known);
      const called = name === undefined ? [] : (byKey.get(`name ${name}`) ?? []);
      const ofTeams = called.filter(({ team_id }) => team_id !== null && teamIds.includes(team_id));
      return only(ofTeams.length > 0 ? ofTeams : called.filter((player) => !isElsewhere(player)));
    },
  };
}

/** What a player may be found by, as the directory's keys are made. */
export function lookupKeysOf(
  sport: string,
  { source, ref, name }: PlayerMention,
): { readonly ref: string | undefined; readonly name: string | undefined } {
  return {
    ref: source === undefined || source === null || ref === undefined ? undefined : playerRefKey(sport, source, ref),
    name: name === undefined ? undefined : playerNameKey(sport, normalizeName(name)),
  };
}

const only = <Item>(items: readonly Item[]): Item | undefined => (items.length === 1 ? items[0] : undefined);

/** A source's own id of a player: it is its own within the source and the sport. */
export const playerRefKey = (sport: string, source: string, ref: string): string => `${sport}:${source}:${ref}`;

/** A name of a player of a sport, in the form in which names are compared. */
export const playerNameKey = (sport: string, normalized: string): string => `${sport}:${normalized}`;

/** The names of a player, in the form in which names are compared. */
export const normalizedNamesOf = ({ full_name, aliases = [] }: PlayerFacts): string[] =>
  [full_name, ...aliases].map(normalizeName);
