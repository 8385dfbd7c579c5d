import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createResponder } from '../../../src/api/http/responder.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import type { Role } from '../../../src/platform/settings/deployment-profile.ts';
import type { EngineName } from '../../../src/platform/settings/engine-settings.ts';
import { watchEngines } from '../../../src/server/cluster/engine-watch.ts';
import { createProcessListener, type ProcessState } from '../../../src/server/cluster/process-listener.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { createTimers } from '../../api/streams/timers.ts';

/** Engines that can be taken away, and timers that are moved by hand. */
function watched(...names: readonly EngineName[]) {
  const away = new Set<EngineName>(names);
  const told: string[] = [];
  const timers = createTimers();
  const engines = new Map(
    names.map((name) => [
      name,
      {
        async ping() {
          if (away.has(name)) throw new UnavailableError(`${name} refuses`);
        },
      },
    ]),
  );
  const watch = watchEngines({
    engines,
    now: timers.now,
    setTimer: timers.setTimer,
    logger: { info: (_, message) => void told.push(message), warn: (_, message) => void told.push(message) },
  });
  onTestFinished(watch.close);
  /** Of the round that is under way, and of those that come within so many milliseconds. */
  async function pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 1000) {
      await settled();
      timers.advance(1000);
    }
    await settled();
  }
  return { away, told, watch, pass };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the watch over engines', () => {
  it('takes all for away until they answer, and tells when all do', async () => {
    const { away, watch, pass } = watched('event-log', 'read-store');
    let areThere = false;
    void watch.allThere().then(() => {
      areThere = true;
    });
    expect(watch.unavailable()).toEqual(['event-log', 'read-store']);

    away.delete('event-log');
    await pass(2000);
    expect(watch.unavailable()).toEqual(['read-store']);
    expect(areThere).toBe(false);

    away.delete('read-store');
    await pass(2000);
    expect(watch.unavailable()).toEqual([]);
    expect(areThere).toBe(true);
  });

  it('finds out within two seconds that one has gone, and within one that it is back', async () => {
    const { away, watch, pass } = watched('limits');
    away.clear();
    await pass(1000);

    away.add('limits');
    await pass(2000);
    expect(watch.unavailable()).toEqual(['limits']);

    away.clear();
    await pass(1000);
    expect(watch.unavailable()).toEqual([]);
  });

  it('says in the log once that it waits, then every minute, and once that it does so no more', async () => {
    const { away, told, pass } = watched('limits', 'broker');
    await pass(59_000);
    expect(told).toEqual(['waiting for limits, broker']);

    away.delete('limits');
    await pass(60_000);
    expect(told).toEqual(['waiting for limits, broker', 'waiting for broker']);

    away.clear();
    await pass(5000);
    expect(told.slice(2)).toEqual(['every engine is there again']);
  });
});

async function served(roles: readonly Role[]) {
  const responder = createResponder({
    baseUrl: () => 'https://sports.example',
    newRequestId: () => 'made',
    log: { error() {} },
  });
  const now: { state: ProcessState } = { state: { status: 'waiting', waitingFor: ['read-store', 'limits'] } };
  const process = createProcessListener({
    roles,
    responder,
    state: () => now.state,
    metrics: { scrape: async () => ({ type: 'text/plain; version=0.0.4', body: 'ledgerline_info 1\n' }) },
  });
  const server = createServer(process.listener);
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${await listenBelow32768(server)}`;
  return { now, process, get: (path: string) => fetch(`${url}${path}`) };
}

describe('a process of a cluster', () => {
  it('lives from its first moment, and says what it waits for', async () => {
    const { now, get } = await served(['projector', 'relay']);

    expect((await get('/healthz')).status).toBe(200);
    const waiting = await get('/readyz');
    expect([waiting.status, await waiting.json()]).toEqual([
      503,
      { status: 'waiting', waiting_for: ['read-store', 'limits'] },
    ]);

    now.state = { status: 'catching_up' };
    expect(await (await get('/readyz')).json()).toEqual({ status: 'catching_up' });
    now.state = { status: 'stopped', reason: 'unknown_record_version' };
    expect(await (await get('/readyz')).json()).toEqual({ status: 'stopped', reason: 'unknown_record_version' });
    now.state = { status: 'ready' };
    const ready = await get('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', roles: ['projector', 'relay'] }]);
  });

  it.each([[['api']], [['ingest', 'relay']]] as Role[][][])('answers 503 for %j until it is opened', async (roles) => {
    const { process, get } = await served(roles);

    const early = await get('/v1/health');
    const { error } = (await early.json()) as { error: Record<string, unknown> };
    expect([early.status, error['code'], early.headers.get('x-credits-used')]).toEqual([
      503,
      'service_unavailable',
      '0',
    ]);
    expect(early.headers.get('retry-after')).toBe(String(error['retry_after']));

    process.serve((_, response) => void response.end('served'));
    expect(await (await get('/v1/health')).text()).toBe('served');

    process.refuse(new UnavailableError('The clock is wrong.'));
    expect((await get('/v1/health')).status).toBe(503);
    expect((await get('/healthz')).status).toBe(200);
  });

  it('knows no other paths where it neither answers nor takes', async () => {
    const { get } = await served(['webhooks']);

    const answer = await get('/v1/health');

    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });

  it('tells its metrics to everybody who reaches its port', async () => {
    const { get } = await served(['relay']);

    const answer = await get('/metrics');

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4']);
    expect(await answer.text()).toBe('ledgerline_info 1\n');
  });
});
