import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATP, EPL, injury, NFL, odds, player, schedule, score, team } from '../../api/spec/messages.ts';
import { type LiveServer, NOW, serveLive } from '../live/serve-live-page.ts';
import { cellsOf } from './table-cells.ts';

const moneyline = (first: number, second: number, roles = ['home', 'away']) => ({
  key: 'h2h',
  outcomes: [first, second].map((price, index) => ({ outcome: roles[index], price })),
});
const spread = (point: number) => ({
  key: 'spreads',
  outcomes: [
    { outcome: 'home', price: -110, point },
    { outcome: 'away', price: -110, point: -point },
  ],
});
const total = (point: number) => ({
  key: 'totals',
  outcomes: [
    { outcome: 'over', price: -110, point },
    { outcome: 'under', price: -110, point },
  ],
});
const passing = (point: number) => ({
  key: 'passing_yards',
  outcomes: [
    { outcome: 'over', price: -115, point, player: 'Patrick Mahomes' },
    { outcome: 'under', price: -105, point, player: 'Patrick Mahomes' },
  ],
});
const box = (ref: string, yards: number, at: string) => ({
  kind: 'box',
  source: 'feed',
  at,
  ref,
  final: true,
  players: [{ ref: 'p1', name: 'Patrick Mahomes', role: 'away', starter: true, stats: { passing_yards: yards } }],
});

