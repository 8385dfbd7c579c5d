import { formatTime, parseTime } from '../../domain/primitives/time.ts';
import { createImportNotes } from '../importing/import-notes.ts';
import type { ImportItem, ImportOptions } from '../importing/importer.ts';
import type { KnownStarts } from '../importing/known-starts.ts';
import { type NflTeam, nflTeam } from '../nflverse/nfl-teams.ts';
import { assumedClosingTime, assumedOpeningTime } from '../parsing/assumed-times.ts';
import { type CsvFile, cellNumber } from '../parsing/csv.ts';
import { marketMessages, type PriceTimes } from './market-messages.ts';
import type { PriceRow } from './price-rows.ts';

/** Columns of a file of NFL game lines. Its rows have season, week and team codes, but no start. */
export const GAME_LINE_COLUMNS = [
  'line_type',
  'event_id',
  'book_id',
  'period',
  'side',
  'value',
  'odds',
  'team',
  'season',
];

interface Game {
  readonly ref: string;
  readonly season: number;
  readonly week: number | undefined;
  /** When the rows were collected (milliseconds). */
  readonly collected: number | undefined;
  /** The team codes of the rows that state their side. */
  readonly codes: { home?: string; away?: string };
  readonly rows: (Omit<PriceRow, 'team'> & { readonly code: string })[];
}

/** In 2021 the regular season grew from 17 weeks to 18. */
const lastRegularWeek = (season: number): number => (season >= 2021 ? 18 : 17);

/**
 * The odds and splits of every game. If the start is known from elsewhere, messages are timed by the start and also
 * name the game by `match`. Otherwise they carry only the source's id, and the one time in the rows: when they were
 * collected, years after the games. Opening prices are then left out, because that time would make them the latest.
 */
export async function* gameLines(csv: CsvFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const notes = createImportNotes();
  for (const game of await readGames(csv)) {
    const home = nflTeam(game.codes.home ?? '', game.season);
    const away = nflTeam(game.codes.away ?? '', game.season);
    if (!home || !away || game.week === undefined) {
      notes.add('unknown_teams', `Game ${game.ref} was left out: its sides are no teams of the NFL.`);
      continue;
    }
    const startsAt = await startOf(game, home, away, options.starts);
    const event = startsAt === undefined ? { ref: game.ref } : { ref: game.ref, match: matchOf(startsAt, home, away) };
    const moments = priceTimesOf(startsAt, game.collected);
    if (!moments) {
      notes.add('start_unknown', 'A game was left out: neither its start is known nor when its rows were collected.');
      continue;
    }
    if (startsAt === undefined) {
      notes.add(
        'start_unknown',
        'A game is named by its id alone, at the time its rows were collected and without opening prices: the file ' +
          'holds no start, and none is known for its season, week and teams. A schedule of that season tells it.',
      );
    }
    const rows = game.rows.map(({ code, ...row }): PriceRow => ({ ...row, team: sideOf(code, game) }));
    for (const message of marketMessages(event, { ...moments, sport: 'nfl' }, rows, notes)) yield { message };
    yield* notes.drain();
  }
  yield* notes.drain();
}

async function readGames(csv: CsvFile): Promise<Game[]> {
  const games = new Map<string, Game>();
  for await (const row of csv.rows) {
    const ref = row.get('event_id');
    let game = games.get(ref);
    if (!game) {
      const [season, week] = [Number(row.get('season')), cellNumber(row.get('week'))];
      const collected = parseTime(row.get('last_updated')) ?? undefined;
      game = { ref, season, week, collected, codes: {}, rows: [] };
      games.set(ref, game);
    }
    const [side, code] = [row.get('side'), row.get('team')];
    if ((side === 'home' || side === 'away') && code !== '') game.codes[side] ??= code;
    game.rows.push({
      book: row.get('book_id'),
      type: row.get('line_type'),
      period: row.get('period'),
      side,
      value: cellNumber(row.get('value')),
      odds: cellNumber(row.get('odds')),
      live: false,
      tickets: cellNumber(row.get('tickets_percent')),
      money: cellNumber(row.get('money_percent')),
      code,
    });
  }
  return [...games.values()];
}

const sideOf = (code: string, { codes }: Game): PriceRow['team'] =>
  code !== '' && code === codes.home ? 'home' : code !== '' && code === codes.away ? 'away' : undefined;

const startOf = async (game: Game, home: NflTeam, away: NflTeam, starts: KnownStarts | undefined) =>
  starts?.ofGame({
    sport: 'nfl',
    league: 'nfl',
    season: game.season,
    phase: game.week! <= lastRegularWeek(game.season) ? 'regular_season' : 'playoffs',
    home: [home.name, ...home.aliases],
    away: [away.name, ...away.aliases],
  });

const matchOf = (startsAt: number, home: NflTeam, away: NflTeam) => ({
  sport: 'nfl',
  league: 'nfl',
  starts_at: formatTime(startsAt),
  home: home.name,
  away: away.name,
});

function priceTimesOf(startsAt: number | undefined, collected: number | undefined): PriceTimes | undefined {
  if (startsAt !== undefined) return { opening: assumedOpeningTime(startsAt), latest: assumedClosingTime(startsAt) };
  return collected === undefined ? undefined : { latest: formatTime(collected) };
}
