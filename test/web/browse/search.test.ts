import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ATP, EPL, NBA, NFL, player, schedule, team } from '../../api/spec/messages.ts';
import { composed } from '../../support/composed.ts';
import { type LiveServer, serveLive } from '../live/serve-live-page.ts';

let server: LiveServer;
beforeEach(async () => {
  server = await serveLive();
  await server.feed(
    team(NFL, 'KC', 'Kansas City Chiefs', 'KC'),
    team(NFL, 'BUF', 'Buffalo Bills', 'BUF'),
    team(NFL, 'LV', 'Las Vegas Raiders', 'LV'),
    team(EPL, 'MCI', 'Manchester City', 'MCI'),
    team(EPL, 'MUN', 'Manchester United', 'MUN'),
    player('nfl', 'p1', 'Patrick Mahomes', { team_ref: 'KC', position: 'QB' }),
    player('tennis', 't1', 'Élodie Ńakamura'),
    schedule(NFL, 'a', ['Buffalo Bills', 'Kansas City Chiefs'], '2026-03-05T18:00:00Z'),
    schedule(NFL, 'b', ['Las Vegas Raiders', 'Kansas City Chiefs'], '2026-02-20T18:00:00Z'),
    schedule(NFL, 'old', ['Buffalo Bills', 'Kansas City Chiefs'], '2025-09-20T18:00:00Z'),
    schedule(ATP, 'c', ['Élodie Ńakamura', 'Some Body'], '2026-03-02T10:00:00Z'),
    schedule(NBA, 'd', ['Home <b>', 'Away'], '2026-03-02T10:00:00Z'),
  );
});
afterEach(async () => {
  await server.close();
  expect(server.failures).toEqual([]);
});

