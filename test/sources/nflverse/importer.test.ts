import { describe, expect, it } from 'vitest';
import { UnknownFileShape } from '../../../src/sources/importing/importer.ts';
import { nflverseImporter } from '../../../src/sources/nflverse/importer.ts';
import { csvOf, importText } from '../importing.ts';

const COLUMNS = (
  'game_id,season,game_type,week,gameday,weekday,gametime,away_team,away_score,home_team,home_score,location,result,' +
  'total,overtime,old_game_id,gsis,nfl_detail_id,pfr,pff,espn,ftn,away_moneyline,home_moneyline,spread_line,' +
  'away_spread_odds,home_spread_odds,total_line,under_odds,over_odds,roof,surface,away_qb_id,home_qb_id,away_qb_name,home_qb_name,stadium'
).split(',');

const GAME = {
  game_id: '2018_03_BUF_DET',
  season: '2018',
  game_type: 'REG',
  week: '3',
  gameday: '2018-09-23',
  gametime: '13:00',
  away_team: 'BUF',
  away_score: '17',
  home_team: 'DET',
  home_score: '24',
  location: 'Home',
  overtime: '0',
  gsis: '57001',
  pfr: '201809230det',
  pff: '9001.0',
  espn: '401000001',
  away_moneyline: '150.0',
  home_moneyline: '-170.0',
  spread_line: '3.5',
  away_spread_odds: '-105.0',
  home_spread_odds: '-115.0',
  total_line: '44.0',
  under_odds: '-108.0',
  over_odds: '-112.0',
  roof: 'dome',
  surface: 'fieldturf ',
  away_qb_id: '',
  home_qb_id: '',
  away_qb_name: '',
  home_qb_name: '',
  stadium: 'Test Field',
};
type Game = Partial<Record<keyof typeof GAME, string>>;
const importGames = (...games: Game[]) =>
  importText(
    nflverseImporter,
    'games.csv',
    csvOf(
      COLUMNS,
      games.map((game) => ({ ...GAME, ...game })),
    ),
  );

