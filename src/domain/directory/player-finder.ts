import { addToGroup, onlyItem } from '../primitives/collections.ts';
import { normalizeName } from '../primitives/name-normalization.ts';
import type { PlayerFacts } from './directory-entries.ts';

/** How a source names a player. */
export interface PlayerMention {
  readonly source?: string | null | undefined;
  /** The id of the player at the source. */
  readonly ref?: string | undefined;
  readonly name?: string | undefined;
}

/** The data of a directory player that lookups need. */
export interface DirectoryPlayer {
  readonly id: number;
  readonly full_name: string;
  readonly team_id: number | null;
  /** Keys from `playerRefKey`. */
  readonly refs: readonly string[];
  /** Keys from `playerNameKey`. */
  readonly names: readonly string[];
}

/** Looks up players of one sport. */
export interface PlayerFinder {
  /**
   * The player whom a source mentions: by source id, else by name within these teams, else by name within the sport.
   * Undefined if several match.
   * @param isElsewhere excludes players of that name in the sport who cannot be meant
   */
  find(
    mention: PlayerMention,
    teamIds: readonly number[],
    isElsewhere?: (player: DirectoryPlayer) => boolean,
  ): DirectoryPlayer | undefined;
}

/** @param players must include all players of the sport with one of the ids or names to be looked up */
export function createPlayerFinder(sport: string, players: Iterable<DirectoryPlayer>): PlayerFinder {
  const byKey = new Map<string, DirectoryPlayer[]>();
  for (const player of players) {
    for (const ref of player.refs) addToGroup(byKey, `ref ${ref}`, player);
    for (const name of player.names) addToGroup(byKey, `name ${name}`, player);
  }
  return {
    find(mention, teamIds, isElsewhere = () => false) {
      const { ref, name } = lookupKeysOf(sport, mention);
      const byRef = ref === undefined ? [] : (byKey.get(`ref ${ref}`) ?? []);
      if (byRef.length > 0) return onlyItem(byRef);
      const byName = name === undefined ? [] : (byKey.get(`name ${name}`) ?? []);
      const inTeams = byName.filter(({ team_id }) => team_id !== null && teamIds.includes(team_id));
      return onlyItem(inTeams.length > 0 ? inTeams : byName.filter((player) => !isElsewhere(player)));
    },
  };
}

/** The lookup keys of a mention, in the form of the directory's keys. */
export function lookupKeysOf(
  sport: string,
  { source, ref, name }: PlayerMention,
): { readonly ref: string | undefined; readonly name: string | undefined } {
  return {
    ref: source === undefined || source === null || ref === undefined ? undefined : playerRefKey(sport, source, ref),
    name: name === undefined ? undefined : playerNameKey(sport, normalizeName(name)),
  };
}

/** Key of a source id. An id is unique within a source and a sport. */
export const playerRefKey = (sport: string, source: string, ref: string): string => `${sport}:${source}:${ref}`;

/** Key of a name in normalized form. */
export const playerNameKey = (sport: string, normalized: string): string => `${sport}:${normalized}`;

/** The names of a player in normalized form. */
export const normalizedNamesOf = ({ full_name, aliases = [] }: PlayerFacts): string[] =>
  [full_name, ...aliases].map(normalizeName);
