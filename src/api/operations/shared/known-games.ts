import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { seasonIdOf } from '../../../../projections/sports-events/events.ts';
import {
  type GameDocument,
  type GameTable,
  pairTable,
  games as projection,
  seasonTable,
  tableEntry,
  yearTable,
} from '../../../../projections/sports-events/games.ts';
import type { PlayedIn } from '../../../domain/catalogue/game-rules.ts';
import { rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { type AveragedSides, currentAveragedSides } from '../../../domain/statistics/averaged-box.ts';
import type { CountedGame } from '../../../domain/statistics/counted-game.ts';
import {
  compareNewestFirst,
  type GameRow,
  parseGameRow,
  parseGameRows,
  unpackGame,
} from '../../../domain/statistics/game-row.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import {
  bytesOfSeason,
  type SeasonGames,
  seasonGames,
  tallySeason,
} from '../../../read-models/rendering/statistics/season-games.ts';
import type { KnownGames } from '../../../read-models/rendering/statistics/side-form.ts';
import { sideGameOf } from '../../../read-models/rendering/statistics/standings.ts';
import type { RatedGame } from '../../../read-models/rendering/statistics/stat-rates.ts';
import type { Derivation } from '../../../read-models/store/document-reader.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { readDocumentAsOf } from './read-documents.ts';

/** None, one, or a recorded and an observed moment: with two, only facts known at both count. */
export type AsOfMoments = readonly [] | readonly [AsOf] | readonly [recorded: AsOf, observed: AsOf];
type Reader = Pick<OperationContext, 'store' | 'histories'>;
/** A game that counts, or counted at the moment; from the table of a side, also the sides' statistics. */
interface PlayedGame {
  readonly game: CountedGame;
  readonly box?: { readonly stats: AveragedSides };
}

/** A parsed table: newest first. */
const gameRows: Derivation<GameTable, readonly GameRow[]> = {
  name: 'rows',
  derive: ({ rows }) => parseGameRows(rows),
  bytesOf: (rows) => rows.reduce((bytes, { box }) => bytes + BYTES_OF_ROW + (box ? BYTES_OF_BOX : 0), 0),
};
/** Columns, since a season is read for each of its events. */
const seasonColumns = ({ sport, league }: PlayedIn): Derivation<GameTable, SeasonGames> => ({
  name: `columns of ${sport} ${league}`,
  derive: ({ rows }) => seasonGames({ sport, league }, parseGameRows(rows)),
  bytesOf: bytesOfSeason,
});
/** As V8 holds them: a row with its game, three pairs and two spans. */
const BYTES_OF_ROW = 480;
/** With a few dozen numbers. */
const BYTES_OF_BOX = 600;

/**
 * The games behind the statistics of an event, as they are or were known. They come from tables, however long the
 * history; the log is read only for games corrected after the moment.
 * @param ids of both sides
 * @param moments games as known at these moments; empty: as known now
 */
export async function readKnownGames(
  context: Reader,
  event: EventDocument,
  ids: readonly [number, number],
  moments: AsOfMoments,
): Promise<KnownGames> {
  const { sport, league } = event;
  const kind = rulesOf(sport).entry;
  const startsAt = timeOf(event.event.schedule!.starts_at);
  const year = new Date(startsAt).getUTCFullYear();
  const seasonId = seasonIdOf(event)!;
  const read = (keys: readonly string[]) => context.store.getDerived(projection.name, keys, gameRows);
  const yearsOf = (one: number) => ids.map((id) => yearTable(tableEntry(kind, id), one));
  const tables = await read([pairTable(kind, ids), ...yearsOf(year)]);

  const isEarlier = (eventId: number, endedAt: number) => eventId !== event.id && endedAt < startsAt;
  const earlier = async (some: readonly (readonly GameRow[] | undefined)[], of: (game: CountedGame) => boolean) =>
    (await playedIn(context, some, moments)).filter(({ game }) => isEarlier(game.eventId, game.endedAt) && of(game));
  const plays = (id: number) => (game: CountedGame) => game.sides.includes(id);

  const { season, began } = await readSeason(context, { sport, league, seasonId, isEarlier, moments });
  const meetings = await earlier([tables[0]], (game) => plays(ids[0])(game) && plays(ids[1])(game));
  // The previous year counts if the season began in it.
  const before = began < Date.UTC(year, 0) ? await read(yearsOf(year - 1)) : [];
  const own = [
    await earlier([tables[1], before[0]], plays(ids[0])),
    await earlier([tables[2], before[1]], plays(ids[1])),
  ] as const;
  const newestOf = async (side: 0 | 1) =>
    own[side][0]?.game.startsAt ?? newestBefore(tableEntry(kind, ids[side]), before.length > 0 ? year - 1 : year);

  async function newestBefore(entry: string, before: number): Promise<number | null> {
    const [found] = await context.store.find<GameTable>(projection.name, {
      where: { entry },
      range: { field: 'year', to: before, exclusive: 'to' },
      order: { field: 'year', direction: 'desc' },
      limit: 1,
    });
    if (!found) return null;
    const [newest] = await earlier([parseGameRows(found.document.rows)], () => true);
    return newest?.game.startsAt ?? newestBefore(entry, found.document.year!);
  }

  const ratedOf = (side: 0 | 1): RatedGame[] =>
    own[side].filter(({ game }) => game.seasonId === seasonId).map((played) => rated(played, ids[side]));
  return {
    sport,
    startsAt,
    season,
    sides: [ratedOf(0), ratedOf(1)],
    newest: [await newestOf(0), await newestOf(1)],
    meetings: meetings.map(({ game }) => game),
  };
}

