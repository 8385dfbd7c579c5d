import { describe, expect, it } from 'vitest';
import { requestOf } from './request-of-text.ts';

/** Sunday. */
const NOW = '2026-03-01T12:00:00Z';

type Row = [text: string, search: string, unknown?: string];

/** @param unknown the words that are not understood, separated by spaces */
const said = (rows: readonly Row[], now = NOW) =>
  it.each(rows)('%j', (text, search, unknown = '') => {
    expect(requestOf(text, now)).toEqual([search, unknown === '' ? [] : unknown.split(' ')]);
  });

describe('sports', () => {
  said([
    ['nfl', 'sport=nfl'],
    ['NBA', 'sport=nba'],
    ['Mlb', 'sport=mlb'],
    ['nhl', 'sport=nhl'],
    ['tennis', 'sport=tennis'],
    ['soccer', 'sport=soccer'],
    ['ncaaf', 'sport=ncaaf'],
    ['ncaab', 'sport=ncaab'],
    ['hockey', 'sport=nhl'],
    ['ice hockey', 'sport=nhl'],
    ['Ice-Hockey', 'sport=nhl'],
    ['ice', '', 'ice'],
    ['field hockey', 'sport=nhl', 'field'],
    ['basketball', 'sport=nba'],
    ['baseball', 'sport=mlb'],
    ['american football', 'sport=nfl'],
    ['american', '', 'american'],
    ['american soccer', 'sport=soccer', 'american'],
    ['college football', 'sport=ncaaf'],
    ['ncaa football', 'sport=ncaaf'],
    ['college basketball', 'sport=ncaab'],
    ['ncaa basketball', 'sport=ncaab'],
    ['college', '', 'college'],
    ['college basketball or basketball', 'sport=ncaab', 'basketball'],
    ['college of football', '', 'college football'],
    ['football', '', 'football'],
    ['nba nba basketball', 'sport=nba'],
    ['nfl nba nfl mlb nba', 'sport=nfl', 'nba mlb'],
    ['american football, college football', 'sport=nfl', 'college football'],
    ['hockeys', '', 'hockeys'],
    ['__proto__ constructor', '', 'proto constructor'],
    ['toString hasOwnProperty', '', 'tostring hasownproperty'],
  ]);
});

describe('leagues', () => {
  said([
    ['epl', 'league=epl'],
    ['Premier League', 'league=epl'],
    ['premier-league', 'league=epl'],
    ['the premier', '', 'premier'],
    ['league', '', 'league'],
    ['premier leagues', '', 'premier leagues'],
    ['la liga', 'league=la_liga'],
    ['La_Liga', 'league=la_liga'],
    ['serie a', 'league=serie_a'],
    ['serie', '', 'serie'],
    ['ligue 1', 'league=ligue_1'],
    ['ligue_1', 'league=ligue_1'],
    ['ligue 2', 'limit=2', 'ligue'],
    ['ligue 1 days', 'league=ligue_1', 'days'],
    ['next 1 ligue 1', 'league=ligue_1&limit=1', 'next'],
    ['uefa champions league', 'league=ucl'],
    ['fifa world cup', 'league=fifa_world_cup'],
    ['world cup', 'league=fifa_world_cup'],
    ['major league baseball', 'league=mlb'],
    ['atp tennis', 'sport=tennis&league=atp'],
    ['tennis of the wta', 'sport=tennis&league=wta'],
    ['atp and wta', 'league=atp', 'wta'],
    ['epl, epl, premier league', 'league=epl'],
    ['epl ucl epl', 'league=epl', 'ucl'],
    ['nba epl', 'sport=nba', 'epl'],
    ['epl nba', 'league=epl', 'nba'],
    ['epl soccer today', 'sport=soccer&league=epl&date=2026-03-01'],
  ]);
});