/** What a page lists, by heading. */
async function found(q: string): Promise<Record<string, string[]>> {
  const { status, text } = await server.ask(`/search?q=${encodeURIComponent(q)}`);
  expect([q, status]).toEqual([q, 200]);
  return Object.fromEntries(
    text
      .split('<section><h2>')
      .slice(1)
      .map((section) => [
        section.split('</h2>')[0],
        [...section.matchAll(/<li><a href="[^"]+">([^<]*)</g)].map(([, name]) => name!),
      ]),
  );
}

describe('the search', () => {
  it('finds by a part of a name, whatever its case and accents: team, player, league, and what comes before what is over', async () => {
    expect(await found('chiefs')).toEqual({
      Teams: ['Kansas City Chiefs'],
      'Coming events': ['Kansas City Chiefs at Buffalo Bills'],
      'Past events': ['Kansas City Chiefs at Las Vegas Raiders'],
    });
    expect(await found('NAKAMURA')).toEqual({
      Players: ['Élodie Ńakamura'],
      'Coming events': ['Élodie Ńakamura v. Some Body'],
    });
    expect(await found('mahom')).toEqual({ Players: ['Patrick Mahomes'] });
    expect(await found('premier')).toEqual({ Leagues: ['Premier League'] });
  });

  it('lists first what the resolver of the API means by a name', async () => {
    expect((await found('man utd'))['Teams']).toEqual(['Manchester United']);
    expect((await found('manchester'))['Teams']).toEqual(['Manchester City', 'Manchester United']);
  });

  it.each(['Chiefs at Bills', 'bills vs chiefs', 'Bills – Chiefs', 'KC @ BUF'])(
    'finds the games of two sides, of earlier seasons too: %s',
    async (q) => {
      expect(await found(q)).toMatchObject({
        'Coming events': ['Kansas City Chiefs at Buffalo Bills'],
        'Past events': ['Kansas City Chiefs at Buffalo Bills'],
      });
    },
  );

  it('given two sides of which one is unknown, or that never meet, then there are no games', async () => {
    expect(Object.keys(await found('Chiefs vs nobody at all'))).not.toContain('Past events');
    expect(Object.keys(await found('Chiefs vs Manchester City'))).toEqual(['Teams']);
  });

  it.each([
    ['cheifs', ['Kansas City Chiefs']],
    ['kansas city chefs', ['Kansas City Chiefs']],
    ['Chiefss', ['Kansas City Chiefs']],
    ['manchestre untied', ['Manchester United']],
  ])('finds a team whose name has a typo, and says that it is not called so: %s', async (q, teams) => {
    const { text } = await server.ask(`/search?q=${encodeURIComponent(q)}`);
    expect((await found(q))['Teams']).toEqual(teams);
    expect(text).toContain(`<p>Nothing here is called “${q}”. This is called almost so:</p>`);
  });

  it('finds a player whose names both have a typo, and the games of two sides with typos', async () => {
    expect(await found('patrik mahomse')).toEqual({ Players: ['Patrick Mahomes'] });
    expect(await found('cheifs vs biills')).toMatchObject({
      'Coming events': ['Kansas City Chiefs at Buffalo Bills'],
      'Past events': ['Kansas City Chiefs at Buffalo Bills'],
    });
  });

  it.each(['chiefs bills', 'kansas city buffalo', 'cheifs bills'])(
    'finds the games of two sides without a word between them: %s',
    async (q) => {
      expect(await found(q)).toMatchObject({
        Teams: ['Kansas City Chiefs', 'Buffalo Bills'],
        'Coming events': ['Kansas City Chiefs at Buffalo Bills'],
        'Past events': ['Kansas City Chiefs at Buffalo Bills'],
      });
    },
  );

  it('takes no short word, and no word with two typos, for another one', async () => {
    for (const q of ['bils', 'chefss', 'rvs']) {
      expect([q, Object.keys(await found(q))]).toEqual([q, []]);
    }
  });

  it('is counted as what is made from histories: 120 of an address in a minute, the page without a name apart', async () => {
    const statuses: number[] = [];
    for (let asked = 0; asked <= 120; asked++) statuses.push((await server.ask('/search?q=chiefs')).status);
    expect([new Set(statuses.slice(0, 120)), statuses[120]]).toEqual([new Set([200]), 429]);
    expect((await server.ask('/search')).status).toBe(200);
  });

  it('says so where nothing has the name, and lists all leagues without one', async () => {
    const none = await server.ask('/search?q=nobody%20at%20all%3Cscript%3E');
    expect(none.text).toContain('<p class="empty">Nothing here is called “nobody at all&lt;script&gt;”.</p>');
    expect((await found(''))['All leagues']).toHaveLength(16);
    expect((await found('x'))['All leagues']).toHaveLength(16);
  });

  it('is a page that browsers revalidate, and that search engines leave out', async () => {
    const { headers, text } = await server.ask('/search?q=chiefs');
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    expect(text).toContain('<meta name="robots" content="noindex">');
    const again = await server.ask('/search?q=chiefs', { headers: { 'if-none-match': headers.etag! } });
    expect(again.status).toBe(304);
  });

  it('suggests as one types: options of a list, of our own pages alone', async () => {
    const { text, headers } = await server.ask('/search/suggestions?q=chie');
    expect(text).toMatch(
      /^<li role="option" data-to="\/teams\/\d+">Kansas City Chiefs<span class="suggestion-about">Team · National Football League<\/span><\/li>/,
    );
    expect(text).toContain('Event · 2026-03-05 · National Football League');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' });
    expect((await server.ask('/search/suggestions?q=c')).text).toBe('');
    expect((await server.ask('/search/suggestions?q=home%20%3C')).text).not.toContain('<b>');
  });

  it('tells of wrong requests on a page, and answers no other name of the machine', async () => {
    const long = await server.ask(`/search?q=${'x'.repeat(201)}`);
    expect([long.status, long.text.includes('<h1>')]).toEqual([422, true]);
    const headers = { host: 'evil.example' };
    expect((await server.ask('/search?q=chiefs', { headers })).status).toBe(403);
    const other = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await server.ask('/search?q=chiefs', { headers: other })).status).toBe(200);
    expect((await server.ask('/search/suggestions?q=chiefs', { headers: other })).status).toBe(403);
  });

  it('has a field in the header of every page, and none where the live page is off', async () => {
    for (const path of ['/forecasts', '/docs', '/login']) {
      expect([path, (await server.ask(path)).text.includes('id="site-search"')]).toEqual([path, true]);
    }
    const off = await composed();
    try {
      expect((await fetch(`${off.url}/search?q=chiefs`)).status).toBe(404);
      expect((await fetch(`${off.url}/search/suggestions?q=chiefs`)).status).toBe(404);
      expect(await (await fetch(`${off.url}/record`)).text()).not.toContain('site-search');
    } finally {
      await off.close();
    }
  });
});