describe('nflverse', () => {
  it('schedules a game a week before its start, which the file gives in US Eastern', async () => {
    const { of } = await importGames({});
    expect(of('schedule')).toEqual([
      {
        kind: 'schedule',
        source: 'nflverse',
        at: '2018-09-16T17:00:00Z',
        sport: 'nfl',
        league: 'nfl',
        ref: '2018_03_BUF_DET',
        refs: { espn: '401000001', gsis: '57001', pfr: '201809230det', pff: '9001' },
        season: { year: 2018, phase: 'regular_season' },
        starts_at: '2018-09-23T17:00:00Z',
        starts_at_qualifier: 'exact',
        participants: [
          { role: 'home', ref: 'DET', name: 'Detroit Lions', abbreviation: 'DET' },
          { role: 'away', ref: 'BUF', name: 'Buffalo Bills', abbreviation: 'BUF' },
        ],
        round: 'Week 3',
        neutral_site: false,
        venue: { name: 'Test Field', roof_type: 'dome', surface: 'fieldturf' },
      },
    ]);
  });

  it('knows summer from winter time, and a date without a time', async () => {
    const { of } = await importGames(
      { gameday: '2018-11-04', gametime: '13:00' },
      { gameday: '2018-11-04', gametime: '' },
      { gameday: '2018-11-04', gametime: 'NA' },
    );
    expect(of('schedule').map((message) => [message.starts_at, message.starts_at_qualifier])).toEqual([
      ['2018-11-04T18:00:00Z', 'exact'],
      ['2018-11-04T00:00:00Z', 'tbd'],
      ['2018-11-04T00:00:00Z', 'tbd'],
    ]);
  });

  it('gives the closing prices of consensus a second before the start, with the home side first in the line', async () => {
    const { of } = await importGames({}, { spread_line: '-0.0' });
    expect(of('odds')[0]).toEqual({
      kind: 'odds',
      source: 'nflverse',
      at: '2018-09-23T16:59:59Z',
      ref: '2018_03_BUF_DET',
      bookmaker: 'consensus',
      markets: [
        {
          key: 'h2h',
          outcomes: [
            { outcome: 'home', price: -170 },
            { outcome: 'away', price: 150 },
          ],
        },
        {
          key: 'spreads',
          outcomes: [
            { outcome: 'home', price: -115, point: -3.5 },
            { outcome: 'away', price: -105, point: 3.5 },
          ],
        },
        {
          key: 'totals',
          outcomes: [
            { outcome: 'over', price: -112, point: 44 },
            { outcome: 'under', price: -108, point: 44 },
          ],
        },
      ],
    });
    const points = of('odds')[1]!.markets[1].outcomes.map((outcome: { point: number }) => outcome.point);
    expect(points).toEqual([0, 0]);
  });

  it('leaves out what has no price, and says so only where the row has others', async () => {
    const none = { away_moneyline: '', home_moneyline: 'NA' };
    const unpriced = { ...none, away_spread_odds: '', home_spread_odds: '', under_odds: '', over_odds: '' };
    const { of, notes } = await importGames(
      unpriced,
      { ...none, away_spread_odds: '' },
      { under_odds: '', over_odds: '', home_moneyline: '-99' },
      { spread_line: '' },
    );
    const seen = of('odds').map((message) =>
      message.markets.map((market: { key: string; outcomes: unknown[] }) => `${market.key} ${market.outcomes.length}`),
    );
    expect(seen).toEqual([['spreads 1', 'totals 2'], ['spreads 2'], ['h2h 2', 'totals 2']]);
    expect(notes.map(({ code, line }) => [code, line])).toEqual([
      ['price_dropped', 4],
      ['line_without_price', 4],
      ['line_missing', 5],
    ]);
  });

  it('names the quarterbacks who started a second before the start', async () => {
    const { of } = await importGames(
      { home_qb_id: '00-01', home_qb_name: 'Al Home', away_qb_id: 'NA', away_qb_name: 'Bo Away' },
      { home_qb_name: 'NA', away_qb_name: 'Bo Away' },
      { home_qb_name: 'NA' },
    );
    const told = { kind: 'lineup', source: 'nflverse', at: '2018-09-23T16:59:59Z', ref: '2018_03_BUF_DET', teams: {} };
    expect(of('lineup')).toEqual([
      { ...told, probable_starters: { home: { ref: '00-01', name: 'Al Home' }, away: { name: 'Bo Away' } } },
      { ...told, probable_starters: { away: { name: 'Bo Away' } } },
    ]);
  });

  it('tells the final six hours after the start, overtime and ties included', async () => {
    const { of } = await importGames({}, { overtime: '1', home_score: '17.0' });
    expect(of('score')).toEqual([
      {
        kind: 'score',
        source: 'nflverse',
        at: '2018-09-23T23:00:00Z',
        ref: '2018_03_BUF_DET',
        status: 'final',
        result_type: 'regulation',
        scores: [
          { role: 'home', score: '24', is_winner: true },
          { role: 'away', score: '17', is_winner: false },
        ],
      },
      expect.objectContaining({
        result_type: 'overtime',
        scores: [
          { role: 'home', score: '17', is_winner: false },
          { role: 'away', score: '17', is_winner: false },
        ],
      }),
    ]);
  });

  it('only schedules a game that has no result', async () => {
    const { messages } = await importGames({ home_score: 'NA', away_score: 'NA' });
    expect(messages.map((message) => message.kind)).toEqual(['team', 'team', 'schedule']);
  });

  it('names phases, rounds and neutral grounds', async () => {
    const { of } = await importGames(
      { game_type: 'PRE', week: '2' },
      { game_type: 'WC', week: '18' },
      { game_type: 'DIV' },
      { game_type: 'CON' },
      { game_type: 'SB', location: 'Neutral' },
    );
    expect(of('schedule').map((message) => [message.season.phase, message.round, message.neutral_site])).toEqual([
      ['preseason', 'Preseason Week 2', false],
      ['playoffs', 'Wild Card', false],
      ['playoffs', 'Divisional Round', false],
      ['playoffs', 'Conference Championship', false],
      ['playoffs', 'Super Bowl', true],
    ]);
  });

  it('keeps a franchise one team through codes, moves and names', async () => {
    const { of } = await importGames(
      { season: '2015', home_team: 'STL', away_team: 'SD' },
      { season: '2016', home_team: 'LA', away_team: 'OAK' },
      { season: '2019', home_team: 'LAR', away_team: 'WSH' },
      { season: '2020', home_team: 'LV', away_team: 'WAS' },
      { season: '2022', home_team: 'LAC', away_team: 'WAS' },
    );
    const sides = of('schedule').flatMap((message) =>
      message.participants.map(
        (p: { ref: string; name: string; abbreviation: string }) => `${p.ref} ${p.abbreviation} ${p.name}`,
      ),
    );
    expect(sides).toEqual([
      'LAR STL St. Louis Rams',
      'LAC SD San Diego Chargers',
      'LAR LA Los Angeles Rams',
      'LV OAK Oakland Raiders',
      'LAR LAR Los Angeles Rams',
      'WAS WSH Washington Redskins',
      'LV LV Las Vegas Raiders',
      'WAS WAS Washington Football Team',
      'LAC LAC Los Angeles Chargers',
      'WAS WAS Washington Commanders',
    ]);
    const washington = of('team').filter((message) => message.ref === 'WAS');
    expect(washington.map((message) => [message.name, message.abbreviation, message.aliases])).toEqual([
      ['Washington Redskins', 'WSH', ['Washington Commanders', 'Washington Football Team', 'WAS']],
      ['Washington Football Team', 'WAS', ['Washington Commanders', 'Washington Redskins', 'WSH']],
      ['Washington Commanders', 'WAS', ['Washington Football Team', 'Washington Redskins', 'WSH']],
    ]);
  });

  it('names each team once for each spelling', async () => {
    const { of } = await importGames({}, {}, {});
    expect(of('team').map((message) => message.name)).toEqual(['Detroit Lions', 'Buffalo Bills']);
  });

  it('leaves out rows that it cannot read, with their line', async () => {
    const { messages, notes } = await importGames(
      { gameday: '2018-13-01' },
      { gametime: 'noon' },
      { game_id: '' },
      { away_team: 'XYZ' },
    );
    expect(messages).toEqual([]);
    expect(notes.map(({ code, line }) => [code, line])).toEqual([
      ['row_unreadable', 2],
      ['row_unreadable', 3],
      ['row_unreadable', 4],
      ['team_unknown', 5],
    ]);
    expect(notes[3]!.message).toContain('"XYZ"');
  });

  it('refuses a file of another shape', async () => {
    await expect(importText(nflverseImporter, 'x.csv', 'Date,HomeTeam\n')).rejects.toThrow(UnknownFileShape);
    await expect(importText(nflverseImporter, 'x.csv', '')).rejects.toThrow(UnknownFileShape);
  });
});
