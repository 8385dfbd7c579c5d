import type { CsvRow } from '../importing/csv.ts';
import { closingAt } from '../importing/file-times.ts';
import { type Game, known } from './game.ts';

/**
 * The quarterbacks who started, as a `lineup` message: what is certain is that they were known when the game began.
 * Undefined where the row names none.
 */
export function lineupOfGame(game: Game, row: CsvRow): Record<string, unknown> | undefined {
  const starters = (['home', 'away'] as const).flatMap((role) => {
    const [name, ref] = [known(row.get(`${role}_qb_name`)), known(row.get(`${role}_qb_id`))];
    return name === '' ? [] : [[role, { ref: ref || undefined, name }] as const];
  });
  if (starters.length === 0) return undefined;
  return {
    kind: 'lineup',
    source: 'nflverse',
    at: closingAt(game.startsAt),
    ref: game.ref,
    teams: {},
    probable_starters: Object.fromEntries(starters),
  };
}
