import { mkdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, formatTime, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { type Message, NFL, schedule, score } from '../../api/spec/messages.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { type Composed, composed, START } from '../../support/composed.ts';
import { serve } from '../../webhooks/local-endpoint.ts';

/* Fault 2, afterwards: the folder's last record lies three years ahead of the clock. */

const AHEAD = START + 1000 * DAY;
const GAME = schedule(NFL, 'g1', ['Chiefs', 'Bills'], '2026-03-01T11:30:00Z', { at: '2026-03-01T08:00:00Z' });
const folders = temporaryFolder();
let count = 0;
let folder: string;
let server: Composed;
beforeEach(() => {
  folder = folders.path(`folder-${++count}`);
  mkdirSync(folder);
});
afterEach(() => server.close());

const settings = { bootstrapKey: BOOTSTRAP_KEY, webhookAllow: ['127.0.0.0/8'] };
async function open(time: number): Promise<Composed> {
  server = await composed({ folder, time, settings });
  await server.server.webhooks.start();
  await server.core.runner.start();
  await server.core.projected();
  return server;
}
async function ask(path: string, given = BOOTSTRAP_KEY, body?: unknown) {
  const headers = { authorization: `Bearer ${given}`, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(server.url + path, init);
  return { status: response.status, body: (await response.json()) as any };
}
async function feed(...messages: readonly Message[]): Promise<void> {
  await server.core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
  await server.core.projected();
}
const at = (time: number) => ({ at: formatTime(time) });

/** A folder whose log was empty takes any clock: the one of three years later. */
async function spoil(): Promise<void> {
  await open(AHEAD);
  await feed(GAME);
  await server.close();
}

describe('fault 2: a log that is ahead of the clock', () => {
  it('is served and added to, with the time of its last record, and health says so', async () => {
    await spoil();
    await open(START);
    await feed(score('g1', 'inprogress', ['7', '0'], at(START - MINUTE)));

    expect((await ask('/v1/health')).body).toMatchObject({ status: 'degraded', reasons: ['log_ahead'] });
    const [last] = await server.ports.log.readBackwards(1);
    expect([last!.type, last!.recordedAt]).toEqual(['ScoreChanged', new Date(AHEAD).toISOString()]);
    const health = async (time: number) => {
      server.clock.uptime = server.clock.time = time;
      return (await ask('/v1/health')).body.reasons;
    };
    expect(await health(AHEAD - 5 * MINUTE - 1)).toEqual(['log_ahead']);
    expect(await health(AHEAD - 5 * MINUTE + 1000)).toBeUndefined();
  });

  it('tells subscribers of news, by the clock of now', async () => {
    await spoil();
    await open(START);
    const endpoint = await serve();
    await ask('/v1/webhooks', BOOTSTRAP_KEY, { url: endpoint.url, event_types: ['score'] });
    // History, then news.
    await feed(score('g1', 'inprogress', ['3', '0'], at(START - DAY - 1)));
    await feed(score('g1', 'inprogress', ['7', '0'], at(START - DAY)));
    await endpoint.arrived(1);

    expect(endpoint.received).toHaveLength(1);
    const { timestamp, data } = JSON.parse(String(endpoint.received[0]!.body)) as any;
    expect(timestamp).toBe(new Date(START).toISOString());
    expect(data).toMatchObject({ event_id: 1, updated_at: formatTime(START) });
  });

  it('shows no updated_at that lies ahead of the clock by more than 5 minutes', async () => {
    await spoil();
    await open(START);
    const shown = async () => {
      const [detail, snapshot, batch] = [
        await ask('/v1/events/1'),
        await ask('/v1/events/1/score'),
        await ask('/v1/events/batch', BOOTSTRAP_KEY, { event_ids: [1] }),
      ];
      const ofPast = await ask('/v1/events/1?as_of=2026-03-01T12:00:00Z&as_of_basis=observed');
      return [detail.body, snapshot.body, batch.body.events[0], ofPast.body].map((body) => body.updated_at as string);
    };
    expect(await shown()).toEqual(Array.from({ length: 4 }, () => formatTime(START)));
    const stream = await fetch(`${server.url}/v1/events/1/stream`, {
      headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` },
    });
    const reader = stream.body!.getReader();
    let text = '';
    while (!text.includes('updated_at')) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    expect(text).toContain(`"updated_at":"${formatTime(START)}"`);
  });

  it('keeps what lies ahead by 5 minutes or less as it was recorded', async () => {
    await open(START);
    await feed(GAME);
    server.clock.uptime = server.clock.time = START - 5 * MINUTE;
    expect((await ask('/v1/events/1')).body.updated_at).toBe(formatTime(START));
  });

  it('grants the credits of this month, and ends those of a trial after 24 hours of the clock', async () => {
    await spoil();
    await open(START);
    const { key } = await server.newKey({ plan: 'growth' });
    expect((await ask('/v1/sports', key)).status).toBe(200);
    expect((await ask('/api/agent/credits', key)).body).toMatchObject({ credits_used: 1, total_remaining: 49_999 });
    const trial = await server.newKey({ plan: 'trial' });
    expect((await ask('/v1/sports', trial.key)).status).toBe(200);
    server.clock.time += DAY - HOUR;
    expect((await ask('/v1/sports', trial.key)).status).toBe(200);
    server.clock.time += HOUR;
    expect((await ask('/v1/sports', trial.key)).status).toBe(402);
  });

  it('an answer that was kept is not shown when the clock is set back from a wrong time that was accepted', async () => {
    await open(AHEAD);
    await feed(GAME);
    expect((await ask('/v1/events/1')).body.updated_at).toBe(formatTime(AHEAD));
    server.clock.uptime = server.clock.time = START;
    expect((await ask('/v1/events/1')).body.updated_at).toBe(formatTime(START));
  });
});
