import { describe, expect, it, vi } from 'vitest';
import { formatTime } from '../../../src/domain/primitives/time.ts';
import { alertBody } from '../../../src/webhooks/formats/stored-alert.ts';
import { serviceDouble } from '../../support/alerts/service-doubles.ts';
import { newWorld, scriptedClient, status, T0, WAITS } from '../dispatching/dispatcher-harness.ts';
import { serve } from '../local-endpoint.ts';
import { alertingServer, OWNER } from './alerting.ts';

const soon = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 10_000, interval: 20 });

describe('a service that says the address is no longer good', () => {
  it.each([401, 403, 404, 410])(
    '%i: three times in a row switch the alert off, and the owner is told by one mail',
    async (code) => {
      const server = await alertingServer();
      const double = await serviceDouble('discord');
      double.outage = (response) => response.writeHead(code, { 'content-type': 'application/json' }).end('{}');
      const { id, url } = await server.subscribe({ format: 'discord', url: double.url });
      for (let sent = 1; sent <= 3; sent++) {
        await server.services.test(server.owner, id);
        await soon(async () => expect(await server.deliveries(id)).toHaveLength(sent));
        const [first] = await server.services.list(server.owner);
        expect(first!.is_active).toBe(sent < 3);
      }
      const rows = await server.deliveries(id);
      expect(rows.map((row) => [row.status_code, row.next_retry_at])).toEqual(Array(3).fill([code, null]));
      const [mail] = await server.mailed();
      expect(mail).toMatchObject({ to: OWNER, subject: 'An alert has ended' });
      expect(mail!.text).toContain(`discord: ${url}`);
      await expect(server.services.test(server.owner, id)).rejects.toMatchObject({ code: 'bad_request' });
      expect(server.mails).toEqual([]);
    },
  );

  it('a signed webhook whose endpoint is gone has its owner told by one mail what has ended and what to do', async () => {
    const server = await alertingServer();
    const endpoint = await serve((response) => response.writeHead(410).end());
    const { id } = await server.subscribe({ url: endpoint.url });
    await server.services.test(server.owner, id);
    await soon(async () => expect((await server.services.list(server.owner))[0]!.is_active).toBe(false));
    const [mail] = await server.mailed();
    expect(mail).toMatchObject({ to: OWNER, subject: 'A webhook has ended' });
    for (const text of [
      `Your webhook ${id} has ended`,
      endpoint.url,
      'gone (410)',
      'POST /v1/webhooks',
      'GET /v1/changes',
    ])
      expect(mail!.text).toContain(text);
    expect(server.mails).toEqual([]);
  });

  it('two refusals and a success leave it on', async () => {
    const server = await alertingServer();
    const double = await serviceDouble('slack');
    const { id } = await server.subscribe({ format: 'slack', url: double.url });
    const answers = [404, 404, undefined, 404, 404];
    for (const [n, code] of answers.entries()) {
      double.outage = code === undefined ? undefined : (response) => response.writeHead(code).end();
      await server.services.test(server.owner, id);
      await soon(async () => expect(await server.deliveries(id)).toHaveLength(n + 1));
    }
    expect((await server.services.list(server.owner))[0]!.is_active).toBe(true);
    expect(server.mails).toEqual([]);
  });

  it('an endpoint of webhooks ends with its first 410, as ever, and 404 does not end it', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client } = scriptedClient(world.clock, (_sent, number) => status(number <= 5 ? 404 : 410));
    for (let n = 0; n < 6; n++) await world.publish(id, {});
    world.dispatch({ client });
    await world.clock.pass(1000);
    expect(await world.store.find(id)).toMatchObject({ isActive: false, deactivated: { reason: 'gone' } });
    expect((await world.rows(id)).filter(({ statusCode }) => statusCode === 404)).toHaveLength(5);
  });
});

describe('after a 429', () => {
  it.each([
    ['discord', {}, '{"retry_after":64.2}', 65],
    ['discord', { 'retry-after': '90' }, '{"retry_after":64.2}', 90],
    ['telegram', {}, '{"ok":false,"parameters":{"retry_after":120}}', 120],
    ['telegram', {}, '{"ok":false,"parameters":{"retry_after":5}}', 30],
    ['slack', { 'retry-after': '45' }, 'rate_limited', 45],
    ['ntfy', {}, '{"code":42901,"http":429}', 30],
  ] as const)('%s with %j and %s is asked again after %i seconds', async (format, headers, body, seconds) => {
    const server = await alertingServer();
    const double = await serviceDouble(format);
    double.outage = (response) => response.writeHead(429, { 'content-type': 'application/json', ...headers }).end(body);
    const { id } = await server.subscribe({ format, url: double.url });
    await server.services.test(server.owner, id);
    await soon(async () => expect(await server.deliveries(id)).toHaveLength(1));
    const [row] = await server.deliveries(id);
    expect(row).toMatchObject({ status_code: 429, next_retry_at: formatTime(server.clock.time + seconds * 1000) });
  });
});

it.each(['discord', 'slack', 'telegram', 'ntfy'] as const)('a test sends a sample that %s takes', async (format) => {
  const server = await alertingServer();
  const double = await serviceDouble(format);
  const { id } = await server.subscribe({ format, url: double.url });
  await server.services.test(server.owner, id);
  await double.arrived(1);
  expect(double.refused).toEqual([]);
  expect(double.taken[0]!.body.toString()).toContain('This is a sample of your alert');
});

it('a test sends a sample by mail', async () => {
  const server = await alertingServer();
  const { id } = await server.subscribe({ format: 'email', url: `mailto:${OWNER}` });
  await server.services.test(server.owner, id);
  const [mail] = await server.mailed();
  expect(mail!.subject).toMatch(/^A test: This is a sample/);
});

it('a message to a service is retried by the ladder with the same bytes', async () => {
  const world = await newWorld();
  const id = await world.subscribe({ format: 'ntfy', url: 'https://ntfy.sh/my-topic-77' });
  const { client, sent } = scriptedClient(world.clock, (_sent, number) => status(number < 3 ? 503 : 200));
  const line = {
    type: 'score',
    event: 'Ä',
    eventId: 5,
    text: 'x → y',
    at: '2026-11-22T10:00:00Z',
    isUrgent: true,
  } as const;
  await world.publish(id, { body: alertBody(line) });
  world.dispatch({ client, baseUrl: () => 'https://sports.example' });
  await world.clock.pass((WAITS[0]! + WAITS[1]!) * 1000 + 1000);
  expect(sent.map(({ at }) => (at - T0) / 1000)).toEqual([0, WAITS[0], WAITS[0]! + WAITS[1]!]);
  expect(new Set(sent.map(({ body, headers }) => JSON.stringify([body, headers]))).size).toBe(1);
  expect(sent[0]!.headers).toMatchObject({
    Title: '=?UTF-8?B?w4Q=?=',
    Priority: '4',
    Click: 'https://sports.example/#/events/5',
  });
  expect(sent[0]!.headers).not.toHaveProperty('webhook-signature');
});
