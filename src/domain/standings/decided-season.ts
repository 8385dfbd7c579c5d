import type { TableRow } from './build-table.ts';
import type { SeasonFormat } from './season-formats.ts';

/** What a final table decides of a team; null where results leave teams level across the line. */
export interface DecidedEnd {
  readonly title: 0 | 1 | null;
  readonly relegation: 0 | 1 | null;
  /** Absent where the table alone does not decide it. */
  readonly promotion?: 0 | 1 | null;
}

/** How a season has ended whose title is that of the table. @param rows of all teams, in the order of the table */
export function decidedEnds(
  rows: readonly TableRow[],
  { relegated, promoted, playoffs }: Pick<SeasonFormat, 'relegated' | 'promoted' | 'playoffs'>,
): ReadonlyMap<number, DecidedEnd> {
  const safe = relegated === null ? null : rows.length - relegated;
  return new Map(
    rows.map(({ team_id, rank }) => {
      const level = rows.filter((row) => row.rank === rank).length;
      return [
        team_id,
        {
          title: isAmong(1, rank, level),
          relegation: safe === null ? null : goesDown(safe, rank, level),
          ...(promoted !== null && playoffs === null && { promotion: isAmong(promoted, rank, level) }),
        },
      ];
    }),
  );
}

/** Whether a team is among the first `places`. @param level how many teams share its rank, itself included */
function isAmong(places: number, rank: number, level: number): 0 | 1 | null {
  if (rank > places) return 0;
  return rank + level - 1 <= places ? 1 : null;
}

function goesDown(safe: number, rank: number, level: number): 0 | 1 | null {
  const stays = isAmong(safe, rank, level);
  return stays === null ? null : stays === 1 ? 0 : 1;
}