describe('statuses', () => {
  said([
    ['scheduled', 'status=scheduled'],
    ['delayed', 'status=delayed'],
    ['postponed', 'status=postponed'],
    ['inprogress', 'status=inprogress'],
    ['suspended', 'status=suspended'],
    ['cancelled', 'status=cancelled'],
    ['walkover', 'status=walkover'],
    ['final', 'status=final'],
    ['live', 'status=inprogress'],
    ['in progress', 'status=inprogress'],
    ['in-progress', 'status=inprogress'],
    ['IN_PROGRESS', 'status=inprogress'],
    ['in the progress', '', 'progress'],
    ['progress', '', 'progress'],
    ['in', ''],
    ['in in progress', 'status=inprogress'],
    ['upcoming', 'status=scheduled'],
    ['canceled', 'status=cancelled'],
    ['live in progress', 'status=inprogress'],
    ['final, in progress', 'status=final', 'in progress'],
    ['cancelled or canceled', 'status=cancelled'],
    ['finals', '', 'finals'],
    ['finished', '', 'finished'],
  ]);
});

describe('days', () => {
  said([
    ['today', 'date=2026-03-01'],
    ['tomorrow', 'date=2026-03-02'],
    ['yesterday', 'date=2026-02-28'],
    ['this week', 'from=2026-02-23&to=2026-03-01'],
    ['next week', 'from=2026-03-02&to=2026-03-08'],
    ['last week', 'from=2026-02-16&to=2026-02-22'],
    ['this-week', 'from=2026-02-23&to=2026-03-01'],
    ['this, week', 'from=2026-02-23&to=2026-03-01'],
    ['this weeks', '', 'this weeks'],
    ["this week's", 'from=2026-02-23&to=2026-03-01'],
    ['week', '', 'week'],
    ['next', '', 'next'],
    ['next day', '', 'next day'],
    ['next days', '', 'next days'],
    ['this 2 weeks', '', 'this 2 weeks'],
    ['next 0 days', 'from=2026-03-01&to=2026-03-01'],
    ['next 1 day', 'from=2026-03-01&to=2026-03-02'],
    ['next 1 days', 'from=2026-03-01&to=2026-03-02'],
    ['next 1 week', 'from=2026-03-01&to=2026-03-08'],
    ['next 2 week', 'from=2026-03-01&to=2026-03-15'],
    ['next 30 days', 'from=2026-03-01&to=2026-03-31'],
    ['last 1 day', 'from=2026-02-28&to=2026-03-01'],
    ['last 3 days', 'from=2026-02-26&to=2026-03-01'],
    ['last 4 weeks', 'from=2026-02-01&to=2026-03-01'],
    ['next 1000 days', 'from=2026-03-01&to=2028-11-25'],
    [`next ${'9'.repeat(400)} weeks`, 'from=2026-03-01&to=9999-12-31'],
    [`last ${'9'.repeat(400)} days`, 'from=0001-01-01&to=2026-03-01'],
    ['next 5', 'limit=5', 'next'],
    ['next 5 games', 'limit=5', 'next'],
    ['last 10 matches', 'limit=10', 'last'],
    ['next -5 days', '', 'next -5 days'],
    ['next 5.5 days', '', 'next 5.5 days'],
    ['next 5 of days', 'limit=5', 'next days'],
    ['next-5-days', '', 'next-5-days'],
    ['next 5 days.', 'from=2026-03-01&to=2026-03-06'],
    ['last night', '', 'last night'],
    ['tonight', '', 'tonight'],
    ['this weekend', '', 'this weekend'],
    ['next month', '', 'next month'],
    ['monday', '', 'monday'],
    ['march', '', 'march'],
    ['yesterday yesterday', 'date=2026-02-28'],
    ['tomorrow today', 'date=2026-03-02', 'today'],
    ['this week, next 3 days', 'from=2026-02-23&to=2026-03-01', 'next 3 days'],
    ['next 7 days next 1 week', 'from=2026-03-01&to=2026-03-08'],
    ['next week last week next week', 'from=2026-03-02&to=2026-03-08', 'last week'],
  ]);
});

