/** Feed messages as connectors send them. Their `at` is NOW unless told. */
export type Message = Record<string, unknown> & { readonly kind: string };

type Facts = Record<string, unknown>;

export const AT = '2026-03-01T11:00:00Z';

const ROLES = { team: ['home', 'away'], tennis: ['player_1', 'player_2'] } as const;
const rolesOf = (sport: unknown) => (sport === 'tennis' ? ROLES.tennis : ROLES.team);

/** @param sides home (or player_1) and away (or player_2), by their names or in full */
export function schedule(
  league: { readonly sport: string; readonly league: string },
  ref: string,
  sides: readonly [string | Facts, string | Facts],
  starts_at: string,
  more: Facts = {},
): Message {
  const roles = rolesOf(league.sport);
  const participants = sides.map((side, index) => ({
    role: roles[index],
    ...(typeof side === 'string' ? { name: side } : side),
  }));
  return { kind: 'schedule', source: 'feed', at: AT, ...league, ref, starts_at, participants, ...more };
}

/** @param scores of the two sides, as texts or with more */
export function score(
  ref: string,
  status: string,
  scores?: readonly [string | Facts | null, string | Facts | null] | null,
  more: Facts & { readonly sport?: string } = {},
): Message {
  const { sport, ...rest } = more;
  const roles = rolesOf(sport);
  const said = scores?.flatMap((side, index) =>
    side === null ? [] : [{ role: roles[index], ...(typeof side === 'string' ? { score: side } : side) }],
  );
  return { kind: 'score', source: 'feed', at: AT, ref, status, ...(said ? { scores: said } : {}), ...rest };
}

export type Outcome = readonly [outcome: string, price: number, point?: number];
export const outcomes = (...given: readonly Outcome[]) =>
  given.map(([outcome, price, point]) => ({ outcome, price, ...(point === undefined ? {} : { point }) }));

export const market = (key: string, given: readonly Outcome[], more: Facts = {}) => ({
  key,
  outcomes: outcomes(...given),
  ...more,
});

export const odds = (ref: string, bookmaker: string, markets: readonly Facts[], more: Facts = {}): Message => ({
  kind: 'odds',
  source: 'feed',
  at: AT,
  ref,
  bookmaker,
  markets,
  ...more,
});

export const splits = (ref: string, markets: Facts, more: Facts = {}): Message => ({
  kind: 'splits',
  source: 'feed',
  at: AT,
  ref,
  markets,
  ...more,
});

export const team = (
  league: { readonly sport: string; readonly league: string },
  ref: string,
  name: string,
  abbreviation: string,
  more: Facts = {},
): Message => ({ kind: 'team', source: 'feed', at: AT, ...league, ref, name, abbreviation, ...more });

export const player = (sport: string, ref: string, full_name: string, more: Facts = {}): Message => ({
  kind: 'player',
  source: 'feed',
  at: AT,
  sport,
  ref,
  full_name,
  ...more,
});

export const injury = (
  league: { readonly sport: string; readonly league: string },
  teamName: string,
  playerName: string,
  status: string,
  more: Facts = {},
): Message => ({
  kind: 'injury',
  source: 'feed',
  at: AT,
  ...league,
  team: teamName,
  player: playerName,
  status,
  ...more,
});

const league = (sport: string, slug = sport) => ({ sport, league: slug });
export const NFL = league('nfl');
export const NBA = league('nba');
export const MLB = league('mlb');
export const NHL = league('nhl');
export const NCAAF = league('ncaaf');
export const NCAAB = league('ncaab');
export const ATP = league('tennis', 'atp');
export const WTA = league('tennis', 'wta');
export const EPL = league('soccer', 'epl');
export const MLS = league('soccer', 'mls');
export const WORLD_CUP = league('soccer', 'fifa_world_cup');
export const UCL = league('soccer', 'ucl');
