import type { Box, BoxRow } from './box.ts';
import type { SideRow } from './event-players.ts';
import type { Lineup } from './lineup.ts';

/** The rows of a box, with the sides on which they stand; none without a box. */
export const boxRows = (box: Box | undefined): SideRow<BoxRow>[] =>
  (box?.players ?? []).map((row) => ({
    row,
    side: row.role === 'home' || row.role === 'player_1' ? 0 : 1,
    named: { source: box!.playersSource, ref: row.ref, name: row.name },
  }));

/** The players of the lineups of home and of the other side. */
export const lineupRows = (
  lineups: readonly [Lineup | undefined, Lineup | undefined],
): SideRow<{ readonly name: string }>[] =>
  lineups.flatMap((lineup, side) =>
    (lineup?.team.players ?? []).map((row) => ({
      row,
      side: side as 0 | 1,
      named: { source: lineup!.source, ref: row.ref, name: row.name },
    })),
  );
