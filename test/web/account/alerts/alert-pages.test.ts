import { expect, it, vi } from 'vitest';
import { serviceDouble } from '../../../support/alerts/service-doubles.ts';
import { alertingServer, GAME, OWNER, score } from '../../../webhooks/alerts/alerting.ts';

async function signedIn() {
  const server = await alertingServer();
  return { ...server, browser: await server.signedIn(OWNER) };
}

it('an alert is made from the page, tested and ended, and its token is never shown', async () => {
  const { browser, services, owner } = await signedIn();
  const double = await serviceDouble('discord');
  const made = await browser.post('/alerts', { format: 'discord', about: 'close', sport: 'nfl', url: double.url });
  expect([made.status, made.location]).toEqual([303, '/alerts']);
  const [alert] = await services.list(owner);
  expect(alert).toMatchObject({
    format: 'discord',
    filter: { types: ['score'], score: 'close_late', sports: ['nfl'] },
    quiet: { min_interval_seconds: 30 },
  });
  const page = (await browser.get('/alerts')).text;
  expect(page).toContain(alert!.url);
  expect(page).not.toContain(double.url.split('/').at(-1));

  await browser.post(`/alerts/${alert!.id}/test`);
  await double.arrived(1);
  expect(double.refused).toEqual([]);
  await browser.post(`/alerts/${alert!.id}/remove`);
  expect(await services.list(owner)).toEqual([]);
});

it('without another choice one click makes an alert by mail to the own address', async () => {
  const { browser, services, owner } = await signedIn();
  await browser.post('/alerts', {});
  expect(await services.list(owner)).toMatchObject([{ format: 'email', url: `mailto:${OWNER}` }]);
});

it.each([
  [undefined, 'discord', 'this server sends none'],
  ['smtp://127.0.0.1:1', 'email', 'to your own address'],
])('with the mail server %s the first choice is %s, and mail is said to go: %s', async (smtpUrl, first, words) => {
  const site = await alertingServer({ settings: { smtpUrl } });
  const { text } = await (await site.signedIn(OWNER)).get('/alerts/new');
  expect(/<select[^>]*name="format"[^>]*>\s*<option value="(\w+)"/.exec(text)?.[1]).toBe(first);
  expect(/<option value="email"[^>]*>([^<]*)/.exec(text)?.[1]).toContain(words);
});

it('the page shows what the alert would have said of the last real event, and of no older one', async () => {
  const { browser, feed, core } = await signedIn();
  expect((await browser.get('/alerts/new?about=score')).text).toContain('This server has no facts yet. Import');
  await feed(GAME);
  await feed(score('g1', 'inprogress', ['7', '0']));
  await feed(score('g1', 'inprogress', ['7', '3'], { at: '2026-03-01T11:01:00Z' }));
  await core.projected();
  await vi.waitFor(async () => {
    const { text } = await browser.get('/alerts/new?format=discord&about=score&sport=nfl');
    expect(text).toContain('Eagles at Chiefs');
    expect(text).toContain('Chiefs 7, Eagles 3, was 7 : 0');
    expect(text).not.toContain('imported history');
  });
  for (const query of ['about=score&sport=nba', 'about=final']) {
    const { text } = await browser.get(`/alerts/new?${query}`);
    expect(text).toMatch(/None of the newest \d+ facts on this server is of this kind and sport\. Choose another/);
  }
});

it('on a server with imported history alone the page shows a text of it, and says that no alert is sent of such', async () => {
  const { browser, feed, core } = await signedIn();
  const at = '2025-11-02T22:00:00Z';
  await feed(
    { ...GAME, starts_at: '2025-11-02T18:00:00Z', at },
    score('g1', 'final', ['7', '3'], { at: '2025-11-02T22:00:01Z' }),
  );
  await core.projected();
  const { text } = await browser.get('/alerts/new?format=discord&about=final');
  expect(text).toContain('on 2025-11-02, it would have said');
  expect(text).toContain('Eagles at Chiefs');
  expect(text).toMatch(/It is from imported history, of which no alert is sent: .* <code>FEEDS<\/code>/);
});

it('what is refused is said beside its field, and what was chosen stays', async () => {
  const { browser } = await signedIn();
  const refused = await browser.post('/alerts', {
    format: 'slack',
    about: 'final',
    sport: 'nba',
    url: 'https://ntfy.sh/x',
  });
  expect(refused.status).toBe(422);
  expect(refused.text).toMatch(/id="field-url-error">url: must/);
  expect(refused.text).toContain('<option value="slack" selected>');
  expect(refused.text).toContain('<option value="final" selected>');
  expect((await browser.post('/alerts', { about: 'nothing' })).status).toBe(422);
});

it('an alert is about one game or one league, and the list says so in words', async () => {
  const { browser, services, owner, feed, core } = await signedIn();
  await feed(GAME);
  await core.projected();
  const id = '1';
  const form = (await browser.get(`/alerts/new?event=${id}`)).text;
  expect(form).toContain(`<input type="hidden" name="event" value="${id}">`);
  expect(form).not.toContain('name="sport"');
  await browser.post('/alerts', { about: 'total', event: id });
  await browser.post('/alerts', { about: 'final', sport: 'league:epl' });
  expect((await browser.get('/alerts/new?event=999999')).status).toBe(404);
  expect((await browser.post('/alerts', { sport: 'league:none' })).status).toBe(422);

  expect(await services.list(owner)).toMatchObject([
    { filter: { types: ['line_move'], markets: ['totals'], min_line_move: 0.5, event_ids: [Number(id)] } },
    { filter: { types: ['event_final'], leagues: ['epl'] } },
  ]);
  const { text } = await browser.get('/alerts');
  for (const words of ['Final scores: Premier League', 'Totals that move by half a point or more: Eagles at Chiefs']) {
    expect(text).toContain(`<b>${words}</b>`);
  }
});
