import { describe, expect, it } from 'vitest';
import { UnknownFileShape } from '../../../src/sources/importing/importer.ts';
import { tennisDataImporter } from '../../../src/sources/tennis-data/importer.ts';
import { csvOf, importText, type Message } from '../importing.ts';

const COLUMNS = (
  'Location,Tournament,Date,Series,Tier,Court,Surface,Round,Best of,Winner,Loser,WRank,LRank,WPts,LPts,W1,L1,' +
  'W2,L2,W3,L3,W4,L4,W5,L5,' +
  'Wsets,Lsets,Comment,B365W,B365L,EXW,EXL,LBW,LBL,PSW,PSL,SJW,SJL,MaxW,MaxL,AvgW,AvgL'
).split(',');
const MATCH = {
  Location: 'Testville',
  Tournament: "Testville Int'l",
  Date: '2014-01-06',
  Court: 'Outdoor',
  Surface: 'Hard',
  Round: '1st Round',
  'Best of': '3',
  Winner: 'Zorn A.',
  Loser: 'Abel B.',
  W1: '6',
  L1: '4',
  W2: '4',
  L2: '6',
  W3: '7',
  L3: '6',
  Wsets: '2',
  Lsets: '1',
  Comment: 'Completed',
};
type Row = Record<string, string>;
const importRows = (rows: Row[], tour: 'ATP' | 'WTA' = 'ATP') =>
  importText(
    tennisDataImporter,
    'x.csv',
    csvOf(
      [tour, ...COLUMNS],
      rows.map((row) => ({ [tour]: '1', ...MATCH, ...row })),
    ),
  );

const NO_SETS = Object.fromEntries(['W1', 'L1', 'W2', 'L2', 'W3', 'L3'].map((column) => [column, '']));
const resultsOf = (messages: Message[]) =>
  messages.map((message) => [
    message.status,
    message.result_type,
    ...message.scores.map((side: { score?: string; is_winner: boolean }) => `${side.score} ${side.is_winner}`),
  ]);

