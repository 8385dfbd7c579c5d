import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createHttpServer } from '../../../src/api/http/server/http-server.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { BOOTSTRAP_KEY } from '../../api/agent/serving.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { NFL, odds, schedule, score } from '../../api/spec/messages.ts';
import { openStream } from '../../api/streams/sse-client.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { type ComposedOptions, composed } from '../../support/composed.ts';
import { serve } from '../../webhooks/local-endpoint.ts';
import { parseExposition, sampleOf } from './exposition.ts';

const folder = temporaryFolder();
const GAME = schedule(NFL, 'g1', ['Chiefs', 'Bills'], '2026-03-08T18:00:00Z');
let close = async () => {};
afterEach(() => close());

async function open(options: ComposedOptions = {}) {
  const server = await composed({
    ...options,
    settings: { bootstrapKey: BOOTSTRAP_KEY, ingestKey: 'ingest', ...options.settings },
  });
  await server.core.runner.start();
  await server.core.projected();
  const scrapeText = async () => {
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } });
    expect(response.status).toBe(200);
    return response.text();
  };
  close = async () => {
    await server.close();
    expect(server.failures).toEqual([]);
  };
  const ask = (path: string, key: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
  const ingest = async (...messages: readonly unknown[]) => {
    const body = messages.map((one) => `${JSON.stringify(one)}\n`).join('');
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await ask('/ingest/v1/messages?wait=projected', 'ingest', { method: 'POST', body, headers });
    await answer.json();
  };
  return { ...server, ask, ingest, scrapeText, scrape: async () => parseExposition(await scrapeText()) };
}

