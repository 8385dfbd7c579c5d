import { expect, it } from 'vitest';
import { run, startServer, temporaryFolder } from './launching.ts';

it('given a server that runs, then `audit size` tells what its folder takes, as tables and as JSON', async () => {
  const folder = temporaryFolder();
  const server = await startServer(folder);
  const schedule = {
    kind: 'schedule',
    source: 'feed',
    at: '2026-09-01T00:00:00Z',
    sport: 'nfl',
    league: 'nfl',
    ref: 'g1',
    starts_at: '2026-09-10T18:00:00Z',
    participants: ['home', 'away'].map((role) => ({ role, name: `Team ${role}` })),
  };
  const waits = { kind: 'score', source: 'feed', at: '2026-09-10T19:00:00Z', ref: 'g2', status: 'inprogress' };
  const input = [schedule, waits].map((message) => `${JSON.stringify(message)}\n`).join('');
  expect((await run(['ingest', '--data-dir', folder, '-'], { input })).code).toBe(0);
  const audit = (...args: string[]) => run(['audit', 'size', '--data-dir', folder, ...args]);

  const lines = (await audit('--json')).stdout.trim().split('\n');
  expect(lines).toHaveLength(1);
  const told = JSON.parse(lines[0]!);
  expect(told.kinds).toContainEqual(expect.objectContaining({ type: 'EventScheduled', records: 1 }));
  expect(told.read_models).toContainEqual(expect.objectContaining({ projection: 'events', documents: 1 }));
  expect(told).toMatchObject({ quarantined: 1, price_ticks: { records: 0, bytes_per_record: null } });
  expect(told.bytes).toBeGreaterThan(100_000);

  const { stdout, code } = await audit();
  expect(stdout).toMatch(/^ +1 +[\d,.]+ +[\d,.]+ {2}EventScheduled$/m);
  expect(stdout).toMatch(/^ +1 +[\d,]+ {2}events$/m);
  expect(stdout).toContain('messages in quarantine: 1\n');
  expect(code).toBe(0);
  expect((await audit('7')).code).toBe(2);
  server.child.kill('SIGTERM');
  await server.ended;
});
