import type { Game, Side } from './game.ts';

/** "only while inprogress, suspended or final" */
const SHOWN = ['inprogress', 'suspended', 'final'];

/** "`player_box` | `{available, final, home, away}`; else and without a box `{available: false, final: false, home: [],
 *  away: []}`" */
export function playerBox({ box, status }: Game) {
  if (!box || !SHOWN.includes(status)) return { available: false, final: false, home: [], away: [] };
  /** "rows in the box's order (`starter`, `dnp` false where not said), stats as stored" */
  const rowsOf = (side: Side) =>
    box.players
      .filter((row) => row.side === side)
      .map(({ player_id, name, starter = false, dnp = false, stats }) => ({ player_id, name, starter, dnp, stats }));
  return { available: true, final: box.final, home: rowsOf('home'), away: rowsOf('away') };
}
