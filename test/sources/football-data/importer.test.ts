import { describe, expect, it } from 'vitest';
import { footballDataImporter } from '../../../src/sources/football-data/importer.ts';
import { UnknownFileShape } from '../../../src/sources/importing/importer.ts';
import { csvOf, importText, type Message } from '../importing.ts';

const CORE = ['Date', 'Time', 'HomeTeam', 'AwayTeam', 'FTHG', 'FTAG', 'FTR', 'HTHG', 'HTAG'];
const MATCH = {
  Date: '12/09/2020',
  Time: '17:30',
  HomeTeam: 'Ashford',
  AwayTeam: 'Brook Town',
  FTHG: '3',
  FTAG: '1',
  HTHG: '1',
  HTAG: '0',
};
type Row = Record<string, string>;

/** Rows with the columns of the division file's core and those that the first row adds. */
const importRows = (rows: Row[], name = 'E0.csv', core = CORE) => {
  const columns = [...new Set([...core, ...rows.flatMap((row) => Object.keys(row))])];
  return importText(
    footballDataImporter,
    name,
    csvOf(
      columns,
      rows.map((row) => ({ ...MATCH, ...row })),
    ),
  );
};
const marketsOf = (messages: Message[]) =>
  messages.map((message) => [
    message.bookmaker,
    message.at,
    ...message.markets.map((market: { key: string; outcomes: { price: number; point?: number }[] }) =>
      [
        market.key,
        ...market.outcomes.map(({ price, point }) => (point === undefined ? price : `${price}@${point}`)),
      ].join(' '),
    ),
  ]);

