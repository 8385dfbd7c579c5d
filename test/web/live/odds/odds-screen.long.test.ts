import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OddsRow, OddsScreen } from '../../../../src/web/live/answers/odds-screen-answers.ts';
import { ATP, EPL, MLB, market, NBA, NFL, odds, schedule, score } from '../../../api/spec/messages.ts';
import { type LiveServer, NOW, nextTold, serveLive } from '../serve-live-page.ts';

let server: LiveServer;
beforeEach(async () => {
  server = await serveLive();
});
afterEach(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

const FRESH = { at: '2026-03-01T19:59:00Z' };
const spread = (point: number, home: number, away: number) =>
  market('spreads', [
    ['home', home, point],
    ['away', away, -point],
  ]);
const moneyline = (home: number, away: number) =>
  market('h2h', [
    ['home', home],
    ['away', away],
  ]);

async function rowOf(query: string): Promise<OddsRow> {
  const { events } = await server.get<OddsScreen>(`/live/odds?${query}`);
  expect(events.length).toBe(1);
  return events[0]!;
}

describe('the rows of the odds screen', () => {
  it('have the prices of every bookmaker on one market, sides as the board shows them', async () => {
    await server.feed(
      schedule(NBA, 'a', ['Hosts', 'Guests'], '2026-03-01T23:00:00Z'),
      odds('a', 'fanduel', [spread(-3.5, -108, -112), moneyline(-150, 130)], FRESH),
      odds('a', 'pinnacle', [spread(-3.5, -105, -105)], { at: '2026-03-01T19:58:00Z' }),
    );
    const row = await rowOf('market=spread');
    expect(row.outcomes).toEqual(['away', 'home']);
    expect(row.points).toEqual([3.5, -3.5]);
    expect(row.books).toEqual([
      {
        slug: 'pinnacle',
        name: 'Pinnacle',
        at: '2026-03-01T19:58:00Z',
        counts: true,
        offers: [
          { price: -105, point: 3.5 },
          { price: -105, point: -3.5 },
        ],
      },
      {
        slug: 'fanduel',
        name: 'FanDuel',
        at: '2026-03-01T19:59:00Z',
        counts: true,
        offers: [
          { price: -112, point: 3.5 },
          { price: -108, point: -3.5 },
        ],
      },
    ]);
    expect((await rowOf('market=moneyline')).books.map(({ slug }) => slug)).toEqual(['fanduel']);
    expect((await rowOf('market=total')).books).toEqual([]);
  });

  it('have the fair probability of the reference bookmakers, in the order of the outcomes, with a draw', async () => {
    await server.feed(
      schedule(EPL, 'a', ['Hosts', 'Guests'], '2026-03-01T23:00:00Z'),
      odds(
        'a',
        'pinnacle',
        [
          market('h2h', [
            ['home', 150],
            ['away', 190],
            ['draw', 240],
          ]),
        ],
        FRESH,
      ),
    );
    const { outcomes, fair, fair_books } = await rowOf('market=moneyline');
    expect(outcomes).toEqual(['home', 'away', 'draw']);
    expect(fair_books).toEqual(['pinnacle']);
    expect(fair!.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
    expect(fair![0]!).toBeGreaterThan(fair![1]!);
    expect(fair![1]!).toBeGreaterThan(fair![2]!);
  });

  it('do not count a price that is older than 75 minutes, and say until when the others count', async () => {
    await server.feed(
      schedule(NBA, 'a', ['Hosts', 'Guests'], '2026-03-01T23:00:00Z'),
      odds('a', 'pinnacle', [moneyline(-150, 130)], { at: '2026-03-01T18:44:00Z' }),
      odds('a', 'fanduel', [moneyline(-140, 120)], { at: '2026-03-01T19:00:00Z' }),
    );
    const before = await rowOf('market=moneyline');
    expect(before.books.map(({ counts }) => counts)).toEqual([false, true]);
    expect(before.fair).toBeNull();
    expect(Date.parse(before.until!)).toBe(Date.parse('2026-03-01T20:15:00.001Z'));
    server.clock.time = Date.parse(before.until!);
    const after = await rowOf('market=moneyline');
    expect([after.books.map(({ counts }) => counts), after.until]).toEqual([[false, false], null]);
  });

  it('have the movement of the first side from its first price to its last, in at most 40 points', async () => {
    const prices = Array.from({ length: 60 }, (_, move) => 110 + move);
    await server.feed(
      schedule(NBA, 'a', ['Hosts', 'Guests'], '2026-03-01T23:00:00Z'),
      ...prices.map((away, move) =>
        odds('a', 'pinnacle', [moneyline(-150, away)], {
          at: new Date(Date.parse(NOW) - (61 - move) * 1000).toISOString(),
        }),
      ),
    );
    const { series, series_book } = await rowOf('market=moneyline');
    expect([series_book, series.length, series[0]!.price, series.at(-1)!.price]).toEqual(['Pinnacle', 40, 110, 169]);
  });

  it('count what stood last once an event is over', async () => {
    await server.feed(
      schedule(NBA, 'a', ['Hosts', 'Guests'], '2026-03-01T10:00:00Z'),
      odds('a', 'pinnacle', [moneyline(-150, 130)], { at: '2026-03-01T09:59:00Z' }),
      score('a', 'final', ['100', '90']),
    );
    const row = await rowOf('market=moneyline');
    expect([row.books[0]!.counts, row.until, row.fair === null]).toEqual([true, null, false]);
  });

  it('are of the first half, the first five innings or the first set for a market of a period', async () => {
    const half = (scope: string) => ({ ...spread(-1.5, -110, -110), scope });
    await server.feed(
      schedule(MLB, 'a', ['Hosts', 'Guests'], '2026-03-01T23:00:00Z'),
      odds('a', 'pinnacle', [{ ...spread(-0.5, -120, 100), scope: 'F5' }, spread(-1.5, 130, -150)], FRESH),
    );
    const row = await rowOf('market=first_half_spread');
    expect(row.books[0]!.offers).toEqual([
      { price: 100, point: 0.5 },
      { price: -120, point: -0.5 },
    ]);
    expect(row.series).toEqual([]);
    await server.feed(
      schedule(NFL, 'b', ['A', 'B'], '2026-03-02T10:00:00Z'),
      odds('b', 'pinnacle', [half('1H')], FRESH),
    );
    expect((await rowOf('market=first_half_spreads&date=2026-03-02')).points).toEqual([1.5, -1.5]);
  });

  it('are of one league if that is asked for, on the nearest day with its events', async () => {
    await server.feed(
      schedule(NBA, 'a', ['A', 'B'], '2026-03-01T21:00:00Z'),
      schedule(NFL, 'b', ['C', 'D'], '2026-03-04T21:00:00Z'),
      schedule(ATP, 'c', ['E', 'F'], '2026-03-01T22:00:00Z'),
    );
    expect((await server.get<OddsScreen>('/live/odds')).events.map(({ league }) => league)).toEqual(['nba', 'atp']);
    const nfl = await server.get<OddsScreen>('/live/odds?league=nfl');
    expect([nfl.date, nfl.events.map(({ league }) => league)]).toEqual(['2026-03-04', ['nfl']]);
  });

  it('refuse markets and dates that do not exist', async () => {
    for (const query of ['market=moon', 'date=2026-02-30']) {
      expect([query, (await server.ask(`/live/odds?${query}`)).status]).toEqual([query, 400]);
    }
    expect((await server.ask('/live/stream?odds=moon')).status).toBe(400);
  });
});

describe('the stream of the odds screen', () => {
  it('sends a row whenever any bookmaker moves, and nothing of other markets', async () => {
    await server.feed(
      schedule(NBA, 'a', ['Hosts', 'Guests'], '2026-03-01T23:00:00Z'),
      odds('a', 'pinnacle', [moneyline(-150, 130)], FRESH),
      odds('a', 'fanduel', [moneyline(-140, 120)], FRESH),
    );
    const stream = await server.open('2026-03-01&odds=moneyline');
    expect((await nextTold(server, stream)).event).toBe('hello');
    await server.feed(odds('a', 'fanduel', [spread(-3.5, -110, -110)], { at: '2026-03-01T19:59:30Z' }));
    await server.feed(odds('a', 'fanduel', [moneyline(-145, 125)], { at: '2026-03-01T19:59:40Z' }));
    const told = await nextTold(server, stream);
    expect(told.event).toBe('odds');
    const row = told.data as OddsRow;
    expect(row.books.map(({ slug, offers }) => [slug, offers.map((offer) => offer?.price)])).toEqual([
      ['pinnacle', [130, -150]],
      ['fanduel', [125, -145]],
    ]);
    stream.leave();
  });
});

describe('the page of the odds screen', () => {
  const texts = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  const feedTwoBooks = () =>
    server.feed(
      schedule(NBA, 'a', ['Hosts <b>', 'Guests'], '2026-03-01T23:00:00Z'),
      odds('a', 'pinnacle', [moneyline(-150, 140)], FRESH),
      odds('a', 'fanduel', [moneyline(-140, 120)], FRESH),
    );

  it('shows without scripts the best price of each side, the hold, the fair price, ages, and all prices', async () => {
    await feedTwoBooks();
    const { status, headers, text } = await server.ask('/odds');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    const row = texts(text.slice(text.indexOf('<tr role="row" id="event-')));
    // 1 / (1 + 1.4) + 1.4 / 2.4 = 1: the best prices leave nothing.
    expect(row).toContain('Guests – Hosts &lt;b&gt; 23:00 NBA +140 Pinnacle −140 FanDuel');
    expect(row).toContain('0.0%');
    expect(row).toContain('Pinnacle +140 best −150 1m FanDuel +120 −140 best 1m');
    expect(text).not.toContain('<b>');
    expect(text).toContain('<a class="tab" href="/odds?market=moneyline" aria-current="true">');
  });

  it('counts as best only what the chosen bookmakers offer, and remembers the choice in a cookie', async () => {
    await feedTwoBooks();
    const chosen = await server.ask('/odds?books=fanduel&market=h2h');
    expect(texts(chosen.text)).toContain('+120 FanDuel');
    expect(chosen.text).not.toContain('data-book="pinnacle"');
    const cookie = chosen.headers['set-cookie']![0]!;
    expect(cookie).toMatch(/^odds_view=/);
    const kept = { headers: { cookie: cookie.split(';')[0]! } };
    const again = await server.ask('/odds', kept);
    expect([again.status, again.headers.location]).toEqual([303, '/odds?books=fanduel&market=moneyline']);
    expect((await server.ask('/odds?books=fanduel&market=moneyline', kept)).headers['set-cookie']).toBeUndefined();
    const broken = await server.ask('/odds', { headers: { cookie: 'odds_view=market%3Dmoon' } });
    expect(broken.status).toBe(200);
  });

  it('offers the books of the reader’s own list alone, and only to whoever has one', async () => {
    const lists = new Map<string, readonly string[]>([['ann', ['fanduel']]]);
    const own = await serveLive({ readerBooks: async ({ headers }) => lists.get(`${headers['x-reader']}`) ?? null });
    try {
      await own.feed(
        schedule(NBA, 'a', ['Hosts', 'Guests'], '2026-03-01T23:00:00Z'),
        odds('a', 'pinnacle', [moneyline(-150, 140)], FRESH),
        odds('a', 'fanduel', [moneyline(-140, 120)], FRESH),
      );
      const as = (reader: string, path: string) => own.ask(path, { headers: { 'x-reader': reader } });
      const all = (await as('ann', '/odds?league=nba')).text;
      expect(all).toContain('href="/odds?league=nba&amp;books=mine&amp;market=moneyline">Only my books</a>');
      expect(all).toContain('data-book="pinnacle"');

      const mine = await as('ann', '/odds?league=nba&books=mine');
      expect(mine.text).not.toContain('data-book="pinnacle"');
      expect(mine.text).toContain('data-books="fanduel"');
      expect(mine.text).toContain('href="/odds?league=nba&amp;market=moneyline" aria-current="true">Only my books');
      // Another market, league or day keeps the choice; a bookmaker that is ticked ends it.
      expect(mine.text).toContain('href="/odds?league=nba&amp;books=mine&amp;market=total"');
      expect(mine.text).toContain('<input type="hidden" name="books" value="mine">');
      const ticked = await as('ann', '/odds?books=mine&books=pinnacle&market=total');
      expect([ticked.status, ticked.headers.location]).toEqual([303, '/odds?books=pinnacle&market=total']);
      const cookie = mine.headers['set-cookie']![0]!.split(';')[0]!;
      const again = await own.ask('/odds', { headers: { cookie, 'x-reader': 'ann' } });
      expect(again.headers.location).toBe('/odds?league=nba&books=mine&market=moneyline');

      for (const reader of ['bob', 'undefined']) {
        expect((await as(reader, '/odds')).text).not.toContain('Only my books');
        const shared = await as(reader, '/odds?league=nba&books=mine');
        expect([shared.status, shared.headers.location]).toEqual([303, '/odds?league=nba&market=moneyline']);
      }
    } finally {
      await own.close();
    }
  });

  it('has one address for a choice of several bookmakers, however a form sends it', async () => {
    const { status, headers } = await server.ask('/odds?league=&market=spread&books=fanduel&books=circa');
    expect([status, headers.location]).toEqual([303, '/odds?books=fanduel,circa&market=spread']);
  });

  it.each(['league=moon', 'date=tomorrow', 'market=<b>', 'books=a%20b'])('refuses %s', async (query) => {
    expect((await server.ask(`/odds?${query}`)).status).toBe(400);
  });

  it('says why it shows another day than today to whoever has chosen none', async () => {
    await server.feed(schedule(NBA, 'a', ['A', 'B'], '2026-02-20T23:00:00Z'));
    expect((await server.ask('/odds')).text).toContain('No event of today is known. This is the last day with events.');
    expect((await server.ask('/odds?date=2026-02-20')).text).not.toContain('No event of today');
    await server.feed(schedule(NBA, 'b', ['A', 'B'], '2026-03-03T23:00:00Z'));
    expect((await server.ask('/odds')).text).toContain('This is the nearest day with events.');
    await server.feed(schedule(NBA, 'c', ['A', 'B'], '2026-03-01T23:00:00Z'));
    expect((await server.ask('/odds')).text).not.toContain('No event of today');
  });

  it('says what there is where there are no events, and where there are no prices', async () => {
    expect((await server.ask('/odds')).text).toContain('No events yet');
    await server.feed(schedule(NBA, 'a', ['A', 'B'], '2026-03-01T23:00:00Z'));
    const { text } = await server.ask('/odds');
    expect(text).toContain('No prices');
    expect(text).toContain('1 event without prices of this market is not shown.');
  });

  it('may be linked to by other sites, which may not read its data, and not at all under another host', async () => {
    const from = (more: Record<string, string>) => ({ headers: { 'sec-fetch-site': 'cross-site', ...more } });
    const link = from({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' });
    expect((await server.ask('/odds', link)).status).toBe(200);
    expect((await server.ask('/odds', from({ 'sec-fetch-mode': 'no-cors' }))).status).toBe(403);
    expect((await server.ask('/live/odds', link)).status).toBe(403);
    expect((await server.ask('/odds', { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it('is not there, nor linked to, where the live page is switched off', async () => {
    await server.close();
    server = await serveLive({ isOn: false });
    expect((await server.ask('/odds')).status).toBe(404);
    expect((await server.ask('/')).text).not.toContain('href="/odds"');
  });
});

describe('the history of a price', () => {
  it('lists the movements of one bookmaker and market, newest first', async () => {
    await server.feed(
      schedule(NBA, 'a', ['Hosts', 'Guests'], '2026-03-01T23:00:00Z'),
      odds('a', 'fanduel', [moneyline(-140, 120)], { at: '2026-03-01T19:00:00Z' }),
      odds('a', 'fanduel', [moneyline(-150, 130)], { at: '2026-03-01T19:30:00Z' }),
      odds('a', 'fanduel', [moneyline(-160, 135)], FRESH),
    );
    const id = await server.eventId('a');
    const path = `/odds/history?event=${id}&book=fanduel&market=moneyline`;
    const { status, text } = await server.ask(path);
    expect(status).toBe(200);
    const cells = [...text.matchAll(/<td class="number">([^<]*)</g)].map(([, cell]) => cell);
    expect(cells.slice(0, 2)).toEqual(['+130', '+135']);
    expect(cells.length).toBe(8);
    expect(text).toContain('1m ago');
    expect((await server.ask(`${path}&format=decimal`)).text).toContain('<td class="number">1.63<');
    expect(Date.parse(NOW)).toBe(Date.parse('2026-03-01T20:00:00Z'));
  });

  it('says so where nothing has moved, of a period’s line, and of an event that nobody knows', async () => {
    await server.feed(
      schedule(NBA, 'a', ['Hosts', 'Guests'], '2026-03-01T23:00:00Z'),
      odds('a', 'fanduel', [moneyline(-140, 120)], FRESH),
    );
    const id = await server.eventId('a');
    const of = (query: string) => server.ask(`/odds/history?${query}`);
    expect((await of(`event=${id}&book=fanduel`)).text).toContain('has not moved since FanDuel opened it');
    expect((await of(`event=${id}&book=circa`)).text).toContain('Circa has no price of this market');
    expect((await of(`event=${id}&book=fanduel&market=first_half_total`)).text).toContain('are not kept');
    expect((await of('event=99999&book=fanduel')).status).toBe(404);
    expect((await of('event=x&book=fanduel')).status).toBe(400);
    expect((await of(`event=${id}`)).status).toBe(400);
  });
});