describe('GET /metrics on the main port', () => {
  it('is there for the bootstrap key alone', async () => {
    const { url, newKey, ask } = await open();
    const { key } = await newKey();
    const answers = await Promise.all([fetch(`${url}/metrics`), ask('/metrics', key), ask('/metrics', BOOTSTRAP_KEY)]);

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200]);
    const refusal = (await answers[1]!.json()) as { error: { code: string } };
    expect([refusal.error.code, answers[1]!.headers.get('www-authenticate')]).toEqual(['unauthorized', 'Bearer']);
    expect(answers[2]!.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('is there for nobody where no bootstrap key is set', async () => {
    const { ask } = await open({ settings: { bootstrapKey: undefined } });
    const answer = await ask('/metrics', BOOTSTRAP_KEY);

    expect([answer.status, ((await answer.json()) as any).error.code]).toEqual([401, 'unauthorized']);
  });

  it('is only read', async () => {
    const { ask } = await open();
    const answer = await ask('/metrics', BOOTSTRAP_KEY, { method: 'POST' });

    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await ask('/metrics', BOOTSTRAP_KEY, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('the listener for a port of its own', () => {
  it('tells the metrics to everybody, and nothing else', async () => {
    const { server } = await open();
    const own = createHttpServer(
      server.metricsListener,
      () => 'http://localhost',
      () => 'id',
    );
    const url = `http://127.0.0.1:${await listenBelow32768(own)}`;
    onTestFinished(() => {
      own.closeAllConnections();
      own.close();
    });
    const answer = await fetch(`${url}/metrics?x=1`);

    expect(answer.status).toBe(200);
    expect(parseExposition(await answer.text()).size).toBeGreaterThan(20);
    for (const path of ['/', '/v1/health', '/healthz', '/metrics/']) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    }
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
  });
});

describe('the metrics tell', () => {
  it('calls by operation and status, how long they took, what they cost, and why others were refused', async () => {
    const { url, newKey, ask, ingest, ports, scrape } = await open({
      settings: { plans: { ...DEFAULT_PLANS, small: { ...DEFAULT_PLANS['free']!, requests_per_minute: 3 } } },
    });
    await ingest(GAME);
    const { id } = (await ports.identities.findEvent('feed', 'g1'))!;
    const { key } = await newKey({ plan: 'small' });
    const before = await scrape();
    const statuses = [];
    for (const path of [`/v1/events/${id}`, `/v1/events/${id}`, '/v1/events/99', `/v1/events/${id}`, '/v1/nothing']) {
      statuses.push((await ask(path, key)).status);
    }
    await fetch(`${url}/v1/events/${id}`);
    const after = await scrape();

    expect(statuses).toEqual([200, 200, 404, 429, 429]);
    const operation = 'get_event';
    const requests = (labels: Record<string, string>) => sampleOf(after, 'ledgerline_requests_total', labels);
    expect(requests({ operation, status: '2xx' })).toBe(2);
    expect(requests({ operation, status: '4xx' })).toBe(3);
    expect(requests({ operation: 'none', status: '4xx' })).toBe(1);
    expect(sampleOf(after, 'ledgerline_request_duration_seconds_count', { operation })).toBe(5);
    const refusals = (code: string) => sampleOf(after, 'ledgerline_refusals_total', { code });
    expect([refusals('rate_limit_exceeded'), refusals('not_found'), refusals('unauthorized')]).toEqual([2, 1, 1]);
    const credits = (of: typeof after) => sampleOf(of, 'ledgerline_credits_charged_total')!;
    expect(credits(before)).toBe(0);
    expect(credits(after)).toBe(2);
  });

  it('no names but those of operations, however many paths and methods are tried', async () => {
    const { newKey, ask, scrapeText } = await open();
    const { key } = await newKey();
    for (let n = 0; n < 15; n++) await ask(`/v1/odd-path-${n}`, key, { method: n % 2 === 0 ? 'PUT' : 'GET' });
    const text = await scrapeText();

    expect(text).not.toContain('odd-path');
    expect(text).not.toContain(key.slice(4, 16));
    const { samples } = parseExposition(text).get('ledgerline_requests_total')!;
    expect(samples.map(({ labels }) => labels['operation'])).toEqual(['none']);
  });

  it('messages by what became of them, commits and records of the log, and the quarantine', async () => {
    const data = folder.path('ingest');
    mkdirSync(data);
    const first = await open({ folder: data });
    await first.ingest(GAME, GAME, score('g2', 'inprogress'), { kind: 'nothing' });
    const told = await first.scrape();
    const messages = (outcome: string) => sampleOf(told, 'ledgerline_ingest_messages_total', { outcome });

    expect(['accepted', 'unchanged', 'quarantined', 'rejected'].map(messages)).toEqual([1, 1, 1, 1]);
    expect(sampleOf(told, 'ledgerline_ingest_duration_seconds_count')).toBe(1);
    expect(sampleOf(told, 'ledgerline_log_commits_total')).toBe(1);
    expect(sampleOf(told, 'ledgerline_log_records_total')).toBeGreaterThan(0);
    expect(sampleOf(told, 'ledgerline_log_flush_duration_seconds_count')).toBe(1);
    expect(sampleOf(told, 'ledgerline_quarantined_messages')).toBe(1);
    expect(sampleOf(told, 'ledgerline_disk_bytes', { file: 'database' })).toBeGreaterThan(0);
    expect(sampleOf(told, 'ledgerline_disk_bytes', { file: 'wal' })).toBeGreaterThan(0);
    expect(sampleOf(told, 'ledgerline_disk_free_bytes')).toBeGreaterThan(0);
    expect(sampleOf(told, 'ledgerline_log_kind_records', { kind: 'EventScheduled' })).toBe(1);
    expect(sampleOf(told, 'ledgerline_log_kind_bytes', { kind: 'EventScheduled' })).toBeGreaterThan(100);

    await close();
    const second = await open({ folder: data });
    expect(sampleOf(await second.scrape(), 'ledgerline_quarantined_messages')).toBe(1);
    await second.ingest(schedule(NFL, 'g2', ['Jets', 'Giants'], '2026-03-08T18:00:00Z'));
    expect(sampleOf(await second.scrape(), 'ledgerline_quarantined_messages')).toBe(0);
  });

  it('how far a projection is in each partition, where several instances divide the log', async () => {
    const { core, scrape } = await open();
    const told = { name: 'events', version: 1, state: 'live', position: null, lag_events: 0, lag_seconds: 0 } as const;
    const late = { ...told, partition: '7', state: 'catching-up', lag_events: 3, lag_seconds: 1.5 } as const;
    Object.assign(core.runner, { status: () => [{ ...told, partition: '6' }, late] });
    const samples = await scrape();
    const of = (name: string, partition: string, more = {}) =>
      sampleOf(samples, `ledgerline_projection_${name}`, { projection: 'events', partition, ...more });
    expect([of('lag_seconds', '6'), of('lag_seconds', '7')]).toEqual([0, 1.5]);
    expect([of('lag_events', '6'), of('lag_events', '7')]).toEqual([0, 3]);
    expect([of('state', '7', { state: 'catching-up' }), of('state', '7', { state: 'live' })]).toEqual([1, 0]);
  });

  it('how far every projection and follower is', async () => {
    const { core, ingest, scrape, server } = await open();
    await server.webhooks.start();
    await ingest(GAME);
    const told = await scrape();

    const names = core.runner.status().map(({ name }) => name);
    expect(names.length).toBeGreaterThan(5);
    for (const projection of names) {
      expect(sampleOf(told, 'ledgerline_projection_lag_events', { projection })).toBe(0);
      expect(sampleOf(told, 'ledgerline_projection_lag_seconds', { projection })).toBe(0);
      expect(sampleOf(told, 'ledgerline_projection_state', { projection, state: 'live' })).toBe(1);
      expect(sampleOf(told, 'ledgerline_projection_state', { projection, state: 'stopped' })).toBe(0);
    }
    const state = (follower: string, state: string) => sampleOf(told, 'ledgerline_follower_state', { follower, state });
    expect(state('score-streams', 'idle')).toBe(1);
    expect(sampleOf(told, 'ledgerline_follower_lag_events', { follower: 'score-streams' })).toBe(0);
    expect(state('webhooks', 'stopped')).toBe(0);
    expect(sampleOf(told, 'ledgerline_follower_lag_events', { follower: 'webhooks' })).toBeGreaterThanOrEqual(0);
  });

  it('streams that are open, which are no call before they end', async () => {
    const { url, newKey, ingest, ports, scrape } = await open();
    await ingest(GAME);
    const { id } = (await ports.identities.findEvent('feed', 'g1'))!;
    const { key } = await newKey();
    const stream = await openStream(`${url}/v1/events/${id}/stream`, { authorization: `Bearer ${key}` });
    const during = await scrape();
    const operation = 'stream_scores';

    expect(sampleOf(during, 'ledgerline_open_streams', { kind: 'scores' })).toBe(1);
    expect(sampleOf(during, 'ledgerline_follower_state', { follower: 'score-streams', state: 'live' })).toBe(1);
    expect(sampleOf(during, 'ledgerline_requests_total', { operation, status: '2xx' })).toBeUndefined();
    stream.leave();
    await expect.poll(async () => sampleOf(await scrape(), 'ledgerline_open_streams', { kind: 'scores' })).toBe(0);
    const after = await scrape();
    expect(sampleOf(after, 'ledgerline_requests_total', { operation, status: '2xx' })).toBe(1);
    expect(sampleOf(after, 'ledgerline_request_duration_seconds_count', { operation })).toBeUndefined();
    expect(sampleOf(after, 'ledgerline_follower_state', { follower: 'score-streams', state: 'idle' })).toBe(1);
  });

  it('what every cache holds, and what it may hold', async () => {
    const { newKey, ask, ingest, ports, scrape } = await open({ settings: { livePage: true } });
    await ingest(GAME, odds('g1', 'draftkings', []));
    const { id } = (await ports.identities.findEvent('feed', 'g1'))!;
    const { key } = await newKey();
    await ask(`/v1/events/${id}`, key);
    await ask(`/v1/events/${id}?as_of=2026-03-01T12:00:00Z`, key);
    await ask('/live/board?date=2026-03-08', key);
    const told = await scrape();
    const bytes = (cache: string) => sampleOf(told, 'ledgerline_cache_bytes', { cache })!;
    const limit = (cache: string) => sampleOf(told, 'ledgerline_cache_limit_bytes', { cache });

    for (const cache of ['answers', 'decider-states', 'as-of', 'identities', 'board']) {
      expect([cache, bytes(cache) > 0, bytes(cache) <= limit(cache)!]).toEqual([cache, true, true]);
    }
    expect([bytes('decider-histories'), limit('decider-histories')]).toEqual([0, 64 * 1024 * 1024]);
    // Renamed caches have their former names beside the new ones, for one version.
    expect(limit('deciding-states')).toBe(limit('decider-states'));
    expect([bytes('deciding-histories'), limit('deciding-histories')]).toEqual([0, 64 * 1024 * 1024]);
    // Nothing is kept of a store that is in memory itself.
    expect([bytes('derived-documents'), limit('derived-documents')]).toEqual([0, undefined]);
    expect([bytes('limits') > 0, limit('limits')]).toEqual([true, undefined]);
    expect([bytes('stream-buffers'), limit('stream-buffers')]).toEqual([0, undefined]);
  });

  it('what is owed to webhooks, and what attempts came to', async () => {
    const statuses = [500, 200];
    const receiver = await serve((response) => response.writeHead(statuses.shift() ?? 200).end());
    const { newKey, ask, ingest, server, scrape } = await open({
      settings: { webhookAllow: ['127.0.0.0/8'], webhookRetrySeconds: [3600] },
      time: Date.now(),
    });
    await server.webhooks.start();
    const { key } = await newKey();
    const headers = { 'content-type': 'application/json' };
    const wish = JSON.stringify({ url: receiver.url, event_types: ['status'] });
    const created = await ask('/v1/webhooks', key, { method: 'POST', body: wish, headers });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: number };
    const attempts = async (outcome: string) =>
      sampleOf(await scrape(), 'ledgerline_webhook_attempts_total', { outcome });
    const owed = async () => sampleOf(await scrape(), 'ledgerline_webhooks_owed_messages');

    expect(await owed()).toBe(0);
    await ask(`/v1/webhooks/${id}/test`, key, { method: 'POST', body: '{}', headers });
    await expect.poll(() => attempts('failed')).toBe(1);
    expect(await owed()).toBe(1);
    await ask(`/v1/webhooks/${id}/test`, key, { method: 'POST', body: '{}', headers });
    await expect.poll(() => attempts('delivered')).toBe(1);
    expect([await owed(), await attempts('given_up'), await attempts('skipped')]).toEqual([1, 0, 0]);
    await ask(`/v1/webhooks/${id}`, key, { method: 'DELETE' });
    expect(await owed()).toBe(0);
    await ingest(GAME);
  });

  it('how long something has held the event loop, of the time since the last scrape', async () => {
    const { scrape } = await open();
    const longest = async () => sampleOf(await scrape(), 'ledgerline_event_loop_delay_seconds', { quantile: '1' })!;
    await longest();
    // What is measured is the time between two timers of 20 ms: the first one since the scrape must have run.
    await setTimeout(60);
    const until = performance.now() + 300;
    while (performance.now() < until);
    // A scrape over a connection would come in a later turn of the loop, too.
    await setTimeout(1);
    const held = await longest();

    expect(held).toBeGreaterThan(0.25);
    expect(await longest()).toBeLessThan(held);
  });

  it('what they could of the rest, where one of them fails', async () => {
    const one = await open({
      around: (ports) => ({
        ...ports,
        counts: {
          ...ports.counts,
          webhooksOwed: () => {
            throw new Error('not now');
          },
        },
      }),
    });
    await one.scrape();
    const told = await one.scrape();

    expect(sampleOf(told, 'ledgerline_webhooks_owed_messages')).toBeUndefined();
    expect(sampleOf(told, 'ledgerline_scrape_errors_total', { metric: 'ledgerline_webhooks_owed_messages' })).toBe(1);
    expect(sampleOf(told, 'ledgerline_quarantined_messages')).toBe(0);
    expect(one.failures.splice(0).map(String)).toEqual(['Error: not now', 'Error: not now']);
  });

  it('each server its own numbers', async () => {
    const one = await open();
    const other = await composed({ settings: { bootstrapKey: BOOTSTRAP_KEY } });
    onTestFinished(() => other.close());
    const { key } = await one.newKey();
    await one.ask('/v1/health', key);
    const headers = { authorization: `Bearer ${BOOTSTRAP_KEY}` };
    const told = parseExposition(await (await fetch(`${other.url}/metrics`, { headers })).text());

    expect(sampleOf(await one.scrape(), 'ledgerline_requests_total', { operation: 'get_health', status: '2xx' })).toBe(
      1,
    );
    expect(told.get('ledgerline_requests_total')!.samples).toEqual([]);
  });
});
