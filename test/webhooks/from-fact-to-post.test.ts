import { createHmac } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { injury, type Message, NFL, schedule, score } from '../api/spec/messages.ts';
import { composed } from '../support/composed.ts';
import { serve } from './local-endpoint.ts';

const GAME = schedule(NFL, 'g1', ['Home', 'Away'], '2026-03-01T18:00:00Z');

/** The whole server, which sends; and an endpoint that is subscribed to scores and injuries. */
async function subscribed() {
  const endpoint = await serve();
  const opened = await composed({ settings: { webhookAllow: ['127.0.0.0/8'] } });
  onTestFinished(() => opened.close());
  const { core, server, url } = opened;
  await core.runner.start();
  await server.webhooks.start();
  const { key } = await opened.newKey();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ask = async (path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await fetch(url + path, { headers, ...sent })).json() as Promise<any>;
  };
  const hook = await ask('/v1/webhooks', { url: endpoint.url, event_types: ['score', 'injury'] });
  async function feed(...messages: readonly Message[]): Promise<void> {
    const { outcomes } = await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
    expect(outcomes.map(({ status }) => status)).toEqual(messages.map(() => 'accepted'));
  }
  return { endpoint, ask, hook, feed };
}

it('an ingested fact reaches its subscribers, signed, in order, and is charged', async () => {
  const { endpoint, ask, hook, feed } = await subscribed();
  const left = async () => (await ask('/api/agent/credits')).total_remaining;
  const before = await left();

  await feed(GAME);
  await feed(score('g1', 'inprogress', ['7', '0']));
  await feed(score('g1', 'inprogress', ['7', '3']));
  await feed(injury(NFL, 'Home', 'Quarter Back', 'out'));
  await endpoint.arrived(3);

  const told = endpoint.received.map(({ headers, body }) => {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    // The verifier of the standard's makers goes by the clock on the wall.
    const mac = createHmac('sha256', Buffer.from(hook.signing_secret.slice('whsec_'.length), 'base64'));
    expect(headers['webhook-signature']).toBe(`v1,${mac.update(signed).digest('base64')}`);
    return JSON.parse(body.toString()).data;
  });
  const scores = told.flatMap((data) =>
    data.scores ? [data.scores.map((side: { score: string }) => side.score)] : [],
  );
  expect(scores).toEqual([
    ['7', '0'],
    ['7', '3'],
  ]);
  // A score is free, an injury is not.
  await expect.poll(left, { timeout: 10_000, interval: 500 }).toBe(before - 0.5);
});
