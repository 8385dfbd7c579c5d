import type { EventDocument } from '../../../../projections/events.ts';
import { type Box, type BoxRow, boxOf, type ToldBox } from '../../../domain/box.ts';
import type { EventStatus, SportSlug } from '../../../domain/catalogue.ts';
import type { PlayerBox } from './statistics-schema.ts';

const WITH_BOX: ReadonlySet<string> = new Set<SportSlug>(['nfl', 'ncaaf', 'nba', 'ncaab', 'mlb', 'nhl']);
const PLAYED: ReadonlySet<EventStatus> = new Set(['inprogress', 'suspended', 'final']);

/** The box whose players the statistics show, once the game has begun; undefined in the sports that show none. */
export function shownBox({ sport, event }: EventDocument, told: ToldBox | undefined): Box | undefined {
  if (!WITH_BOX.has(sport) || !PLAYED.has(event.status) || !told) return undefined;
  return boxOf(told);
}

/**
 * What each player did; null in the sports that do not show it.
 * @param idOf the directory's id of a row's player, if it has one
 */
export function renderPlayerBox(
  event: EventDocument,
  told: ToldBox | undefined,
  idOf: (row: BoxRow) => number | null,
): PlayerBox | null {
  if (!WITH_BOX.has(event.sport)) return null;
  const box = shownBox(event, told);
  if (!box) return { available: false, final: false, home: [], away: [] };
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
