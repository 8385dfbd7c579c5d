import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { DateTime } from 'luxon';
import { expect, it } from 'vitest';
import { findClub } from '../../../src/sources/football-data/club-names.ts';
import type { Contestant, Game, Side } from '../../api/statistics/oracle/game.ts';
import { statsAnswer } from '../../api/statistics/oracle/stats-answer.ts';
import { temporaryFolder } from '../../server/cli/launching.ts';
import { bare } from './api-answers.ts';
import { type Ask, data, describeWithData, importAll, listEvents, serve } from './real-data-files.ts';

const timeout = 10 * 60_000;
const HOUR = 3_600_000;

type Row = Readonly<Record<string, string>>;

/** The rows of a file, by an own reader of such files. */
const rowsOf = (...path: string[]): Row[] =>
  parse(gunzipSync(readFileSync(data(...path))), { columns: true, relax_column_count: true, bom: true });

/** A file of some rows of another, with all its columns. */
function fileOf(folder: string, name: string, rows: readonly Row[]): string {
  const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))];
  writeFileSync(join(folder, name), lines.map((cells) => cells.map(quoted).join(',')).join('\n'));
  return join(folder, name);
}

/** Who plays, as the server numbers and names it. */
const contestant = ({ team, player }: any): Contestant => ({
  id: (team ?? player).id,
  name: (team ?? player).name,
  abbreviation: null,
  country_code: null,
  image_url: null,
  fifa_rank: null,
  conference: null,
  ranking: null,
  ranking_points: null,
});

/** Every match's answer is what the independent calculation makes of the rows. */
async function compare(ask: Ask, games: readonly Game[]): Promise<void> {
  for (const { eventId } of games) {
    const answer = await ask(`/v1/events/${eventId}/stats`);
    expect(answer, `event ${eventId}`).toEqual(statsAnswer(games, eventId));
  }
}

const SHEET = [
  ['shots', 'HS', 'AS'],
  ['shots_on_target', 'HST', 'AST'],
  ['fouls', 'HF', 'AF'],
  ['corners', 'HC', 'AC'],
  ['yellow_cards', 'HY', 'AY'],
  ['red_cards', 'HR', 'AR'],
] as const;

function soccerGame(row: Row, league: string, events: ReadonlyMap<string, any>): Game {
  const cell = (name: string): string => row[name] ?? '';
  const [day, month, year] = cell('Date').split('/').map(Number);
  const date = { day: day!, month: month!, year: year! < 100 ? 2000 + year! : year! };
  const [hour, minute] = cell('Time').split(':').map(Number);
  const zoned = cell('Time') === '' ? { zone: 'utc' } : { zone: 'Europe/London' };
  const start = DateTime.fromObject({ ...date, hour: hour || 0, minute: minute ?? 0 }, zoned).toMillis();
  const starts_at = new Date(start).toISOString().replace('.000Z', 'Z');
  const [home, away] = ['HomeTeam', 'AwayTeam'].map((side) => {
    const name = cell(side);
    return findClub({ slug: league }, name) ?? { name, abbreviation: null };
  });
  const event = events.get(`${home!.name} ${away!.name} ${starts_at}`);
  const statsOf = (index: 1 | 2) =>
    Object.fromEntries(
      SHEET.filter((line) => cell(line[index]) !== '').map((line) => [line[0], Number(cell(line[index]))]),
    );
  return {
    eventId: event.id,
    sport: 'soccer',
    league,
    season: 2000 + Number(cell('Season').slice(0, 2)),
    phase: 'regular_season',
    starts_at,
    ended_at: new Date(start + 6 * HOUR).toISOString(),
    status: 'final',
    home: { ...contestant(event.participants[0]), abbreviation: home!.abbreviation },
    away: { ...contestant(event.participants[1]), abbreviation: away!.abbreviation },
    scores: { home: cell('FTHG'), away: cell('FTAG') },
    period_scores: { home: [], away: [] },
    result_type: 'regulation',
    winner: null,
    neutral_site: false,
    surface: null,
    round: null,
    draw_type: null,
    box: { final: true, teams: { home: statsOf(1), away: statsOf(2) }, players: [] },
    lineup: {},
  };
}

describeWithData('statistics of football-data', () => {
  it('are what an independent calculation makes of the rows', { timeout }, async () => {
    const parts = [
      { league: 'epl', division: 'E0', seasons: ['1920'] },
      { league: 'la_liga', division: 'SP1', seasons: ['2021'] },
    ].map((part) => ({
      ...part,
      rows: rowsOf('soccer', `football_data_${part.division}_0910_2324.csv.gz`).filter((row) =>
        part.seasons.includes(row['Season']!),
      ),
    }));
    const into = temporaryFolder();
    const files = parts.map(({ division, rows }) => fileOf(temporaryFolder(), `${division}.csv`, rows));
    expect((await importAll(into, { source: 'football-data', files })).report).toMatchObject({ rejected: 0 });
    const { ask } = await serve(into);

    const games: Game[] = [];
    for (const { league, rows } of parts) {
      const listed = await listEvents(ask, { league, include_scores: true });
      const named = (event: any) => event.participants.map(({ team }: any) => team.name).join(' ');
      const events = new Map(listed.map((event) => [`${named(event)} ${event.starts_at}`, event]));
      games.push(...rows.map((row) => soccerGame(row, league, events)));
      expect(listed).toHaveLength(rows.length);
    }

    expect(games).toHaveLength(2 * 380);
    await compare(ask, games);
  });
});

