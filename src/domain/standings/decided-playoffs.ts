/** A game of the playoffs that is over. */
export interface PlayoffResult {
  /** Ids of the teams. */
  readonly sides: readonly [number, number];
  /** Index of the side that won; null: unknown. */
  readonly winner: 0 | 1 | null;
}

/** What playoff games decide of a team; null: it may still win the title. */
export interface DecidedPlayoffs {
  readonly playoffs: 0 | 1;
  readonly title: 0 | 1 | null;
}

interface PlayoffGames {
  /** In the order of their starts. */
  readonly results: readonly PlayoffResult[];
  /** Sides of playoff games that are listed and not over. */
  readonly open: readonly (readonly [number, number])[];
  /** How many teams have a place. */
  readonly places: number;
  /** The most games of a series in each round. */
  readonly bestOf: readonly number[];
}

/**
 * How a season has gone on after its table, by what is played and listed of its playoffs. Null while these do not name
 * exactly as many teams as have a place: one that waits for the second round is named late, and of a play-in more are.
 */
export function decidedPlayoffs(
  teams: readonly number[],
  { results, open, places, bestOf }: PlayoffGames,
): ReadonlyMap<number, DecidedPlayoffs> | null {
  const named = new Set([...results.flatMap(({ sides }) => sides), ...open.flat()]);
  if (named.size !== places) return null;
  const champion = open.length === 0 ? championOf(results, bestOf.at(-1)!) : null;
  return new Map(
    teams.map((team) => {
      const isNamed = named.has(team);
      const title = !isNamed ? 0 : champion === null ? null : team === champion ? 1 : 0;
      return [team, { playoffs: isNamed ? 1 : 0, title }];
    }),
  );
}

/** Who won the last series, once nobody else has won its last game: then no other series is under way, or to come. */
function championOf(results: readonly PlayoffResult[], bestOf: number): number | null {
  const lastResult = new Map<number, boolean>();
  for (const { sides, winner } of results)
    for (const [index, team] of sides.entries()) lastResult.set(team, index === winner);
  const alive = [...lastResult].filter(([, hasWon]) => hasWon).map(([team]) => team);
  const final = results.at(-1);
  if (!final || final.winner === null || alive.length !== 1) return null;
  const champion = final.sides[final.winner]!;
  const won = results.filter(
    ({ sides, winner }) =>
      winner !== null && sides[winner] === champion && final.sides.every((one) => sides.includes(one)),
  ).length;
  return alive[0] === champion && won >= (bestOf + 1) / 2 ? champion : null;
}