let server: LiveServer;
const teamIds: Record<string, number> = {};
let mahomes: number;
beforeAll(async () => {
  server = await serveLive();
  const day = (date: string) => `2026-02-${date}T18:00:00Z`;
  await server.feed(
    team(NFL, 'KC', 'Kansas City Chiefs', 'KC'),
    team(NFL, 'BUF', 'Buffalo Bills', 'BUF'),
    team(NFL, 'LV', 'Las Vegas Raiders', 'LV'),
    player('nfl', 'p1', 'Patrick Mahomes', { team_ref: 'KC', position: 'QB' }),
    // Away: lost by 3 as an underdog of 3.5 points; over.
    schedule(NFL, 'a', ['Buffalo Bills', 'Kansas City Chiefs'], day('08')),
    odds('a', 'pinnacle', [moneyline(-180, 160), spread(-3.5), total(44.5)], { at: '2026-02-08T17:00:00Z' }),
    score('a', 'final', ['27', '24'], { at: '2026-02-08T21:00:00Z' }),
    box('a', 310, '2026-02-08T21:00:00Z'),
    // Away: won by 7 as a favourite of 7 points; under.
    schedule(NFL, 'b', ['Las Vegas Raiders', 'Kansas City Chiefs'], day('15')),
    odds('b', 'pinnacle', [moneyline(240, -280), spread(7), total(40)], { at: '2026-02-15T17:00:00Z' }),
    score('b', 'final', ['10', '17'], { at: '2026-02-15T21:00:00Z' }),
    box('b', 190, '2026-02-15T21:00:00Z'),
    schedule(NFL, 'c', ['Las Vegas Raiders', 'Kansas City Chiefs'], '2026-03-05T18:00:00Z'),
    odds('c', 'pinnacle', [moneyline(120, -140), spread(2.5), passing(275.5)], { at: NOW }),
    injury(NFL, 'Kansas City Chiefs', 'Patrick Mahomes', 'questionable', { body_part: 'Ankle' }),
    schedule(EPL, 'e', ['Everton', 'Chelsea'], '2024-05-19T15:00:00Z'),
    score('e', 'final', ['2', '1'], { at: '2024-05-19T17:00:00Z', sport: 'soccer' }),
    schedule(EPL, 'g', ['Luton Town', 'Everton'], '2024-05-03T15:00:00Z'),
    score('g', 'final', ['1', '1'], { at: '2024-05-03T17:00:00Z', sport: 'soccer' }),
    schedule(EPL, 'f', ['Chelsea', 'Everton'], '2025-08-16T14:00:00Z'),
    score('f', 'final', ['0', '0'], { at: '2025-08-16T16:00:00Z', sport: 'soccer' }),
    schedule(ATP, 't', ['First Player', 'Second Player'], '2026-02-20T10:00:00Z'),
    odds('t', 'pinnacle', [moneyline(-200, 180, ['player_1', 'player_2'])], { at: '2026-02-20T09:00:00Z' }),
    score('t', 'final', [{ score: '6 6', is_winner: true }, '3 4'], { at: '2026-02-20T12:00:00Z', sport: 'tennis' }),
  );
  for (const name of ['Chiefs', 'Bills', 'Raiders']) teamIds[name] = await idOf(name, 'teams');
  mahomes = await idOf('Mahomes', 'players');
});
afterAll(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

async function idOf(name: string, kind: 'teams' | 'players'): Promise<number> {
  const { text } = await server.ask(`/search/suggestions?q=${name}`);
  return Number(new RegExp(`data-to="/${kind}/(\\d+)"`).exec(text)![1]);
}
async function page(path: string): Promise<string> {
  const { status, text } = await server.ask(path);
  expect([path, status]).toEqual([path, 200]);
  return text;
}

describe('the page of a team', () => {
  it('has the results, the newest first, with the closing lines and whether they were beaten', async () => {
    const text = await page(`/teams/${teamIds['Chiefs']}`);
    expect(text).toContain('Form, newest first: W L');
    const rows = cellsOf(text, 'Results').map(([, opponent, result, , ...lines]) => [opponent, result, ...lines]);
    expect(rows).toEqual([
      ['at Las Vegas Raiders', 'W 17–10', '−7', 'Push', '40', 'Under'],
      ['at Buffalo Bills', 'L 24–27', '+3.5', 'Covered', '44.5', 'Over'],
    ]);
    const home = cellsOf(await page(`/teams/${teamIds['Bills']}`), 'Results').map(([, ...cells]) => cells);
    expect(home).toEqual([['vs Kansas City Chiefs', 'W 27–24', '−170', '−3.5', 'Not covered', '44.5', 'Over']]);
  });

  it('has a link to older results, those of an earlier season too, and from them one to the newest', async () => {
    const id = await idOf('Everton', 'teams');
    const shown = (text: string) => cellsOf(text, 'Results').map(([, opponent, result]) => `${opponent} ${result}`);
    const older = (text: string) => /href="(\/teams\/\d+\?before=\d+)" rel="next">Older results/.exec(text)?.[1];
    const newest = await page(`/teams/${id}`);
    expect(shown(newest)).toEqual(['at Chelsea D 0–0']);
    expect(newest).not.toContain('Newest results');
    const before = await page(older(newest)!);
    expect(shown(before)).toEqual(['vs Chelsea W 2–1', 'at Luton Town D 1–1']);
    expect(before).toContain(`<a href="/teams/${id}">Newest results</a>`);
    expect(before).not.toContain('Form, newest first');
    expect(older(before)).toBeUndefined();
    expect((await server.ask(`/teams/${id}?before=-1`)).status).toBe(422);
  });

  it('has the next game, who is hurt before it, and links to the league and the opponents', async () => {
    const text = await page(`/teams/${teamIds['Chiefs']}`);
    const id = await server.eventId('c');
    expect(text).toContain(`<a href="/events/${id}">Kansas City Chiefs at Las Vegas Raiders</a>`);
    expect(text).toMatch(/<dt>Favourite of the market<\/dt><dd>Kansas City Chiefs 5\d\.\d%<\/dd>/);
    expect(text).toContain('<dt>Spread</dt><dd>Kansas City Chiefs −2.5</dd>');
    expect(text).not.toContain('Favourite of the forecast');
    expect(text).toContain('2nd of 3, 1–1');
    expect(cellsOf(text, 'Injuries').map((cells) => cells.slice(0, 3))).toEqual([
      ['Patrick Mahomes', 'Questionable', 'Ankle'],
    ]);
    expect(text).toContain('<a href="/leagues/nfl">National Football League</a>');
    expect(text).toContain(`<a href="/teams/${teamIds['Bills']}">Buffalo Bills</a>`);
    expect(await page(`/teams/${teamIds['Bills']}`)).toContain('No game is known to come.');
  });

  it('says where a team stood in its last season that is known', async () => {
    const text = await page(`/teams/${await idOf('Luton', 'teams')}`);
    expect(text).toContain('2nd of 3, 1 point in the season that began in 2023');
    expect(await page(`/teams/${await idOf('Everton', 'teams')}`)).toMatch(/(1st|2nd) of 2, 1 point</);
  });

  it('leads from a merged team to what it became', async () => {
    await server.feed(team(EPL, 'x', 'Arsenal', 'ARS'));
    await server.feed({ ...team(EPL, 'y', 'Woolwich Wanderers', 'WOL'), source: 'other' });
    const [into, from] = [await idOf('Arsenal', 'teams'), await idOf('Woolwich', 'teams')];
    await server.feed({ kind: 'identity', source: 'operator', at: NOW, action: 'merge', what: 'team', from, into });
    const { status, headers } = await server.ask(`/teams/${from}`);
    expect([status, headers.location]).toEqual([302, `/teams/${into}`]);
  });
});

describe('the page of a player', () => {
  it('has the props of the next game beside what the last games gave', async () => {
    const text = await page(`/players/${mahomes}`);
    expect(cellsOf(text, 'Props')).toEqual([['Passing yards', '275.5', '−115', '−105', '1 of 2', '190 310']]);
    expect(text).toContain('<span class="bad">190</span> <span class="good">310</span>');
    expect(cellsOf(text, 'Injury')[0]!.slice(0, 2)).toEqual(['Patrick Mahomes', 'Questionable']);
    expect(cellsOf(text, 'Results').map((cells) => cells.slice(1, 3))).toEqual([
      ['Las Vegas Raiders', 'W 17-10'],
      ['Buffalo Bills', 'L 24-27'],
    ]);
    expect(text).toContain(`<a href="/teams/${teamIds['Chiefs']}">Kansas City Chiefs</a>`);
  });

  it('who plays alone has his own results with the fair closing price, and no props', async () => {
    const first = await idOf('First', 'players');
    const text = await page(`/players/${first}`);
    expect(cellsOf(text, 'Results').map((cells) => cells.slice(1))).toEqual([
      ['Second Player', 'W 6 6', '−190', 'Association of Tennis Professionals Tour'],
    ]);
    expect(text).not.toContain('<h2>Props</h2>');
    const loser = cellsOf(await page(`/players/${await idOf('Second', 'players')}`), 'Results');
    expect(loser[0]!.slice(1, 4)).toEqual(['First Player', 'L 3 4', '+190']);
  });
});

describe('the page of a league', () => {
  it('has the days around today, with links to the days before and after, and the standings', async () => {
    const text = await page('/leagues/nfl');
    // Too little is known of this season.
    expect(text).not.toContain('What is left of the season');
    expect([...text.matchAll(/<h2>([^<]+)</g)].map(([, name]) => name)).toEqual([
      'Thursday, 5 March 2026',
      'Standings',
    ]);
    expect(text).toContain('<a href="/leagues/nfl?date=2026-02-19" rel="prev">Earlier</a>');
    expect(text).toContain('<a href="/leagues/nfl?date=2026-03-11" rel="next">Later</a>');
    expect(cellsOf(text, 'Standings').map((cells) => cells.slice(0, 4))).toContainEqual([
      ...['2', 'Kansas City Chiefs', '2', '1'],
    ]);
    expect(await page('/leagues/nfl?date=2026-02-14')).toContain('Kansas City Chiefs at Las Vegas Raiders');
  });

  it('says under each day when its games begin, and how they stand, without the day again', async () => {
    const list = (text: string) => text.match(/<ul class="matches timed">.*?<\/ul>/s)![0].replace(/<[^>]*>/g, '');
    const played = list(await page('/leagues/nfl?date=2026-02-14'));
    expect(played).toMatch(/^\d\d:\d\d UTC .+ \d+–\d+ · Final$/m);
    expect(played).not.toContain('2026');
    expect(list(await page('/leagues/nfl'))).toMatch(/^\d\d:\d\d UTC .+ at .+[a-z] $/m);
  });

  it('leads to links for spreadsheets, which read the same games and the same table', async () => {
    const text = await page('/leagues/epl?date=2024-05-19');
    const linkOf = (words: string) => {
      const [, query] = new RegExp(`<a href="/links\\?([^"]+)">${words}</a>`).exec(text)!;
      return Object.fromEntries(new URLSearchParams(query!.replaceAll('&amp;', '&')));
    };
    expect(linkOf('In a spreadsheet')).toEqual({
      path: '/v1/leagues/epl/standings?season=2023',
      name: 'Premier League, season that began in 2023',
    });
    expect(linkOf('These games in a spreadsheet')).toEqual({
      path: '/v1/events?league=epl&from=2024-05-16&to=2024-05-26&include_scores=true&limit=500',
      name: 'Premier League, 2024-05-16 to 2024-05-26',
    });
    expect(await page('/leagues/nba')).not.toContain('These games in a spreadsheet');
  });

  it('leads from its table to those of the seasons before and after, by the nearest day of each that has games', async () => {
    const now = await page('/leagues/epl');
    expect(now).toMatch(
      /Season that began in 2025\.<.*\n.*<a href="\/leagues\/epl\?date=2024-05-19">The season before<\/a>/,
    );
    expect(now).not.toContain('The season after');
    const before = await page('/leagues/epl?date=2024-05-19');
    expect(before).toMatch(
      /Season that began in 2023\.<.*\n.*<a href="\/leagues\/epl\?date=2025-08-16">The season after<\/a>/,
    );
    expect(before).not.toContain('The season before');
    expect(cellsOf(before, 'Standings')[0]!.slice(0, 3)).toEqual(['1', 'Everton', '2']);
    expect(await page('/leagues/nfl')).not.toContain('The season ');
  });

  it('is found from /leagues, which leads to all of them', async () => {
    const { status, headers } = await server.ask('/leagues');
    expect([status, headers.location]).toEqual([302, '/search']);
  });

  it('shows the nearest day that has events where none is near, and says where there are none at all', async () => {
    expect(await page('/leagues/atp')).toContain('First Player v. Second Player');
    expect(await page('/leagues/nba')).toContain('No event is known around 2026-03-01.');
    expect(await page('/leagues/atp')).not.toContain('Standings');
  });
});

it.each([
  ['/teams/999', 404],
  ['/teams/x', 404],
  ['/players/999', 404],
  ['/leagues/nothing', 404],
  ['/leagues/%3Cb%3E', 404],
  ['/leagues/nfl?date=today', 400],
  ['/leagues/nfl?date=2026-13-01', 400],
  ['/leagues/nfl?date=0001-01-01', 400],
  ['/leagues/nfl?date=9999-12-31', 400],
  ['/leagues/nfl?date=2026-02-01&date=2026-02-02', 422],
  ['/players/1.5', 404],
  ['/events/-1', 404],
  ['/events/%00', 404],
  ['/search?q=%00', 422],
  ['/search?q=a&q=b', 422],
])('tells of %s on a page: %i', async (path, wanted) => {
  const { status, text } = await server.ask(path);
  expect([status, /<h1>/.test(text), text.includes('<b>')]).toEqual([wanted, true, false]);
});

it.each(['1802-01-01', '1969-12-30', '2997-12-31'])('lists nothing of days without events: %s', async (date) => {
  expect(await page(`/leagues/nfl?date=${date}`)).toContain('No event is known around');
});

it('counts these pages as what is made from histories: 120 of an address in a minute', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const statuses: number[] = [];
  for (let count = 0; count < 121; count++) {
    statuses.push((await server.ask('/leagues/nba', { headers })).status);
  }
  expect([new Set(statuses.slice(0, 120)), statuses[120]]).toEqual([new Set([200]), 429]);
});
