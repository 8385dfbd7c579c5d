import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { asText, type JsonObject } from '../parsing/json-values.ts';
import type { SportKey } from './sports.ts';

type Role = 'home' | 'away' | 'player_1' | 'player_2';

/** The names of the sides, and the side of each of the provider's names. */
export interface Sides {
  readonly home: string;
  readonly away: string;
  readonly homeRole: Role;
  readonly awayRole: Role;
  /** The side with that name; undefined for any other name. */
  of(name: string): Role | undefined;
}

/** In tennis the provider's home player is only a formality, so the two players are ordered by name. Undefined if a
 *  name is missing, or if both are the same. */
export function sidesOf(event: JsonObject, { sport }: SportKey): Sides | undefined {
  const teams = Array.isArray(event['teams']) ? event['teams'].map(asText) : [];
  const home = asText(event['home_team']);
  const away = asText(event['away_team']) ?? teams.find((team) => team !== undefined && team !== home);
  if (home === undefined || away === undefined) return undefined;
  const [homeKey, awayKey] = [normalizeName(home), normalizeName(away)];
  if (homeKey === awayKey) return undefined;
  const first = homeKey < awayKey;
  const homeRole: Role = sport !== 'tennis' ? 'home' : first ? 'player_1' : 'player_2';
  const awayRole: Role = sport !== 'tennis' ? 'away' : first ? 'player_2' : 'player_1';
  return {
    home,
    away,
    homeRole,
    awayRole,
    of(name) {
      if (name === home) return homeRole;
      if (name === away) return awayRole;
      const key = normalizeName(name);
      return key === homeKey ? homeRole : key === awayKey ? awayRole : undefined;
    },
  };
}
