import { describe, expect, it, onTestFinished } from 'vitest';
import { composed, START } from '../../support/composed.ts';
import { serve } from '../../webhooks/local-endpoint.ts';
import { type Message, NFL, schedule, score } from '../spec/messages.ts';
import { openStream } from './sse-client.ts';

const FIRST = schedule(NFL, 'first', ['Home', 'Away'], '2026-03-01T10:00:00Z');
const SECOND = { ...schedule(NFL, 'second', ['Home', 'Away'], '2026-03-01T17:00:00Z'), source: 'other' };

let opened: Awaited<ReturnType<typeof composed>>;
let endpoint: Awaited<ReturnType<typeof serve>>;
let into: number;
let from: number;
/** Keys with the scopes `all` and `nba`. */
let keys: { all: string; nba: string };

async function open(): Promise<void> {
  endpoint = await serve();
  opened = await composed({ settings: { webhookAllow: ['127.0.0.0/8'] } });
  onTestFinished(() => opened.close());
  await opened.core.runner.start();
  await opened.server.webhooks.start();
  keys = { all: (await opened.newKey()).key, nba: (await opened.newKey({ scopes: ['nba'] })).key };
  await feed(FIRST, SECOND, score('first', 'inprogress', ['1', '0']));
  into = (await opened.ports.identities.findEvent('feed', 'first'))!.id;
  from = (await opened.ports.identities.findEvent('other', 'second'))!.id;
}

async function feed(...messages: readonly Message[]): Promise<void> {
  const { outcomes } = await opened.core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
  expect(outcomes.map(({ status }) => status)).toEqual(messages.map(() => 'accepted'));
  await opened.core.projected();
}

async function ask(path: string, key = keys.all, body?: unknown) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(opened.url + path, { headers, ...sent });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

describe('who follows an event that is merged into another', () => {
  it('is told of the act, and goes on with the other: webhooks, streams and pages of changes', async () => {
    await open();
    const url = endpoint.url;
    const hook = await ask('/v1/webhooks', keys.all, { url, event_types: ['score', 'identity'], event_id: from });
    expect(hook.status).toBe(201);
    const { next_after } = (await ask('/v1/changes')).body;
    const headers = { authorization: `Bearer ${keys.all}` };
    const stream = await openStream(`${opened.url}/v1/stream?event_id=${from}&types=identity,score`, headers);
    expect((await stream.next()).event).toBe('ready');

    const at = new Date(START).toISOString();
    await feed({ kind: 'identity', source: 'operator', at, action: 'merge', what: 'event', from, into });
    const page = `/v1/changes?after=${next_after}&types=identity`;
    const act = { type: 'identity', event_id: into, data: { action: 'merge', what: 'event', from, into } };
    for (const query of ['', `&event_id=${from}`, `&event_id=${into}`]) {
      const told = await ask(page + query);
      expect(told.body.changes).toMatchObject([act]);
      expect(told.headers.get('x-credits-used')).toBe('0');
    }
    expect((await ask(page, keys.nba)).body.changes).toEqual([]);

    await feed({ ...score('second', 'inprogress', ['9', '0']), source: 'other' });
    const seen: any[] = [];
    while (!seen.some(({ data }) => data?.data?.scores?.[0]?.score === '9')) seen.push(await stream.next());
    expect(seen.filter(({ event }) => event === 'identity')).toMatchObject([{ data: act }]);
    expect(seen.at(-1)).toMatchObject({ event: 'score', data: { event_id: into } });

    const later = await ask(`/v1/changes?after=${next_after}&event_id=${from}&types=score`);
    expect(later.body.changes.at(-1)).toMatchObject({ event_id: into });
    expect(later.headers.get('x-merged-into')).toBe(String(into));

    const sent = () => endpoint.received.map(({ body }) => JSON.parse(body.toString()));
    await expect.poll(() => sent().at(-1)?.data?.scores?.[0]?.score, { timeout: 10_000 }).toBe('9');
    expect(sent().filter(({ type }) => type === 'identity')).toMatchObject([{ data: act.data }]);
    stream.leave();
  });

  it('goes on with the other in an open score stream, and with its own again after the undo', async () => {
    await open();
    await feed({ ...score('second', 'inprogress', ['0', '3']), source: 'other' });
    const stream = await openStream(`${opened.url}/v1/events/${from}/stream`, { authorization: `Bearer ${keys.all}` });
    const shown = async () => {
      const { event, data } = await stream.next();
      return [event, data.event_id, data.scores?.map(({ score: points }: { score: string }) => points).join('-')];
    };
    expect(await shown()).toEqual(['score', from, '0-3']);
    const at = new Date(START).toISOString();
    const act = { kind: 'identity', source: 'operator', at };
    // What was told of the event until now is the score of both.
    await feed({ ...act, action: 'merge', what: 'event', from, into });
    await feed({ ...score('first', 'inprogress', ['1', '4']), at: '2026-03-01T11:00:00Z' });
    let last: readonly unknown[];
    do last = await shown();
    while (last[2] !== '1-4');
    expect(last).toEqual(['score', into, '1-4']);
    await feed({ ...act, action: 'undo', act: 1 });
    expect(await shown()).toEqual(['score', from, '0-3']);
    await feed({ ...score('second', 'final', ['0', '7']), source: 'other', at: '2026-03-01T12:00:00Z' });
    expect(await shown()).toEqual(['score', from, '0-7']);
    expect(await stream.next()).toMatchObject({ event: 'done', data: { event_id: from } });
  });

  it('lists what was corrected of either, by either id', async () => {
    await open();
    const final = (points: string, minute: string) => ({
      ...score('second', 'final', ['0', points]),
      source: 'other',
      at: `2026-03-01T11:${minute}:00Z`,
    });
    await feed(final('3', '10'), final('4', '20'));
    const at = new Date(START).toISOString();
    await feed({ kind: 'identity', source: 'operator', at, action: 'merge', what: 'event', from, into });
    for (const id of [from, into]) {
      const { body } = await ask(`/v1/corrections?event_id=${id}`);
      expect(body.data).toContainEqual(
        expect.objectContaining({ field: 'score', event_id: from, after: { home: '0', away: '4' }, reason: null }),
      );
    }
  });
});
