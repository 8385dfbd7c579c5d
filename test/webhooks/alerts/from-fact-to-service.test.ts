import { expect, it, vi } from 'vitest';
import { decodeHeader, isTelegramHtml, serviceDouble } from '../../support/alerts/service-doubles.ts';
import { alertingServer, GAME, injury, NFL, OWNER, score } from './alerting.ts';

const arrived = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 20 });

it('a new score reaches Discord, Slack, Telegram and ntfy, with what it was before and a link to the event', async () => {
  const server = await alertingServer();
  const doubles = {
    discord: await serviceDouble('discord'),
    slack: await serviceDouble('slack'),
    telegram: await serviceDouble('telegram'),
    ntfy: await serviceDouble('ntfy'),
  };
  for (const [format, { url }] of Object.entries(doubles)) await server.subscribe({ format: format as 'discord', url });

  await server.feed(GAME);
  await server.feed(score('g1', 'inprogress', ['7', '0']));
  await server.feed(score('g1', 'inprogress', ['7', '3']));
  for (const double of Object.values(doubles)) await double.arrived(2);

  const bodies = (double: keyof typeof doubles) => doubles[double].taken.map(({ body }) => body.toString());
  const told = /Chiefs 7, Eagles 3, was 7 : 0.*UTC/;
  const discord = JSON.parse(bodies('discord')[1]!);
  // Discord shows the content above the embed: what is told stands in the content alone.
  expect(discord).toEqual({
    content: expect.stringMatching(/^Eagles at Chiefs: .*Chiefs 7, Eagles 3, was 7 : 0.*UTC\\\)$/),
    embeds: [{ title: 'Open the event', url: expect.stringMatching(/\/#\/events\/1$/), timestamp: expect.any(String) }],
    allowed_mentions: { parse: [] },
  });
  expect(JSON.parse(bodies('slack')[1]!).text).toMatch(told);
  const telegram = JSON.parse(bodies('telegram')[1]!);
  expect(telegram).toEqual({ text: expect.stringMatching(told), parse_mode: 'HTML' });
  expect(isTelegramHtml(telegram.text)).toBe(true);
  const [, ntfy] = doubles.ntfy.taken;
  expect(ntfy!.body.toString()).toMatch(told);
  expect(decodeHeader(String(ntfy!.headers['title']))).toBe('Eagles at Chiefs');
  expect(ntfy!.headers['click']).toMatch(/\/#\/events\/1$/);
  expect(Object.values(doubles).flatMap(({ refused }) => refused)).toEqual([]);
});

it('what the demo invents says so, in the words of the pages', async () => {
  const server = await alertingServer({ simulated: () => true });
  const doubles = { discord: await serviceDouble('discord'), ntfy: await serviceDouble('ntfy') };
  for (const [format, { url }] of Object.entries(doubles)) await server.subscribe({ format: format as 'discord', url });
  await server.feed(GAME);
  await server.feed(score('g1', 'inprogress', ['7', '0']));
  for (const double of Object.values(doubles)) await double.arrived(1);
  const { content } = JSON.parse(doubles.discord.taken[0]!.body.toString());
  expect(content).toMatch(/^Eagles at Chiefs \\\(simulated\\\): /);
  expect(content).toMatch(/\nSimulated: the games on this server are invented\.$/);
  expect(decodeHeader(String(doubles.ntfy.taken[0]!.headers['title']))).toBe('Eagles at Chiefs (simulated)');
  const browser = await server.signedIn(OWNER);
  const preview = (await browser.get('/alerts/new?about=score')).text;
  expect(preview).toContain('Eagles at Chiefs (simulated)');
});

it('an answer has the types of the filter in both places, since they go before event_types', async () => {
  const server = await alertingServer();
  const { url } = await serviceDouble('discord');
  const filter = { types: ['injury', 'ev', 'injury'] } as const;
  const made = await server.subscribe({ format: 'discord', url, event_types: ['score', 'status'], filter });
  const plain = await server.subscribe({ format: 'discord', url, event_types: ['score'], filter: { sports: ['nfl'] } });
  expect([made.event_types, plain.event_types]).toEqual([['injury', 'ev'], ['score']]);
  const listed = await server.services.list(server.owner);
  expect(listed.map(({ event_types }) => event_types)).toEqual([['injury', 'ev'], ['score']]);
});

it('the token of an address is in no answer, no row and no log', async () => {
  const server = await alertingServer();
  const double = await serviceDouble('discord');
  const token = double.url.split('/').at(-1)!;
  const made = await server.subscribe({ format: 'discord', url: double.url });
  expect(made.url).toMatch(/\/api\/webhooks\/…\/….{4}$/);
  expect((await server.services.list(server.owner)).map(({ url }) => url)).toEqual([made.url]);
  double.outage = (response) => response.writeHead(400).end('no');
  await server.services.test(server.owner, made.id);
  await arrived(async () => expect(await server.deliveries(made.id)).toHaveLength(1));
  const rows = await server.deliveries(made.id);
  expect(JSON.stringify([made, rows, server.logged])).not.toContain(token);
});

it('an alert by mail goes to the owner, is charged as a webhook is, and one click ends it', async () => {
  const server = await alertingServer();
  const { id } = await server.subscribe({ format: 'email', url: `mailto:${OWNER}` });
  await server.feed(GAME);
  await server.feed(injury(NFL, 'Chiefs', 'Quarter <Back>', 'out'));
  const [mail] = await server.mailed();
  expect(mail).toMatchObject({ to: OWNER, subject: expect.stringContaining('Eagles at Chiefs') });
  expect(mail!.text).toContain('Quarter <Back> (Chiefs): available → out');
  expect(mail!.html).toContain('Quarter &lt;Back&gt;');
  const [row] = await server.deliveries(id);
  expect(row).toMatchObject({ event_type: 'injury', success: true, status_code: null });

  // Whoever checks mails for viruses opens the link: that ends nothing.
  const link = new URL(mail!.oneClickEnd!);
  const path = link.pathname + link.search;
  const scanner = server.browser();
  expect((await scanner.get(path)).status).toBe(200);
  expect((await server.services.list(server.owner))[0]!.is_active).toBe(true);
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const clicked = await server
      .browser()
      .go(path, { method: 'POST', headers: { 'content-type': type }, body: 'List-Unsubscribe=One-Click' });
    expect(clicked.status).toBe(200);
  }
  expect((await server.services.list(server.owner))[0]!.is_active).toBe(false);
  expect((await server.browser().go('/alerts/end?token=v1.wrong', { method: 'POST' })).status).toBe(410);
});

it.each(['mailto:eve@e.example', 'mailto:', OWNER])('a mail never goes to %s', async (url) => {
  const server = await alertingServer();
  await expect(server.subscribe({ format: 'email', url })).rejects.toMatchObject({ code: 'validation_error' });
});

it('an address that is not of the service is refused', async () => {
  const server = await alertingServer();
  const { url } = await serviceDouble('slack');
  await expect(server.subscribe({ format: 'discord', url })).rejects.toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('https://discord.com/api/webhooks/ID/TOKEN'),
  });
});
