import type { EventDocument } from '../../projections/events.ts';
import { seasonIdOf } from '../../projections/events.ts';
import {
  entryName,
  type GameTable,
  type PlayedRow,
  pairTable,
  games as projection,
  seasonTable,
  yearTable,
} from '../../projections/games.ts';
import type { AsOf } from '../as-of/as-of.ts';
import type { OperationContext } from '../calls/operation.ts';
import type { KnownSince } from '../domain/known-since.ts';
import { timeOf } from '../domain/observation.ts';
import { rulesOf } from '../domain/sides.ts';
import type { Game } from '../domain/statistics/game.ts';
import { unpackGame } from '../domain/statistics/game-row.ts';
import { newestFirst, ownGame } from '../rendering/statistics/own-game.ts';
import type { RatedGame } from '../rendering/statistics/rates.ts';
import type { KnownGames } from '../rendering/statistics/side-statistics.ts';
import { gameThen } from './game-then.ts';

/** None, one, or a recorded one and an observed one: then only what was known at both counts. */
export type Moments = readonly [] | readonly [AsOf] | readonly [recorded: AsOf, observed: AsOf];
type Reader = Pick<OperationContext, 'store' | 'histories'>;
type Played = { readonly game: Game; readonly stats: NonNullable<PlayedRow['box']>['stats'] | undefined };

/**
 * The games that the statistics of an event are made of, as they are or were known. All come from tables, whatever the
 * length of the history; the log is asked only for games that were corrected after the moment asked for.
 * @param ids of both sides
 * @param moments as the games were known then; without one as they are known now
 */
export async function readKnownGames(
  context: Reader,
  event: EventDocument,
  ids: readonly [number, number],
  moments: Moments,
): Promise<KnownGames> {
  const { sport } = event;
  const kind = rulesOf(sport).entry;
  const startsAt = timeOf(event.event.schedule!.starts_at);
  const year = new Date(startsAt).getUTCFullYear();
  const seasonId = seasonIdOf(event)!;
  const read = async (keys: readonly string[]) =>
    (await context.store.getMany<GameTable>(projection.name, keys)).map((stored) => stored?.document);
  const yearsOf = (one: number) => ids.map((id) => yearTable(entryName(kind, id), one));
  const tables = await read([seasonTable(seasonId), pairTable(kind, ids), ...yearsOf(year)]);

  const isEarlier = ({ game }: Played) => game.eventId !== event.id && game.endedAt < startsAt;
  const earlier = async (some: readonly (GameTable | undefined)[], of: (game: Game) => boolean) =>
    (await playedIn(context, some, moments)).filter((played) => isEarlier(played) && of(played.game)).sort(newestFirst);
  const plays = (id: number) => (game: Game) => game.sides.includes(id);

  const season = await earlier([tables[0]], (game) => game.seasonId === seasonId);
  const meetings = await earlier([tables[1]], (game) => plays(ids[0])(game) && plays(ids[1])(game));
  // The year before counts where the season began in it.
  const isOfYearBefore = ({ game }: Played) => new Date(game.startsAt).getUTCFullYear() < year;
  const before = season.some(isOfYearBefore) ? await read(yearsOf(year - 1)) : [];
  const own = [
    await earlier([tables[2], before[0]], plays(ids[0])),
    await earlier([tables[3], before[1]], plays(ids[1])),
  ] as const;
  const newestOf = async (side: 0 | 1) =>
    own[side][0]?.game.startsAt ?? newestBefore(entryName(kind, ids[side]), before.length > 0 ? year - 1 : year);

  async function newestBefore(entry: string, before: number): Promise<number | null> {
    const [found] = await context.store.find<GameTable>(projection.name, {
      where: { entry },
      range: { field: 'year', to: before, exclusive: 'to' },
      order: { field: 'year', direction: 'desc' },
      limit: 1,
    });
    if (!found) return null;
    const [newest] = await earlier([found.document], () => true);
    return newest?.game.startsAt ?? newestBefore(entry, found.document.year!);
  }

  const ratedOf = (side: 0 | 1): RatedGame[] =>
    own[side].filter(({ game }) => game.seasonId === seasonId).map((played) => rated(played, ids[side]));
  return {
    ...{ sport, startsAt },
    season: season.map(({ game }) => game),
    sides: [ratedOf(0), ratedOf(1)],
    newest: [await newestOf(0), await newestOf(1)],
    meetings: meetings.map(({ game }) => game),
  };
}

function rated({ game, stats }: Played, id: number): RatedGame {
  const own = ownGame(game, id);
  return { ...own, own: stats?.[own.side] ?? null, other: stats?.[own.side === 0 ? 1 : 0] ?? null };
}

/** What counts, or counted, of the games of some tables; each once. */
async function playedIn(
  context: Reader,
  tables: readonly (GameTable | undefined)[],
  moments: Moments,
): Promise<Played[]> {
  const rows = new Map(tables.flatMap((table) => Object.entries(table?.rows ?? {})));
  const played: Played[] = [];
  for (const [key, row] of rows) {
    const found = await playedThen(context, key, row, moments);
    if (found) played.push(found);
  }
  return played;
}

const presentOf = (eventId: number, { game, counts, box }: PlayedRow): Played | null =>
  counts ? { game: unpackGame(eventId, game), stats: box?.stats } : null;

async function playedThen(context: Reader, key: string, row: PlayedRow, moments: Moments): Promise<Played | null> {
  const [first, second] = moments;
  if (!first) return presentOf(Number(key), row);
  const all = second ? [first, second] : [first];
  if (all.some(({ at, basis }) => at < row[basis][0])) return null;
  const hasNoBox = all.some(({ at, basis }) => row.box !== undefined && at < row.box[basis][0]);
  const isAsNow = (known: KnownSince | undefined) => all.every(({ at, basis }) => !known || at >= known[basis][1]);
  if (isAsNow(row) && (hasNoBox || isAsNow(row.box))) {
    const present = presentOf(Number(key), row);
    return hasNoBox && present ? { ...present, stats: undefined } : present;
  }
  const then = await gameThen(context, key, first, second);
  return then?.row ? presentOf(Number(key), then.box ? { ...then.row, box: then.box } : then.row) : null;
}