describe('football-data', () => {
  it('schedules a match a week before its start, which the file gives in London time', async () => {
    const { of } = await importRows([{ Div: 'E0', Season: '2021' }]);
    expect(of('schedule')).toEqual([
      {
        kind: 'schedule',
        source: 'football-data',
        at: '2020-09-05T16:30:00Z',
        sport: 'soccer',
        league: 'epl',
        ref: 'epl:2020-09-12:Ashford:Brook Town',
        season: { year: 2020, phase: 'regular_season' },
        starts_at: '2020-09-12T16:30:00Z',
        participants: [
          { role: 'home', name: 'Ashford' },
          { role: 'away', name: 'Brook Town' },
        ],
      },
    ]);
  });

  it('describes a club once that files name in several ways, with its full name, before its first match', async () => {
    const { messages } = await importRows([
      { Div: 'E0', HomeTeam: 'Man United' },
      { Div: 'E0', HomeTeam: 'Manchester United', AwayTeam: 'Wolves' },
      // The same name in another league is another club.
      { Div: 'D1', HomeTeam: 'Man United' },
    ]);
    const described = messages.filter(({ kind }) => kind === 'team');
    expect(described.map(({ name, league }) => [name, league])).toEqual([
      ['Manchester United', 'epl'],
      ['Wolverhampton Wanderers', 'epl'],
    ]);
    expect(messages[0]).toEqual({
      kind: 'team',
      source: 'football-data',
      at: '2020-09-05T16:30:00Z',
      sport: 'soccer',
      league: 'epl',
      ref: 'Manchester United',
      name: 'Manchester United',
      abbreviation: 'MUN',
      aliases: ['Man United', 'Man Utd'],
    });
  });

  it('reads the dates and times of both generations, and a date without a time', async () => {
    const { of } = await importRows([
      { Date: '05/12/20', Time: '20:00' },
      { Date: '2020-12-05', Time: '20:00:00' },
      { Date: '5/7/1998', Time: '' },
      { Date: '05/07/98', Time: '' },
      { Date: '2020-07-05', Time: '00:15' },
    ]);
    expect(of('schedule').map((m) => [m.starts_at, m.starts_at_qualifier, m.ref.slice(4, 14)])).toEqual([
      ['2020-12-05T20:00:00Z', undefined, '2020-12-05'],
      ['2020-12-05T20:00:00Z', undefined, '2020-12-05'],
      ['1998-07-05T00:00:00Z', 'tbd', '1998-07-05'],
      ['1998-07-05T00:00:00Z', 'tbd', '1998-07-05'],
      ['2020-07-04T23:15:00Z', undefined, '2020-07-05'],
    ]);
  });

  it('gives what both sides did as a final box at the time of the result, without what the row leaves empty', async () => {
    const cells = {
      HS: '14',
      AS: '7',
      HST: '5',
      AST: '',
      HF: '11',
      HC: '6',
      AC: '0',
      HY: '2',
      AY: '1',
      HR: 'x',
      AR: '1',
    };
    const { of } = await importRows([
      cells,
      { ...cells, AwayTeam: 'Unplayed', FTHG: '', FTAG: '' },
      { AwayTeam: 'Unwatched', HS: '' },
      { AwayTeam: 'Half seen', AC: '4' },
    ]);
    expect(of('box')).toEqual([
      {
        kind: 'box',
        source: 'football-data',
        at: of('score')[0]!.at,
        ref: of('score')[0]!.ref,
        final: true,
        teams: {
          home: { shots: 14, shots_on_target: 5, fouls: 11, corners: 6, yellow_cards: 2 },
          away: { shots: 7, corners: 0, yellow_cards: 1, red_cards: 1 },
        },
      },
      expect.objectContaining({ ref: 'epl:2020-09-12:Ashford:Half seen', teams: { away: { corners: 4 } } }),
    ]);
  });

  it('finds the league in the row, else in the name of the file', async () => {
    const divisions = ['E0', 'SP1', 'D1', 'I1', 'F1', ''];
    const { of } = await importRows(
      divisions.map((Div) => ({ Div })),
      'all_E0_0910.csv.gz',
    );
    expect(of('schedule').map((message) => message.league)).toEqual([
      'epl',
      'la_liga',
      'bundesliga',
      'serie_a',
      'ligue_1',
      'epl',
    ]);
    for (const [name, league] of [
      ['x_SP1_2425.csv', 'la_liga'],
      ['folder.E0/mls_2021_2026.csv.gz', 'mls'],
      ['USA_all.csv', 'mls'],
      ['ucl.csv.gz', 'ucl'],
      ['EUROPE_UEFA_CHAMPIONS_LEAGUE_all.csv', 'ucl'],
    ] as const) {
      const file = await importRows([{}], name);
      expect([name, file.of('schedule')[0]!.league]).toEqual([name, league]);
    }
  });

  it('refuses files whose league nothing tells, and files of other shapes', async () => {
    for (const name of ['results.csv', 'D1_and_F1.csv', 'FD10.csv']) {
      await expect(importRows([{}], name)).rejects.toThrow(UnknownFileShape);
    }
    await expect(importRows([{ Div: 'E1' }], 'E1.csv')).rejects.toThrow(UnknownFileShape);
    await expect(importText(footballDataImporter, 'E0.csv', 'Date,Home,Away\n')).rejects.toThrow(UnknownFileShape);
  });

  it('takes the season from its column, else from the date', async () => {
    const july = { Date: '26/07/2020', Time: '' };
    const seasons = ['1920', '2019/2020', '2019-20', '2019', '', '9900', '2021'];
    const { of } = await importRows(seasons.map((Season) => ({ ...july, Season })));
    expect(of('schedule').map((message) => message.season.year)).toEqual([2019, 2019, 2019, 2019, 2020, 1999, 2020]);
  });

  it('leaves the season and the kind of result open where play-offs and extra time are possible', async () => {
    for (const name of ['ucl.csv', 'mls.csv']) {
      const { of } = await importRows([{}], name);
      expect([of('schedule')[0]!.season, of('score')[0]!.result_type]).toEqual([undefined, undefined]);
    }
  });

  it('tells the final six hours after the start, with its halves', async () => {
    const { of } = await importRows([{ FTHG: '3.0', FTAG: '1.0', HTHG: '1.0', HTAG: '0.0' }]);
    expect(of('score')).toEqual([
      {
        kind: 'score',
        source: 'football-data',
        at: '2020-09-12T22:30:00Z',
        ref: 'epl:2020-09-12:Ashford:Brook Town',
        status: 'final',
        result_type: 'regulation',
        scores: [
          {
            role: 'home',
            score: '3',
            period_scores: [
              { period: '1H', score: 1 },
              { period: '2H', score: 2 },
            ],
          },
          {
            role: 'away',
            score: '1',
            period_scores: [
              { period: '1H', score: 0 },
              { period: '2H', score: 1 },
            ],
          },
        ],
      },
    ]);
  });

  it('leaves out halves that are not known or cannot be', async () => {
    const { of, notes } = await importRows([{ HTHG: '', HTAG: '' }, { HTHG: '4' }]);
    expect(of('score').map((message) => message.scores[0])).toEqual([
      { role: 'home', score: '3' },
      { role: 'home', score: '3' },
    ]);
    expect(notes.map(({ code, line }) => [code, line])).toEqual([['half_time_dropped', 3]]);
  });

  it('gives opening prices a day before the start and closing ones a second before, a message for each bookmaker', async () => {
    const { of } = await importRows([
      {
        B365H: '1.5',
        B365D: '4.2',
        B365A: '6.5',
        VCH: '1.55',
        VCD: '4',
        VCA: '6',
        GBH: '1.5',
        GBD: '4',
        GBA: '7',
        PSH: '1.51',
        PSD: '4.3',
        PSA: '6.9',
        PSCH: '1.48',
        PSCD: '4.5',
        PSCA: '7.2',
        VCCH: '2',
        VCCD: '3',
        VCCA: '4',
        MaxH: '1.6',
        MaxD: '4.5',
        MaxA: '8',
        AvgH: '1.5',
        AvgD: '4',
        AvgA: '7',
        MaxCH: '2',
        MaxCD: '3',
        MaxCA: '4',
        BbMxH: '1.6',
        BbMxD: '4.5',
        BbMxA: '8',
        BbAvH: '1.5',
        BbAvD: '4',
        BbAvA: '7',
        'BbMx>2.5': '2',
        'BbMx<2.5': '2',
        BWH: '',
        BWD: '',
        BWA: '',
        HS: '9',
        AS: '3',
        HC: '5',
        AC: '2',
        HF: '1',
        AF: '2',
      },
    ]);
    expect(marketsOf(of('odds'))).toEqual([
      ['bet365', '2020-09-11T16:30:00Z', 'h2h -200 320 550'],
      ['betvictor', '2020-09-11T16:30:00Z', 'h2h -182 300 500'],
      ['gb', '2020-09-11T16:30:00Z', 'h2h -200 300 600'],
      ['pinnacle', '2020-09-11T16:30:00Z', 'h2h -196 330 590'],
      ['pinnacle', '2020-09-12T16:29:59Z', 'h2h -208 350 620'],
      ['betvictor', '2020-09-12T16:29:59Z', 'h2h 100 200 300'],
    ]);
    expect(of('odds')[0]!.markets[0].outcomes.map((outcome: { outcome: string }) => outcome.outcome)).toEqual([
      'home',
      'draw',
      'away',
    ]);
  });

  it.each([
    ['>2.5', '<2.5'],
    ['_2_5', '_2_5_1'],
  ])('reads totals under the headers %s and %s, and handicaps', async (over, under) => {
    const { of } = await importRows([
      {
        PSH: '2',
        PSD: '3',
        PSA: '4',
        [`P${over}`]: '1.8',
        [`P${under}`]: '2.1',
        [`PC${over}`]: '1.9',
        [`PC${under}`]: '2',
        [`B365${over}`]: '1.75',
        [`B365${under}`]: '2.05',
        AHh: '-0.75',
        PAHH: '1.9',
        PAHA: '2.02',
        AHCh: '0',
        PCAHH: '1.5',
        PCAHA: '2.6',
        MaxAHH: '2',
        MaxAHA: '2',
        [`Max${over}`]: '2',
        [`Max${under}`]: '2',
      },
    ]);
    expect(marketsOf(of('odds'))).toEqual([
      ['pinnacle', '2020-09-11T16:30:00Z', 'h2h 100 200 300', 'spreads -111@-0.75 102@0.75', 'totals -125@2.5 110@2.5'],
      ['bet365', '2020-09-11T16:30:00Z', 'totals -133@2.5 105@2.5'],
      ['pinnacle', '2020-09-12T16:29:59Z', 'spreads -200@0 160@0', 'totals -111@2.5 100@2.5'],
    ]);
  });

  it('uses a handicap of the bookmaker own, as files before 2019 have it', async () => {
    const { of } = await importRows([{ GBAHH: '1.9', GBAHA: '2', GBAH: '-0.5', AHh: '-1' }]);
    expect(marketsOf(of('odds'))).toEqual([['gb', '2020-09-11T16:30:00Z', 'spreads -111@-0.5 100@0.5']]);
  });

  it('drops only the market with a price of 1 or less, or with none that can be read', async () => {
    const { of, notes } = await importRows([
      {
        B365H: '1',
        B365D: '9',
        B365A: '20',
        'B365>2.5': '1.5',
        'B365<2.5': '2.5',
        IWH: '1.2',
        IWD: '',
        IWA: '8',
        BWH: '2.,3',
        BWD: '3',
        BWA: '4',
      },
      { B365H: '#N/A', B365D: '-', B365A: '', 'B365>2.5': '0.97', 'B365<2.5': '2.5' },
      { PAHH: '1.9', PAHA: '2' },
    ]);
    expect(marketsOf(of('odds'))).toEqual([
      ['bet365', '2020-09-11T16:30:00Z', 'totals -200@2.5 150@2.5'],
      ['interwetten', '2020-09-11T16:30:00Z', 'h2h -500 700'],
    ]);
    expect(notes.map(({ code, line }) => [code, line])).toEqual([
      ['price_dropped', 2],
      ['price_dropped', 2],
      ['price_dropped', 3],
      ['line_missing', 4],
    ]);
    expect(notes[0]!.message).toBe('The h2h market of bet365 was left out: "1" is no decimal price above 1.');
  });

  it('gives no result for a match to come, and its prices', async () => {
    const { messages } = await importRows([
      { FTHG: '', FTAG: '', HTHG: '', HTAG: '', B365H: '2', B365D: '3', B365A: '4' },
    ]);
    expect(messages.map((message) => message.kind)).toEqual(['schedule', 'odds']);
  });

  it('passes over empty rows, and says which rows it cannot read', async () => {
    const empty = Object.fromEntries(Object.keys(MATCH).map((column) => [column, '']));
    const { of, notes } = await importRows([
      { Div: 'E0', Season: '2021' },
      { ...empty, Season: '2021' },
      { Div: 'E0', Date: '31/02/2021' },
      { Div: 'E0', AwayTeam: '' },
      { Div: 'E1' },
    ]);
    expect(of('schedule')).toHaveLength(1);
    expect(notes.map(({ code, line }) => [code, line])).toEqual([
      ['row_unreadable', 4],
      ['row_unreadable', 5],
      ['league_unknown', 6],
    ]);
  });
});
