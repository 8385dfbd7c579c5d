import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EPL, injury, NFL, odds, player, schedule, score, splits, team } from '../../api/spec/messages.ts';
import { type LiveServer, NOW, serveLive } from '../live/serve-live-page.ts';
import { cellsOf } from './table-cells.ts';

const KICKOFF = '2026-03-01T18:00:00Z';
const BEFORE = '2026-03-01T17:00:00Z';
const at = (time: string) => ({ at: `2026-03-01T${time}:00Z` });
const moneyline = (home: number, away: number) => ({
  key: 'h2h',
  outcomes: [
    { outcome: 'home', price: home },
    { outcome: 'away', price: away },
  ],
});

let server: LiveServer;
let id: number;
beforeAll(async () => {
  server = await serveLive();
  await server.feed(
    team(NFL, 'KC', 'Kansas City Chiefs', 'KC'),
    team(NFL, 'BUF', 'Buffalo Bills', 'BUF'),
    player('nfl', 'p1', 'Patrick Mahomes', { team_ref: 'KC' }),
    schedule(NFL, 'a', ['Buffalo Bills', 'Kansas City Chiefs'], KICKOFF, { venue: { name: 'The <i>Stadium</i>' } }),
    odds('a', 'pinnacle', [moneyline(-120, 110)], at('16:00')),
    odds('a', 'fanduel', [moneyline(-115, 100)], at('16:30')),
    splits('a', { moneyline: { home: { bets_pct: 60, handle_pct: 40 }, away: { bets_pct: 40, handle_pct: 60 } } }),
    injury(NFL, 'Kansas City Chiefs', 'Patrick Mahomes', 'questionable', { ...at('15:00'), body_part: 'Ankle' }),
    score('a', 'inprogress', ['0', '0'], { ...at('18:01'), period: '1', clock: '15:00' }),
    odds('a', 'pinnacle', [moneyline(-200, 170)], at('18:30')),
    score('a', 'inprogress', ['7', '3'], { ...at('18:40'), period: '2', clock: '9:00' }),
  );
  id = await server.eventId('a');
});
afterAll(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

async function page(query = ''): Promise<string> {
  const { status, text } = await server.ask(`/events/${id}${query}`);
  expect([query, status]).toEqual([query, 200]);
  return text;
}

describe('the page of an event', () => {
  it('says first who plays, how it stands, and where one can go from there', async () => {
    const text = await page();
    expect(text).toContain('<title>Kansas City Chiefs at Buffalo Bills · Ledgerline</title>');
    expect(text).toContain('<p class="result-stage">2nd Quarter 9:00</p>');
    expect(text).toContain('The &lt;i&gt;Stadium&lt;/i&gt;');
    expect(text).toMatch(
      /<a href="\/leagues\/nfl">NFL<\/a> <a href="\/teams\/\d+">Kansas City Chiefs<\/a> <a href="\/teams\/\d+">Buffalo Bills<\/a>/,
    );
    expect(text).toContain(`<a href="/alerts/new?event=${id}">Alert me of this game</a>`);
    expect(text).toContain(`<a href="/bets?event=${id}">Keep a bet on it</a>`);
    const links = [...text.matchAll(/<li><a href="(\/events[^"]+)"( aria-current="page")?>([^<]+)</g)];
    expect(links.map(([, to, current, name]) => [to, current !== undefined, name])).toEqual([
      [`/events/${id}`, true, 'Story'],
      [`/events/${id}?tab=lines`, false, 'Lines'],
      [`/events/${id}?tab=props`, false, 'Props'],
      [`/events/${id}?tab=statistics`, false, 'Statistics'],
      [`/events/${id}?tab=availability`, false, 'Lineups and injuries'],
      [`/events/${id}?tab=intelligence`, false, 'Intelligence'],
      [`/events/${id}?tab=sources`, false, 'Sources'],
    ]);
  });

  it('tells the story without scripts, newest first, with the line at each moment', async () => {
    expect(cellsOf(await page(), 'Line and score').map(([, ...cells]) => cells)).toEqual([
      ['2nd Quarter 9:00', '3', '7', '−200'],
      ['1st Quarter 15:00', '0', '0', '−120'],
      ['Scheduled', '–', '–', '–'],
    ]);
  });

  it('has the prices of all bookmakers, with the best of each outcome, and the public bets', async () => {
    const text = await page('?tab=lines');
    expect(cellsOf(text, 'Prices of all bookmakers').map((cells) => cells.slice(0, 3))).toEqual([
      ['Pinnacle', '+170 best', '−200'],
      ['FanDuel', '+100', '−115 best'],
    ]);
    expect(cellsOf(text, 'Public bets')).toContainEqual(['Moneyline, BUF', '60%', '40%']);
  });

  it('lists who is hurt, with a link to the player', async () => {
    const text = await page('?tab=availability');
    expect(cellsOf(text, 'Injuries')[0]!.slice(0, 4)).toEqual([
      'Patrick Mahomes',
      'Kansas City Chiefs',
      'Questionable',
      'Ankle',
    ]);
    expect(text).toMatch(/<a href="\/players\/\d+">Patrick Mahomes<\/a>/);
    expect(text).toContain('No lineup is known.');
  });

  it('tells of each fact who reported it, when it was observed and when it was recorded', async () => {
    const rows = cellsOf(await page('?tab=sources'), 'Newest facts');
    expect(rows).toContainEqual([
      ...['Score', 'Live · 7–3 · 2 9:00', 'feed'],
      ...['1 Mar 2026, 18:40:00 UTC', '1 Mar 2026, 20:00:00 UTC'],
    ]);
    expect(rows.map(([what, says]) => `${what} ${says}`)).toEqual(
      expect.arrayContaining(['Prices FanDuel', 'Schedule starts 2026-03-01 18:00 UTC']),
    );
    expect(cellsOf(await page('?tab=sources'), 'Ids of the sources')[0]!.slice(0, 2)).toEqual(['feed', 'a']);
  });

  it.each(['props', 'statistics', 'intelligence'])('says what is missing in %s', async (tab) => {
    expect(await page(`?tab=${tab}`)).toMatch(
      /No bookmaker has lines on players|Nothing is known of earlier games|No forecast/,
    );
  });

  it('holds a moment: a link shows what was then, in every tab', async () => {
    const story = await page(`?at=${BEFORE}`);
    expect(story).toContain('<p class="result-stage">Scheduled</p>');
    expect(story).toContain(`data-at="${BEFORE}"`);
    expect(story).toContain(`href="/events/${id}?tab=lines&amp;at=2026-03-01T17%3A00%3A00Z"`);
    expect(cellsOf(story, 'Line and score')).toHaveLength(1);
    const lines = await page(`?tab=lines&at=${BEFORE}`);
    expect(cellsOf(lines, 'Prices of all bookmakers')[0]!.slice(0, 3)).toEqual(['Pinnacle', '+110 best', '−120']);
    const rows = cellsOf(await page(`?tab=sources&at=${BEFORE}`), 'Newest facts');
    expect(rows.filter(([what]) => what === 'Score')).toEqual([]);
    expect(await page('?at=2026-02-01T00:00:00Z')).toContain('At this moment nothing was known of the event yet.');
  });

  it.each([
    ['/events/999', 404, 'There is no event 999.'],
    ['/events/abc', 404, 'There is no event abc.'],
    ['/events/99999999999999999999', 404, 'There is no event 9'],
    ['/events/1?tab=nothing', 422, 'must be one of'],
    ['/events/1?at=yesterday', 400, 'must be a UTC'],
    ['/events/1?at=2026-03-02T00:00:00Z', 400, 'must not be in the future'],
  ])('tells of %s on a page', async (path, wanted, words) => {
    const { status, text, headers } = await server.ask(path);
    expect([status, headers['content-type']]).toEqual([wanted, 'text/html; charset=utf-8']);
    expect(text).toMatch(/<main[\s\S]*<h1>/);
    if (wanted !== 422) expect(text).toContain(words);
  });

  it('leads from a merged event to what it became, with its tab and moment', async () => {
    await server.feed({ ...schedule(EPL, 'x', ['Arsenal', 'Chelsea'], '2026-03-03T18:00:00Z') });
    await server.feed({ ...schedule(EPL, 'y', ['Arsenal', 'Chelsea'], '2026-03-25T18:00:00Z'), source: 'other' });
    const [into, from] = [await server.eventId('x'), await server.eventId('y', 'other')];
    expect(from).not.toBe(into);
    await server.feed({ kind: 'identity', source: 'operator', at: NOW, action: 'merge', what: 'event', from, into });
    const { status, headers } = await server.ask(`/events/${from}?tab=sources&at=${BEFORE}`);
    expect([status, headers.location]).toEqual([302, `/events/${into}?tab=sources&at=2026-03-01T17%3A00%3A00Z`]);
    expect((await server.ask(`/events/${into}`)).status).toBe(200);
  });

  it('has the last moves of all bookmakers, and a reason only where one is known', async () => {
    const movesOf = (text: string) => cellsOf(text, 'Last moves').map((row) => row.slice(1));
    const before = await page('?tab=lines');
    expect(before).not.toContain('Why');
    expect(movesOf(before)).toEqual([['Pinnacle', 'Moneyline, BUF', '−120', '−200']]);
    await server.feed(
      injury(NFL, 'Kansas City Chiefs', 'Patrick Mahomes', 'out', { ...at('18:45'), body_part: 'Ankle' }),
      odds('a', 'fanduel', [moneyline(-220, 180)], at('18:52')),
    );
    expect(movesOf(await page('?tab=lines'))).toEqual([
      [
        ...['FanDuel', 'Moneyline, BUF', '−115', '−220'],
        '7 minutes after Patrick Mahomes (Kansas City Chiefs) was reported out.',
      ],
      ['Pinnacle', 'Moneyline, BUF', '−120', '−200', ''],
    ]);
    // At an earlier moment neither the move nor the news was known.
    const then = await page('?tab=lines&at=2026-03-01T18:35:00Z');
    expect(then).toContain('<h2>Last moves</h2>');
    expect(then).not.toContain('was reported');
  });

  it('is no free way round the API: an address has as many histories as on the live page', async () => {
    const statuses: number[] = [];
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    for (let minute = 0; minute <= 120; minute++) {
      const moment = new Date(Date.parse(BEFORE) - minute * 60_000).toISOString();
      statuses.push((await server.ask(`/events/${id}?tab=lines&at=${moment}`, { headers })).status);
    }
    expect(statuses.slice(0, 120)).toEqual(Array(120).fill(200));
    expect(statuses[120]).toBe(429);
    const refused = await server.ask(`/events/${id}?tab=lines&at=2026-03-01T12:00:00Z`, { headers });
    expect([refused.text.includes('<h1>Too many requests</h1>'), Number(refused.headers['retry-after']) > 0]).toEqual([
      true,
      true,
    ]);
    expect((await server.ask(`/events/${id}`)).status).toBe(200);
  });
});