describe('dates', () => {
  said([
    ['2026-03-01', 'date=2026-03-01'],
    ['2026-03-01.', 'date=2026-03-01'],
    ["2026-03-01's games", 'date=2026-03-01'],
    ['(2026-03-01)', 'date=2026-03-01'],
    ['2026-03-01 2026-03-04', 'from=2026-03-01&to=2026-03-04'],
    ['2026-03-04 to 2026-03-01', 'from=2026-03-01&to=2026-03-04'],
    ['2026-03-04 nba 2026-03-01', 'sport=nba&from=2026-03-01&to=2026-03-04'],
    ['2026-03-04 2026-03-04', 'date=2026-03-04'],
    ['2026-03-04 2026-03-04 2026-03-05', 'from=2026-03-04&to=2026-03-05'],
    ['2026-03-01 2026-03-02 2026-03-03', 'from=2026-03-01&to=2026-03-02', '2026-03-03'],
    ['2026-03-01 2026-03-02 2026-03-01', 'from=2026-03-01&to=2026-03-02', '2026-03-01'],
    ['2026-03-04 today', 'date=2026-03-04', 'today'],
    ['2026-03-01 today', 'date=2026-03-01'],
    ['2026-03-04 today 2026-03-05', 'from=2026-03-04&to=2026-03-05', 'today'],
    ['today 2026-03-04', 'date=2026-03-01', '2026-03-04'],
    ['today 2026-03-01', 'date=2026-03-01', '2026-03-01'],
    ['this week 2026-03-04 2026-03-05', 'from=2026-02-23&to=2026-03-01', '2026-03-04 2026-03-05'],
    ['2026-02-29', '', '2026-02-29'],
    ['2028-02-29', 'date=2028-02-29'],
    ['2100-02-29', '', '2100-02-29'],
    ['2026-13-01', '', '2026-13-01'],
    ['2026-00-10', '', '2026-00-10'],
    ['2026-3-1', '', '2026-3-1'],
    ['02026-03-01', '', '02026-03-01'],
    ['2026-03-01T12:00:00Z', '', '2026-03-01t12:00:00z'],
    ['2026-03-01,2026-03-02', '', '2026-03-01,2026-03-02'],
    ['2026-03-01/2026-03-02', '', '2026-03-01/2026-03-02'],
    ['0000-01-01', '', '0000-01-01'],
    ['0001-01-01', 'date=0001-01-01'],
    ['9999-12-31', 'date=9999-12-31'],
    ['3/1/2026', '', '3/1/2026'],
    ['march 1st, 2026', '', 'march 1st 2026'],
  ]);
});

describe('limits', () => {
  said([
    ['1', 'limit=1'],
    ['100', 'limit=100'],
    ['0', '', '0'],
    ['101', '', '101'],
    ['007', '', '007'],
    ['05', '', '05'],
    ['10.', 'limit=10'],
    ['10.0', '', '10.0'],
    ['#5', '', '#5'],
    ['+50', '', '+50'],
    ['-5', '', '-5'],
    ['5th', '', '5th'],
    ['5,6', '', '5,6'],
    ['5, 6', 'limit=5', '6'],
    ['5 5 5', 'limit=5'],
    ['5 6 5 6', 'limit=5', '6'],
    ['5 day', '', '5 day'],
    ['5 weeks', '', '5 weeks'],
    ['5 week 10', 'limit=10', '5 week'],
    ['five', '', 'five'],
    ['limit 5', 'limit=5', 'limit'],
    ["10's", 'limit=10'],
    ['½', '', '1⁄2'],
    ['٣', '', '٣'],
    ['２５', 'limit=25'],
    ['x²', '', 'x2'],
  ]);
});

