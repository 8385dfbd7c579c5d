import {
  nameEntry,
  type PastBoxRow,
  type PastBoxTable,
  type PastPlayer,
  playerBoxes,
  playersByEntry,
  refEntry,
} from '../../../../projections/sports-events/player-boxes.ts';
import type { DirectoryPlayer, PlayerMention } from '../../../domain/directory/player-finder.ts';
import { playerNameKey } from '../../../domain/directory/player-finder.ts';
import { createRowFinder, type SideRow } from '../../../domain/event-players.ts';
import { normalizeName } from '../../../domain/primitives/name-normalization.ts';
import { unpackFields, unpackStats } from '../../../domain/statistics/packed-stats.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import type { AsOfMoments } from '../shared/known-games.ts';
import { readDocumentAsOf } from '../shared/read-documents.ts';
import { readPlayerFinder } from '../shared/read-player-finder.ts';

/** A player whose past games are read. */
interface PlayerWithPast {
  /** Null if the player is not in the directory. */
  readonly id: number | null;
  readonly name: string;
  readonly found: DirectoryPlayer | undefined;
}

/** A player's statistics in one finished game, from its box score. */
export interface PastBox {
  /** Milliseconds. */
  readonly startsAt: number;
  /** Names of the statistics that the box score contains. */
  readonly carried: ReadonlySet<string>;
  readonly stats: Readonly<Record<string, number>>;
}

type Reader = Pick<OperationContext, 'store' | 'histories'>;

interface PastBoxQuery {
  readonly sport: string;
  /** Only games that start earlier count; milliseconds. */
  readonly before: number;
  /** The boxes as known at these moments; empty: as known now. */
  readonly moments: AsOfMoments;
  /** The moment at which the directory assigns rows to players. */
  readonly asOf: AsOf | undefined;
}

/** Box scores of players in games before a moment, unsorted. Games in which a player did not play are left out. */
export async function readPastBoxes<Player extends PlayerWithPast>(
  context: Reader,
  players: readonly Player[],
  query: PastBoxQuery,
): Promise<ReadonlyMap<Player, readonly PastBox[]>> {
  const rows = new Map<Player, PastBoxRow[]>();
  for (const player of players) rows.set(player, await readRows(context, player, query));
  const named = [...rows.values()].flat().flatMap((row) => row.players.map((one) => namedIn(row, one)));
  const finder = await readPlayerFinder(context, query.sport, distinct(named), query.asOf);
  const boxes = new Map<Player, PastBox[]>();
  const carriedIn = createCarriedNames(query.sport);
  for (const [player, own] of rows) {
    const past = own.flatMap((row): PastBox[] => {
      const sideRows = row.players.map(
        (one): SideRow<PastPlayer> => ({ row: one, side: one.side, named: namedIn(row, one) }),
      );
      const values = createRowFinder(sideRows, finder, row.teamIds).findRow(player)?.row.stats;
      if (!values) return [];
      const { names, carried } = carriedIn(row);
      return [{ startsAt: row.startsAt, carried, stats: unpackStats(names, values) }];
    });
    boxes.set(player, past);
    await yieldToEventLoop();
  }
  return boxes;
}

/**
 * Statistics that a box score contains, cached: most boxes of a league contain the same ones, and a career has a
 * thousand boxes.
 */
function createCarriedNames(sport: string) {
  const known = new Map<string, { readonly names: readonly string[]; readonly carried: ReadonlySet<string> }>();
  return ({ fields }: PastBoxRow) => {
    const key = fields.join(' ');
    let found = known.get(key);
    if (!found) {
      const names = unpackFields(sport, fields);
      found = { names, carried: new Set(names) };
      known.set(key, found);
    }
    return found;
  };
}

const namedIn = ({ source }: PastBoxRow, { ref, name }: PastPlayer): PlayerMention & { readonly name: string } => ({
  source,
  ref,
  name,
});

const distinct = (named: readonly PlayerMention[]): PlayerMention[] => [
  ...new Map(named.map((one) => [`${one.source} ${one.ref} ${one.name}`, one])).values(),
];

/** More months than any player plays under all of his names. */
const MAX_TABLES = 5000;

/** Rows of all games in which a player with one of these ids or names played, reduced to such players. */
async function readRows(context: Reader, player: PlayerWithPast, query: PastBoxQuery): Promise<PastBoxRow[]> {
  const { sport, before } = query;
  const entries = entriesOf(sport, player);
  const tables = await context.store.find<PastBoxTable>(playerBoxes.name, {
    where: { entry: entries },
    limit: MAX_TABLES,
  });
  await yieldToEventLoop();
  const byEvent = new Map<string, PastBoxRow>();
  for (const { document } of tables) {
    for (const [eventId, row] of Object.entries(document.rows)) {
      const known = byEvent.get(eventId);
      byEvent.set(eventId, known ? { ...row, players: mergePlayers(known.players, row.players) } : row);
    }
  }
  const rows: PastBoxRow[] = [];
  for (const [eventId, row] of byEvent) {
    const then = await readRowAsOf(context, eventId, row, entries, query);
    if (then?.counts && then.startsAt < before) rows.push(then);
  }
  return rows;
}

/** The player's ids from all sources and all names in the directory; without a directory entry the name. */
function entriesOf(sport: string, { name, found }: PlayerWithPast): string[] {
  if (!found) return [nameEntry(playerNameKey(sport, normalizeName(name)))];
  return [...found.refs.map(refEntry), ...found.names.map(nameEntry)];
}

/** Merges the players of two tables; a player in both appears once. */
function mergePlayers(some: readonly PastPlayer[], more: readonly PastPlayer[]): PastPlayer[] {
  const keyOf = ({ side, name, ref }: PastPlayer) => `${side} ${ref} ${name}`;
  const known = new Set(some.map(keyOf));
  return [...some, ...more.filter((one) => !known.has(keyOf(one)))];
}

/** The row as it was known. The log is read only if the row was corrected later. */
async function readRowAsOf(
  context: Reader,
  eventId: string,
  row: PastBoxRow,
  entries: readonly string[],
  { sport, moments }: PastBoxQuery,
): Promise<PastBoxRow | null> {
  const [first, second] = moments;
  if (!first) return row;
  const all = second ? [first, second] : [first];
  if (all.some(({ at, basis }) => at < row[basis][0])) return null;
  if (all.every(({ at, basis }) => at >= row[basis][1])) return row;
  const then = (await readDocumentAsOf(context, playerBoxes, eventId, first, second))?.row;
  if (!then) return null;
  const byEntry = playersByEntry(then, { sport });
  const own = entries.reduce<PastPlayer[]>((some, entry) => mergePlayers(some, byEntry.get(entry) ?? []), []);
  return { ...then, players: own };
}
