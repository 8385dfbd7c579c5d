import type { EventDocument } from '../../../projections/events.ts';
import { type BoxRow, boxOf, type ToldBox } from '../../domain/box.ts';
import type { EventStatus, SportSlug } from '../../domain/catalogue.ts';
import type { PlayerBox } from './statistics-schema.ts';

const WITH_BOX: ReadonlySet<string> = new Set<SportSlug>(['nfl', 'ncaaf', 'nba', 'ncaab', 'mlb', 'nhl']);
const PLAYED: ReadonlySet<EventStatus> = new Set(['inprogress', 'suspended', 'final']);

/** Whether the sport shows what each player did; the box is shown once the game has begun. */
export const showsPlayers = ({ sport }: Pick<EventDocument, 'sport'>): boolean => WITH_BOX.has(sport);

/**
 * What each player did; null in the sports that do not show it.
 * @param idOf the directory's id of a row's player, if it has one
 */
export function renderPlayerBox(
  event: EventDocument,
  told: ToldBox | undefined,
  idOf: (row: BoxRow) => number | null,
): PlayerBox | null {
  if (!showsPlayers(event)) return null;
  const box = PLAYED.has(event.event.status) && told ? boxOf(told) : undefined;
  if (!box || box.players.length === 0) return { available: false, final: false, home: [], away: [] };
  const rows = (role: string) =>
    box.players
      .filter((row) => row.role === role)
      .map((row) => ({
        player_id: idOf(row),
        name: row.name,
        starter: row.starter ?? false,
        dnp: row.dnp ?? false,
        stats: row.stats,
      }));
  return { available: true, final: box.final ?? false, home: rows('home'), away: rows('away') };
}
