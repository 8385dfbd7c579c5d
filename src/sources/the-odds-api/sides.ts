import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { asText, type JsonObject } from '../parsing/json-values.ts';
import type { SportKey } from './sports.ts';

type Role = 'home' | 'away' | 'player_1' | 'player_2';

/** Who plays, and which of our sides the provider's names are. */
export interface Sides {
  readonly home: string;
  readonly away: string;
  readonly homeRole: Role;
  readonly awayRole: Role;
  /** The side of that name; undefined where it is neither's. */
  of(name: string): Role | undefined;
}

/**
 * Tennis has a home player here as a matter of form only, so its two go by name. Undefined where a name is missing, or
 * both are the same.
 */
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