describe('tennis-data', () => {
  it('schedules a match a week before its day, with the players in the order of their names', async () => {
    const { of } = await importRows([{ Series: 'ATP250' }]);
    expect(of('schedule')).toEqual([
      {
        kind: 'schedule',
        source: 'tennis-data',
        at: '2013-12-30T00:00:00Z',
        sport: 'tennis',
        league: 'atp',
        ref: 'atp:2014-01-06:testvilleintl:1stround:abelb:zorna',
        starts_at: '2014-01-06T00:00:00Z',
        starts_at_qualifier: 'tbd',
        participants: [
          { role: 'player_1', ref: 'atp:abelb', name: 'Abel B.' },
          { role: 'player_2', ref: 'atp:zorna', name: 'Zorn A.' },
        ],
        round: '1st Round',
        competition: { name: "Testville Int'l", surface: 'hard', tier: 'atp_250' },
        venue: { name: 'Testville', city: 'Testville' },
        draw_type: 'singles',
      },
    ]);
  });

  it('shows in nothing but the score who won', async () => {
    const won = await importRows([{ B365W: '1.5', B365L: '2.6' }]);
    const lost = await importRows([{ Winner: MATCH.Loser, Loser: MATCH.Winner, B365W: '2.6', B365L: '1.5' }]);
    expect(lost.of('schedule')).toEqual(won.of('schedule'));
    expect(lost.of('odds')).toEqual(won.of('odds'));
    expect(resultsOf([...won.of('score'), ...lost.of('score')])).toEqual([
      ['final', 'regulation', '4 6 6 false', '6 4 7 true'],
      ['final', 'regulation', '6 4 7 true', '4 6 6 false'],
    ]);
  });

  it('orders names without case, accents and punctuation, and knows them again in another spelling', async () => {
    const { of } = await importRows([
      { Winner: 'De Órn-Test J. M.', Loser: 'deort K.' },
      { Winner: 'DE ORN TEST J.M.', Loser: 'Deort K.' },
    ]);
    const refs = of('schedule').map((m) => [m.ref, ...m.participants.map((p: { ref: string }) => p.ref)]);
    expect(refs[0]).toEqual([
      'atp:2014-01-06:testvilleintl:1stround:deorntestjm:deortk',
      'atp:deorntestjm',
      'atp:deortk',
    ]);
    expect(refs[1]).toEqual(refs[0]);
  });

  it('keeps people of one name in the two tours apart', async () => {
    const { of } = await importRows([{ Tier: 'Premier' }], 'WTA');
    expect(of('schedule')[0]).toMatchObject({
      league: 'wta',
      participants: [{ ref: 'wta:abelb' }, { ref: 'wta:zorna' }],
    });
  });

  it('maps the tiers that are certain and no others', async () => {
    const tiers = async (tour: 'ATP' | 'WTA', column: string, names: string[]) =>
      (
        await importRows(
          names.map((name) => ({ [column]: name })),
          tour,
        )
      )
        .of('schedule')
        .map((m) => m.competition.tier);
    expect(
      await tiers('ATP', 'Series', [
        'Grand Slam',
        'Masters 1000',
        'Masters',
        'ATP500',
        'ATP250',
        'Masters Cup',
        'International',
      ]),
    ).toEqual(['grand_slam', 'masters_1000', 'masters_1000', 'atp_500', 'atp_250', undefined, undefined]);
    expect(
      await tiers('WTA', 'Tier', [
        'Grand Slam',
        'WTA1000',
        'WTA500',
        'WTA250',
        'Premier',
        'International',
        'Tour Championships',
        '',
      ]),
    ).toEqual(['grand_slam', 'wta_1000', 'wta_500', 'wta_250', undefined, undefined, undefined, undefined]);
  });

  it('names the surface, indoors too, and leaves out carpet', async () => {
    const grounds = ['Hard Indoor', 'Hard Outdoor', 'Clay Indoor', 'Grass Outdoor', 'Carpet Indoor', ' '];
    const { of } = await importRows(
      grounds.map((ground) => ({ Surface: ground.split(' ')[0]!, Court: ground.split(' ')[1]! })),
    );
    const surfaces = of('schedule').map((message) => message.competition.surface);
    expect(surfaces).toEqual(['indoor_hard', 'hard', 'clay', 'grass', undefined, undefined]);
  });

  it('gives closing prices a second before the start, by player', async () => {
    const { of } = await importRows([
      {
        B365W: '1.5',
        B365L: '2.6',
        EXW: '1.45',
        EXL: '2.65',
        LBW: '',
        LBL: '2.5',
        PSW: '1.52',
        PSL: '2.7',
        MaxW: '1.6',
        MaxL: '3',
      },
    ]);
    expect(of('odds').map(({ bookmaker, at, markets }) => [bookmaker, at, markets])).toEqual(
      [
        [
          'bet365',
          [
            ['player_1', 160],
            ['player_2', -200],
          ],
        ],
        [
          'ex',
          [
            ['player_1', 165],
            ['player_2', -222],
          ],
        ],
        ['lb', [['player_1', 150]]],
        [
          'pinnacle',
          [
            ['player_1', 170],
            ['player_2', -192],
          ],
        ],
      ].map(([bookmaker, prices]) => [
        bookmaker,
        '2014-01-05T23:59:59Z',
        [{ key: 'h2h', outcomes: (prices as [string, number][]).map(([outcome, price]) => ({ outcome, price })) }],
      ]),
    );
  });

  it('drops prices of 1 or less and unreadable ones, and passes over what says that there is none', async () => {
    const { of, notes } = await importRows([
      { B365W: '1', B365L: '21', EXW: '2.,3', EXL: '1.5', PSW: '#N/A', PSL: '1.5', SJW: '0.971', SJL: '13' },
    ]);
    expect(of('odds').map((m) => [m.bookmaker, m.markets[0].outcomes])).toEqual([
      ['pinnacle', [{ outcome: 'player_1', price: -200 }]],
    ]);
    expect(notes.map(({ code, line, message }) => [code, line, message])).toEqual([
      ['price_dropped', 2, 'The h2h market of bet365 was left out: "1" is no decimal price above 1.'],
      ['price_dropped', 2, 'The h2h market of ex was left out: "2.,3" is no decimal price above 1.'],
      ['price_dropped', 2, 'The h2h market of sj was left out: "0.971" is no decimal price above 1.'],
    ]);
  });

  it('tells the result six hours after the start, set by set', async () => {
    const { of } = await importRows([{ W3: '10', L3: '8' }]);
    expect(of('score')).toEqual([
      {
        kind: 'score',
        source: 'tennis-data',
        at: '2014-01-06T06:00:00Z',
        ref: 'atp:2014-01-06:testvilleintl:1stround:abelb:zorna',
        status: 'final',
        result_type: 'regulation',
        scores: [
          {
            role: 'player_1',
            score: '4 6 8',
            period_scores: [
              { period: 'S1', score: 4 },
              { period: 'S2', score: 6 },
              { period: 'S3', score: 8 },
            ],
            is_winner: false,
          },
          {
            role: 'player_2',
            score: '6 4 10',
            period_scores: [
              { period: 'S1', score: 6 },
              { period: 'S2', score: 4 },
              { period: 'S3', score: 10 },
            ],
            is_winner: true,
          },
        ],
      },
    ]);
  });

  it('gives the rankings of a tournament once, from just before the match on that tells them first', async () => {
    const ranked = { WRank: '3', WPts: '4120', LRank: '61', LPts: '' };
    const { of } = await importRows([
      ranked,
      { ...ranked, Date: '2014-01-08', Loser: 'Other C.', LRank: 'NR', LPts: 'N/A' },
      { ...ranked, Date: '2014-01-20', Tournament: 'Other Open', WRank: '2', WPts: '4300' },
    ]);
    const told = { kind: 'player', source: 'tennis-data', sport: 'tennis', league: 'atp' };
    const [zorn, abel] = [
      { ...told, ref: 'atp:zorna', full_name: 'Zorn A.' },
      { ...told, ref: 'atp:abelb', full_name: 'Abel B.' },
    ];
    expect(of('player')).toEqual([
      { ...abel, at: '2014-01-05T23:59:59Z', tennis_ranking: 61 },
      { ...zorn, at: '2014-01-05T23:59:59Z', tennis_ranking: 3, tennis_ranking_points: 4120 },
      { ...abel, at: '2014-01-19T23:59:59Z', tennis_ranking: 61 },
      { ...zorn, at: '2014-01-19T23:59:59Z', tennis_ranking: 2, tennis_ranking_points: 4300 },
    ]);
  });

  it('ends a match early for a retirement, a default and an award, however they are spelled', async () => {
    const comments = ['Retired', 'Retied', 'Awarded', 'Disqualified'];
    const { of } = await importRows(
      comments.map((Comment) => ({ ...NO_SETS, W1: '6', L1: '3', W2: '2', L2: '1', Comment })),
    );
    const retired = ['final', 'retired', '3 1 false', '6 2 true'];
    expect(resultsOf(of('score'))).toEqual([retired, retired, retired, retired]);
  });

  it('gives a walkover no score', async () => {
    const { of } = await importRows([{ ...NO_SETS, Comment: 'Walkover' }, { Comment: 'Walkoer' }]);
    const walkover = ['walkover', 'walkover', 'undefined false', 'undefined true'];
    expect(resultsOf(of('score'))).toEqual([walkover, walkover]);
  });

  it('leaves out sets of which one side alone is known', async () => {
    const { of } = await importRows([
      { ...NO_SETS, W1: '', L1: '3', Wsets: '3', Lsets: '', Comment: 'Retired' },
      { ...NO_SETS, W1: '6', L1: '3', W2: '2', L2: '', Comment: 'Retired' },
    ]);
    expect(resultsOf(of('score'))).toEqual([
      ['final', 'retired', 'undefined false', 'undefined true'],
      ['final', 'retired', '3 false', '6 true'],
    ]);
  });

  it('tells who won where the file has no sets', async () => {
    const text =
      'ATP,Tournament,Date,Round,Winner,Loser,Wsets,Lsets,Comment\n1,Open,2010-01-04,Final,B C.,A D.,2,1,Completed\n';
    const { of } = await importText(tennisDataImporter, 'x.csv', text);
    expect(resultsOf(of('score'))).toEqual([['final', 'regulation', 'undefined false', 'undefined true']]);
  });

  it('judges an unknown comment by the sets', async () => {
    const { of, notes } = await importRows([
      { Comment: 'Sched' },
      { Comment: 'Sched', 'Best of': '5' },
      { ...NO_SETS, Comment: 'Sched', Wsets: '', Lsets: '' },
    ]);
    expect(resultsOf(of('score'))).toEqual([['final', 'regulation', '4 6 6 false', '6 4 7 true']]);
    expect(of('schedule')).toHaveLength(3);
    expect(notes.map(({ code, line }) => [code, line])).toEqual([
      ['result_unclear', 3],
      ['result_unclear', 4],
    ]);
  });

  it('leaves out rows that it cannot read, and refuses files of another shape', async () => {
    const { messages, notes } = await importRows([
      { Date: '' },
      { Winner: '' },
      { Winner: 'Abel B', Loser: 'Abel B.' },
    ]);
    expect([messages.length, notes.map(({ line }) => line)]).toEqual([0, [2, 3, 4]]);
    await expect(importText(tennisDataImporter, 'x.csv', 'Tournament,Winner,Loser\n')).rejects.toThrow(
      UnknownFileShape,
    );
  });
});
