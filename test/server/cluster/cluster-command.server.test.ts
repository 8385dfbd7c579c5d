import { describe, expect, it } from 'vitest';
import { programsFolder } from '../../../src/server/engines/engine.ts';
import { type EnginesMissing, fetchPrograms } from '../../../src/server/local-cluster/local-engines.ts';
import { shippedEngines } from '../../../src/server/local-cluster/shipped-engines.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { launch, team } from '../cli/launching.ts';
import { clusterFolder, eventually, lives, stateOf } from './toy-cluster.ts';

const KEY = `llk_${'a'.repeat(12)}.${'b'.repeat(43)}`;
const SECONDS = 1000;

/** The double of the event log is part of the build that the command makes itself. */
const missing = await fetchPrograms(
  shippedEngines,
  ['read-store', 'registry', 'limits', 'broker'],
  programsFolder(),
).then(
  () => '',
  (error: EnginesMissing) => `: skipped, ${error.lines.join('; ')}`,
);

async function startCluster(folder: string) {
  const cluster = launch(['cluster', '--data-dir', folder, '--webhooks', '1'], {
    PORT: '0',
    FEEDS: 'none',
    INGEST_KEY: 'ingest',
    BOOTSTRAP_KEY: KEY,
    HOME: process.env['HOME']!,
    ...(process.env['ENGINES_DIR'] ? { ENGINES_DIR: process.env['ENGINES_DIR'] } : {}),
  });
  await cluster.has('\nready');
  return { ...cluster, url: /listening on (\S+)/.exec(cluster.output())![1]! };
}

const pidsOf = (folder: string) => [...stateOf(folder).processes, ...stateOf(folder).engines].map(({ pid }) => pid!);

const asked = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { authorization: `Bearer ${KEY}`, ...headers } });

async function told(url: string, lines: string) {
  const answer = await fetch(`${url}/ingest/v1/messages?wait=projected`, {
    method: 'POST',
    body: lines,
    headers: { authorization: 'Bearer ingest', 'content-type': 'application/x-ndjson' },
  });
  return {
    status: answer.status,
    position: answer.headers.get('ledgerline-position')!,
    report: (await answer.json()) as Record<string, unknown>,
  };
}

const teamsAt = async (url: string, headers?: Record<string, string>) => {
  const answer = await asked(`${url}/v1/teams?sport=nfl`, headers);
  const { data } = (await answer.json()) as { data: { name: string }[] };
  return { status: answer.status, names: data?.map(({ name }) => name) };
};

describe.skipIf(missing !== '')(`a cluster of processes on real engines${missing}`, () => {
  it('answers what was taken at every process, waits for what is away, and survives its own death', async () => {
    const folder = clusterFolder();
    const first = await startCluster(folder);

    const taken = await told(first.url, `${team(1)}\n${team(2)}\n`);
    expect(taken).toMatchObject({ status: 200, report: { received: 2, accepted: 2 } });
    const { processes, engines } = stateOf(folder);
    for (const { role, port } of processes.filter(({ role }) => role === 'api')) {
      const read = () => teamsAt(`http://127.0.0.1:${port}`, { 'ledgerline-position': taken.position });
      const { value } = await eventually(async () => {
        const teams = await read();
        // Not yet: it says so in time, and charges nothing.
        return teams.status === 503 ? undefined : teams;
      }, 30 * SECONDS);
      expect([role, value.status, value.names]).toEqual(['api', 200, ['Team 1', 'Team 2']]);
    }
    expect(await told(first.url, `${team(1)}\n`)).toMatchObject({ report: { unchanged: 1 } });

    const store = engines.find(({ name }) => name === 'read-store')!.pid!;
    process.kill(store, 'SIGSTOP');
    // Each finds out by itself.
    const apis = processes.filter(({ role }) => role === 'api');
    const areReady = () =>
      Promise.all(apis.map(async ({ port }) => (await asked(`http://127.0.0.1:${port}/readyz`)).ok));
    await eventually(async () => !(await areReady()).includes(true), 30 * SECONDS);
    expect(await (await asked(`${first.url}/readyz`)).json()).toEqual({
      status: 'waiting',
      waiting_for: ['read-store'],
    });
    expect((await asked(`${first.url}/healthz`)).status).toBe(200);
    // What nobody has asked for: an answer that is kept may be known to be the newest.
    const refused = await asked(`${first.url}/v1/teams?sport=nba`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('x-credits-used')).toBe('0');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await (await asked(`${first.url}/v1/health`)).json()).toMatchObject({
      status: 'degraded',
      reasons: expect.arrayContaining(['engine']),
    });
    process.kill(store, 'SIGCONT');
    await eventually(async () => (await teamsAt(first.url)).status === 200, 30 * SECONDS);

    const pids = pidsOf(folder);
    first.child.kill('SIGKILL');
    await eventually(() => !pids.some(lives), patientTimeout(10 * SECONDS));

    const second = await startCluster(folder);
    expect((await teamsAt(second.url)).names).toEqual(['Team 1', 'Team 2']);
    const others = pidsOf(folder);
    second.child.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
    expect(others.filter(lives)).toEqual([]);
  }, 400_000);
});
