import { exactSum } from '../decimals.ts';
import { ownValue } from '../own.ts';

type Stats = Readonly<Record<string, number>>;
/** Statistics that make up another one, each with how often it counts. */
type Parts = readonly (readonly [stat: string, times: number])[];

const sum = (...stats: readonly string[]): Parts => stats.map((stat) => [stat, 1]);

/** What can be made of others where a box does not state it: by sport, and in every sport. */
const COMBINED: Readonly<Record<string, Parts>> = {
  points_rebounds_assists: sum('points', 'rebounds', 'assists'),
  points_rebounds: sum('points', 'rebounds'),
  points_assists: sum('points', 'assists'),
  rebounds_assists: sum('rebounds', 'assists'),
  blocks_steals: sum('blocks', 'steals'),
  passing_rushing_yards: sum('passing_yards', 'rushing_yards'),
  rushing_receiving_yards: sum('rushing_yards', 'receiving_yards'),
  rushing_receiving_touchdowns: sum('rushing_touchdowns', 'receiving_touchdowns'),
  passing_rushing_receiving_yards: sum('passing_yards', 'rushing_yards', 'receiving_yards'),
  passing_rushing_receiving_touchdowns: sum('passing_touchdowns', 'rushing_touchdowns', 'receiving_touchdowns'),
  hits_runs_rbis: sum('hits', 'runs', 'rbis'),
  total_bases: [
    ['hits', 1],
    ['doubles', 1],
    ['triples', 2],
    ['home_runs', 3],
  ],
  singles: [
    ['hits', 1],
    ['doubles', -1],
    ['triples', -1],
    ['home_runs', -1],
  ],
  kicking_points: [
    ['field_goals_made', 3],
    ['extra_points_made', 1],
  ],
};
const FOOTBALL: Readonly<Record<string, Parts>> = {
  assists: [
    ['total_tackles', 1],
    ['solo_tackles', -1],
  ],
};
const BY_SPORT: ReadonlyMap<string, Readonly<Record<string, Parts>>> = new Map([
  ['nfl', FOOTBALL],
  ['ncaaf', FOOTBALL],
  ['nhl', { points: sum('goals', 'assists') }],
  ['soccer', { cards: sum('yellow_cards', 'red_cards') }],
]);

/** The statistics that a box carries: those that it states of anybody. */
export const carriedBy = (rows: Iterable<{ readonly stats: Stats }>): ReadonlySet<string> => {
  const carried = new Set<string>();
  for (const { stats } of rows) for (const stat of Object.keys(stats)) carried.add(stat);
  return carried;
};

/**
 * A statistic of one player: as his box states it, or made of its parts. Whoever is in a box that carries the statistic,
 * and has none stated, has 0.
 * @param carried what his box carries
 * @returns null where the box carries neither the statistic nor its parts
 */
export function statOf(sport: string, carried: ReadonlySet<string>, stats: Stats, stat: string): number | null {
  const own = (name: string): number => ownValue(stats, name) ?? 0;
  if (carried.has(stat)) return own(stat);
  if (stat === 'touchdowns' && (sport === 'nfl' || sport === 'ncaaf')) return touchdowns(carried, own);
  const parts = ownValue(BY_SPORT.get(sport) ?? {}, stat) ?? ownValue(COMBINED, stat);
  if (!parts?.every(([part]) => carried.has(part))) return null;
  return exactSum(parts.map(([part, times]) => times * own(part)));
}

/** Those that a player scores himself: who passes scores none. One touchdown may be told as both of the last two. */
function touchdowns(carried: ReadonlySet<string>, own: (stat: string) => number): number | null {
  if (!carried.has('rushing_touchdowns') && !carried.has('receiving_touchdowns')) return null;
  return exactSum([
    own('rushing_touchdowns'),
    own('receiving_touchdowns'),
    own('kick_return_touchdowns'),
    own('punt_return_touchdowns'),
    Math.max(own('defensive_touchdowns'), own('interception_touchdowns')),
  ]);
}