type Ranks = ReadonlyMap<string, Pick<Contestant, 'ranking' | 'ranking_points'>>;

/** What the newest row of each player tells of his ranking: the directory knows him as of now, whatever the match. */
function ranksOf(rows: readonly Row[]): Ranks {
  const ranks = new Map<string, Pick<Contestant, 'ranking' | 'ranking_points'>>();
  for (const row of [...rows].sort((a, b) => Date.parse(a['Date']!) - Date.parse(b['Date']!))) {
    for (const [name, letter] of [['Winner', 'W'] as const, ['Loser', 'L'] as const]) {
      const [ranking, ranking_points] = [Number(row[`${letter}Rank`]), Number(row[`${letter}Pts`])];
      if (ranking > 0) ranks.set(bare(row[name]!), { ranking, ranking_points });
    }
  }
  return ranks;
}

function tennisGame(row: Row, event: any, ranks: Ranks): Game {
  const cell = (name: string): string => row[name] ?? '';
  const first = bare(event.participants[0].player.name) === bare(cell('Winner')) ? 'W' : 'L';
  const letters: Readonly<Record<Side, string>> = { home: first, away: first === 'W' ? 'L' : 'W' };
  const isWalkover = cell('Comment') === 'Walkover';
  const sets = isWalkover
    ? []
    : [1, 2, 3, 4, 5].filter((set) => cell(`W${set}`).trim() !== '' && cell(`L${set}`).trim() !== '');
  const gamesOf = (side: Side) => sets.map((set) => cell(`${letters[side]}${set}`)).join(' ') || null;
  const indoors = cell('Court') === 'Indoor' && cell('Surface') === 'Hard';
  const start = Date.parse(`${cell('Date')}T00:00:00Z`);
  return {
    eventId: event.id,
    sport: 'tennis',
    league: 'atp',
    season: new Date(start).getUTCFullYear(),
    phase: null,
    starts_at: new Date(start).toISOString(),
    ended_at: isWalkover ? null : new Date(start + 6 * HOUR).toISOString(),
    status: isWalkover ? 'walkover' : 'final',
    home: { ...contestant(event.participants[0]), ...ranks.get(bare(event.participants[0].player.name)) },
    away: { ...contestant(event.participants[1]), ...ranks.get(bare(event.participants[1].player.name)) },
    scores: { home: gamesOf('home'), away: gamesOf('away') },
    period_scores: { home: [], away: [] },
    result_type: cell('Comment') === 'Completed' ? 'regulation' : 'retired',
    winner: first === 'W' ? 'home' : 'away',
    neutral_site: false,
    round: cell('Round'),
    draw_type: 'singles',
    surface: indoors ? 'indoor_hard' : cell('Surface').toLowerCase(),
    box: null,
    lineup: {},
  };
}

describeWithData('statistics of tennis-data', () => {
  it('are what an independent calculation makes of the rows', { timeout }, async () => {
    // Left out: a final set won by 13-12 (see `long-final-sets.test.ts`), and a row whose sets make no whole match.
    const rows = rowsOf('tennis', 'td_atp_2019.csv.gz').filter(
      (row) => row['L5'] !== '12' && !(row['Comment'] === 'Completed' && row['Wsets'] === '0'),
    );
    const into = temporaryFolder();
    const files = [fileOf(temporaryFolder(), 'td_atp_2019.csv', rows)];
    expect((await importAll(into, { source: 'tennis-data', files })).report).toMatchObject({ rejected: 0 });
    const { ask } = await serve(into);

    const listed = await listEvents(ask, { league: 'atp', include_scores: true });
    const keyOf = (day: string, names: readonly string[]) => [day.slice(0, 10), ...names.map(bare).sort()].join(' ');
    const playersOf = ({ participants }: any) => participants.map(({ player }: any) => player.name);
    const events = new Map(listed.map((event) => [keyOf(event.starts_at, playersOf(event)), event]));
    const ranks = ranksOf(rows);
    const games = rows.map((row) =>
      tennisGame(row, events.get(keyOf(row['Date']!, [row['Winner']!, row['Loser']!])), ranks),
    );

    expect(new Set(games.map(({ eventId }) => eventId)).size).toBe(listed.length);
    for (const comment of ['Retired', 'Walkover']) expect(rows.some((row) => row['Comment'] === comment)).toBe(true);
    await compare(ask, games);
  });
});