/** The games of a season that standings count, newest first, as known now or at a moment. */
export async function readStandingGames(
  context: Reader,
  seasonId: number,
  asOf: AsOf | undefined,
): Promise<readonly CountedGame[]> {
  return (await readSeasonGames(context, seasonId, asOf)).filter((game) => !game.isPlayoff);
}

/** The same with those of the playoffs. */
export async function readSeasonGames(
  context: Reader,
  seasonId: number,
  asOf: AsOf | undefined,
): Promise<readonly CountedGame[]> {
  const tables = await context.store.getDerived(projection.name, [seasonTable(seasonId)], gameRows);
  const played = await playedIn(context, tables, asOf ? [asOf] : []);
  return played.map(({ game }) => game).filter((game) => game.seasonId === seasonId);
}

interface SeasonQuery {
  readonly sport: string;
  readonly league: string;
  readonly seasonId: number;
  readonly isEarlier: (eventId: number, endedAt: number) => boolean;
  readonly moments: AsOfMoments;
}

/** The records of a season's earlier games, and the start of the first one (infinite if there is none). */
async function readSeason(context: Reader, { sport, league, seasonId, isEarlier, moments }: SeasonQuery) {
  const key = seasonTable(seasonId);
  const [found] = await context.store.getDerived(projection.name, [key], seasonColumns({ sport, league }));
  const games = found ?? seasonGames({ sport, league }, []);
  const { eventIds, seasonIds, startsAt, endedAt, isCounted, length } = games;
  const count = tallySeason(games);
  let began = Number.POSITIVE_INFINITY;
  const spans = moments.map(({ at, basis }) => ({ at, from: games[basis][0], asNow: games[basis][1] }));
  for (let row = 0; row < length; row++) {
    if (spans.some(({ at, from }) => at < from[row]!)) continue;
    if (spans.some(({ at, asNow }) => at < asNow[row]!)) {
      const then = await foldGameAsOf(context, eventIds[row]!, moments);
      if (!then || then.game.seasonId !== seasonId || !isEarlier(then.game.eventId, then.game.endedAt)) continue;
      count.addGame(then.game);
      began = Math.min(began, then.game.startsAt);
    } else if (isCounted[row] && seasonIds[row] === seasonId && isEarlier(eventIds[row]!, endedAt[row]!)) {
      count.addRow(row);
      began = Math.min(began, startsAt[row]!);
    }
  }
  return { season: count.records(), began };
}

function rated({ game, box }: PlayedGame, id: number): RatedGame {
  const own = sideGameOf(game, id);
  return { ...own, own: box?.stats[own.side] ?? null, other: box?.stats[own.side === 0 ? 1 : 0] ?? null };
}

/** Games of some tables that count, or counted at the moments; each once, newest first. */
async function playedIn(
  context: Reader,
  tables: readonly (readonly GameRow[] | undefined)[],
  moments: AsOfMoments,
): Promise<readonly PlayedGame[]> {
  const [rows = [], ...others] = tables.filter((table) => table !== undefined);
  const all =
    others.length === 0 ? rows : inOrder(new Map([rows, ...others].flat().map((row) => [row.game.eventId, row])));
  if (moments.length === 0) return all.filter(({ counts }) => counts);
  const played: PlayedGame[] = [];
  let isFolded = false;
  for (const row of all) {
    const then = playedAsOf(row, moments);
    const found = then === 'unclear' ? await foldGameAsOf(context, row.game.eventId, moments) : then;
    isFolded ||= then === 'unclear';
    if (found) played.push(found);
  }
  // A folded game may have had another start then.
  return isFolded ? played.sort(compareNewestFirst) : played;
}

const inOrder = (rows: ReadonlyMap<number, GameRow>): GameRow[] => [...rows.values()].sort(compareNewestFirst);

/** The game from its row; `unclear` if the row has changed since the moments. */
function playedAsOf(row: GameRow, moments: AsOfMoments): PlayedGame | null | 'unclear' {
  const all: readonly AsOf[] = moments;
  if (all.some(({ at, basis }) => at < row[basis][0])) return null;
  const { box } = row;
  const hasNoBox = box !== undefined && all.some(({ at, basis }) => at < box[basis][0]);
  const isAsNow = (known: Pick<GameRow, AsOf['basis']>) => all.every(({ at, basis }) => at >= known[basis][1]);
  if (!isAsNow(row) || !(hasNoBox || box === undefined || isAsNow(box))) return 'unclear';
  if (!row.counts) return null;
  return hasNoBox ? { game: row.game } : row;
}

async function foldGameAsOf(
  context: Reader,
  eventId: number,
  [first, second]: AsOfMoments,
): Promise<PlayedGame | null> {
  const then = first && (await readDocumentAsOf<GameDocument>(context, projection, String(eventId), first, second));
  const row = then?.row ? parseGameRow(then.row) : null;
  if (!then || !row?.counts) return null;
  const { box, boxes } = then;
  return { game: unpackGame(eventId, row.game), ...(box ? { box: { stats: currentAveragedSides(boxes) } } : {}) };
}