describe('words', () => {
  said([
    ['a an the all any and or of in on at for from to between is are there what which me show list find get', ''],
    ['give please game games match matches event events fixture fixtures', ''],
    ["What's live?", 'status=inprogress'],
    ['SHOW!!! me???', ''],
    ["'nba'", 'sport=nba'],
    ['‘nba’', 'sport=nba'],
    ["nba's", 'sport=nba'],
    ['nba’s.', 'sport=nba'],
    ["o'clock", '', 'oclock'],
    ['“nba”', 'sport=nba'],
    ['«soccer»', 'sport=soccer'],
    ['{nba} [live]', 'sport=nba&status=inprogress'],
    ['nba;live', 'sport=nba&status=inprogress'],
    ['nba...live', 'sport=nba&status=inprogress'],
    ['nba_live', 'sport=nba&status=inprogress'],
    ['nba—live', 'sport=nba&status=inprogress'],
    ['nba、live', 'sport=nba&status=inprogress'],
    ['nba+live', '', 'nba+live'],
    ['nba|live', '', 'nba|live'],
    ['n\u200bb\u00ada', 'sport=nba'],
    ['nba\u3000live', 'sport=nba&status=inprogress'],
    ['nba\u00a0live', 'sport=nba&status=inprogress'],
    ['nba\tlive\nfinal\0', 'sport=nba&status=inprogress', 'final'],
    ['ﬁnal', 'status=final'],
    ['𝐧𝐛𝐚', 'sport=nba'],
    ['Ⅳ', '', 'iv'],
    ['ŠPORT Straße', '', 'šport straße'],
    ['lakers LAKERS Lakers', '', 'lakers'],
    ['b a b c', '', 'b c'],
    ["'s", '', 's'],
    ["''''", ''],
    ['...', ''],
    ['🏀 nba', 'sport=nba', '🏀'],
    ['\ud800 nba \udc00', 'sport=nba', '\ud800 \udc00'],
    ['nba:live', 'sport=nba&status=inprogress'],
    ['7:30', '', '7:30'],
    ['(3(4)', '', '3(4'],
  ]);
});

describe.each<[day: string, now: string, rows: Row[]]>([
  [
    'the last moment of a Sunday',
    '2026-03-01T23:59:59.999Z',
    [
      ['today', 'date=2026-03-01'],
      ['this week', 'from=2026-02-23&to=2026-03-01'],
    ],
  ],
  [
    'the first moment of a Monday',
    '2026-03-02T00:00:00Z',
    [
      ['today', 'date=2026-03-02'],
      ['yesterday', 'date=2026-03-01'],
      ['this week', 'from=2026-03-02&to=2026-03-08'],
      ['last week', 'from=2026-02-23&to=2026-03-01'],
    ],
  ],
  [
    '31 December, a Thursday of week 53',
    '2026-12-31T23:00:00Z',
    [
      ['tomorrow', 'date=2027-01-01'],
      ['this week', 'from=2026-12-28&to=2027-01-03'],
      ['next week', 'from=2027-01-04&to=2027-01-10'],
      ['last week', 'from=2026-12-21&to=2026-12-27'],
      ['next 1 day', 'from=2026-12-31&to=2027-01-01'],
    ],
  ],
  [
    '1 January, a Friday of week 53 of the year before',
    '2027-01-01T00:00:00Z',
    [
      ['today', 'date=2027-01-01'],
      ['yesterday', 'date=2026-12-31'],
      ['this week', 'from=2026-12-28&to=2027-01-03'],
      ['last 1 week', 'from=2026-12-25&to=2027-01-01'],
    ],
  ],
  [
    '30 December, a Monday of week 1 of the year after',
    '2024-12-30T08:00:00Z',
    [
      ['this week', 'from=2024-12-30&to=2025-01-05'],
      ['last week', 'from=2024-12-23&to=2024-12-29'],
    ],
  ],
  [
    'the day before a leap day',
    '2028-02-28T12:00:00Z',
    [
      ['tomorrow', 'date=2028-02-29'],
      ['next 2 days', 'from=2028-02-28&to=2028-03-01'],
    ],
  ],
  [
    'a leap day, a Tuesday',
    '2028-02-29T12:00:00Z',
    [
      ['today', 'date=2028-02-29'],
      ['tomorrow', 'date=2028-03-01'],
      ['this week', 'from=2028-02-28&to=2028-03-05'],
      ['last 1 day', 'from=2028-02-28&to=2028-02-29'],
      ['next 52 weeks', 'from=2028-02-29&to=2029-02-27'],
    ],
  ],
  [
    'the day after a leap day',
    '2028-03-01T00:00:00Z',
    [
      ['yesterday', 'date=2028-02-29'],
      ['last 366 days', 'from=2027-03-01&to=2028-03-01'],
    ],
  ],
  [
    'a moment before 1970',
    '1969-12-31T23:59:59Z',
    [
      ['today', 'date=1969-12-31'],
      ['this week', 'from=1969-12-29&to=1970-01-04'],
    ],
  ],
])('on %s', (_, now, rows) => {
  said(rows, now);
});
