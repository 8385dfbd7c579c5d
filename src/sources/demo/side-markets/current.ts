/** Statistics that no box states, with their parts. */
const COMBINED: Readonly<Record<string, readonly string[]>> = {
  points_rebounds_assists: ['points', 'rebounds', 'assists'],
  touchdowns: ['rushing_touchdowns', 'receiving_touchdowns'],
};

/** Where a player stands. */
export function currentOf(stats: Readonly<Record<string, number>>, stat: string): number {
  if (stat === 'total_bases') return ofBases(stats);
  return (COMBINED[stat] ?? [stat]).reduce((sum, part) => sum + (stats[part] ?? 0), 0);
}
const ofBases = ({ hits = 0, doubles = 0, triples = 0, home_runs = 0 }: Readonly<Record<string, number>>): number =>
  hits + doubles + 2 * triples + 3 * home_runs;
