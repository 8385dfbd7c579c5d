import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dayOfSport } from '../../api/openapi/day-of-sport.ts';
import { team, teams, temporaryFolder } from '../cli/launching.ts';
import { readTable } from '../exporting/exported-tables.ts';
import { launchCluster, told, whyNoEngines } from './launched-cluster.ts';
import { clusterFolder, eventually } from './toy-cluster.ts';

const missing = await whyNoEngines();

const statusAt = async (url: string, key: string) =>
  (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;

/** Two sources tell of one game on two days; a person merges the two, splits a ref off, and takes both back. */
async function mendIdentities(folder: string, url: string, key: string): Promise<void> {
  const game = (source: string, startsAt: string) => ({
    ...{ kind: 'schedule', source, at: '2026-09-01T00:00:00Z', ref: `${source}-1`, sport: 'nfl', league: 'nfl' },
    starts_at: startsAt,
    participants: [
      { role: 'home', name: 'Team 0', ref: 'h' },
      { role: 'away', name: 'Team 1', ref: 'a' },
    ],
  });
  const games = [game('one', '2031-09-13T18:00:00Z'), game('two', '2031-09-14T18:00:00Z')];
  const sent = games.map((message) => `${JSON.stringify(message)}\n`).join('');
  expect((await told(['ingest', '-', '--data-dir', folder], {}, sent)).json()).toMatchObject([{ accepted: 2 }]);
  const identities = async (...args: string[]) => {
    const { code, stderr, json } = await told(['identities', ...args, '--data-dir', folder]);
    expect([stderr, code]).toEqual(['', 0]);
    return json() as { [member: string]: any }[];
  };
  const idOf = async (source: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const path = `/v1/mappings?type=event&source=${source}&ref=${source}-1`;
    const { mappings } = (await (await fetch(`${url}${path}`, { headers })).json()) as { mappings?: { id: number }[] };
    return mappings?.[0]?.id;
  };
  await eventually(async () => (await idOf('one')) !== undefined && (await idOf('two')) !== undefined, 20_000);
  const [one, two] = [(await idOf('one'))!, (await idOf('two'))!];

  expect(await identities('duplicates')).toMatchObject([{ what: 'event', a: { id: one }, b: { id: two } }]);
  const [merged] = await identities('merge', 'event', String(two), String(one));
  expect(merged).toMatchObject({ act: 1, from: two, into: one, moved: { refs: 1 } });
  await eventually(async () => (await idOf('two')) === one, 20_000);
  const [split] = await identities('split', 'event', 'two:two-1');
  await eventually(async () => (await idOf('two')) === split!['into'], 20_000);
  await identities('undo', '2');
  await identities('undo', '1');
  await eventually(async () => (await idOf('two')) === two, 20_000);
  expect((await identities('history')).map(({ action, undone_by }) => [action, undone_by])).toEqual([
    ['undo', null],
    ['undo', null],
    ['split', 3],
    ['merge', 4],
  ]);
  const verified = await told(['verify', '--data-dir', folder]);
  expect(verified.lines.filter((line) => !line.endsWith('no difference'))).toEqual([]);
}

describe.skipIf(missing !== '')(`the commands in a cluster${missing}`, () => {
  it('work on its engines, beside its processes, and several at once', async () => {
    const folder = clusterFolder();
    const cluster = await launchCluster(folder);
    const inCluster = (command: string, ...args: string[]) => told([command, ...args, '--data-dir', folder]);

    const [made, other] = await Promise.all([
      inCluster('keys', 'create', '--name', 'one', '--email', 'a@example.com', '--credits', '50'),
      inCluster('keys', 'create', '--name', 'two', '--email', 'a@example.com'),
    ]);
    expect([made.stderr, other.stderr, made.code, other.code]).toEqual(['', '', 0, 0]);
    const [{ key, account_id, id }] = made.json() as [{ key: string; account_id: number; id: number }];
    expect(other.json()).toMatchObject([{ account_id }]);

    const sent = teams(5);
    const takers = await Promise.all([1, 2].map(() => told(['ingest', '-', '--data-dir', folder], {}, sent)));
    expect(takers.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const reports = takers.map((one) => one.json()[0]!);
    expect((reports[0]!['accepted'] as number) + (reports[1]!['accepted'] as number)).toBe(5);
    expect(await told(['ingest', '-', '--data-dir', folder], {}, 'no json\n')).toMatchObject({ code: 1 });

    const read = `${cluster.url}/v1/teams?sport=nfl`;
    await eventually(async () => (await statusAt(read, key)) === 200, 20_000);
    expect((await inCluster('audit', 'calls', String(account_id), '--json')).code).toBe(0);
    const ledger = await inCluster('audit', 'account', 'a@example.com', '--json');
    expect(ledger.json()[0]).toMatchObject({ type: 'CreditsGranted' });
    expect((await inCluster('audit', 'quarantine', '--json')).code).toBe(0);

    const [size] = (await inCluster('audit', 'size', '--json')).json();
    expect(size).toMatchObject({ log: null, quarantined: 0 });
    expect(size!['read_models']).toContainEqual({ projection: 'teams', documents: 5, bytes: expect.any(Number) });
    expect((await inCluster('audit', 'size')).lines.join('\n')).toMatch(/^ +5 +[\d,]+ {2}teams$/m);

    const [verified, rebuilt] = await Promise.all([
      inCluster('verify', '--projection', 'teams'),
      inCluster('rebuild', '--projection', 'teams'),
    ]);
    expect([verified.stderr, verified.code]).toEqual(['', 0]);
    expect(rebuilt.stderr).toBe('');
    expect(rebuilt.json()).toEqual([{ name: 'teams', records: 5, seconds: expect.any(Number) }]);
    expect((await inCluster('verify')).lines.filter((line) => !line.endsWith('no difference'))).toEqual([]);

    const replayed = await inCluster('replay');
    expect(replayed.json().map(({ ref }) => ref)).toEqual(['t0', 't1', 't2', 't3', 't4']);

    const day = dayOfSport(Date.now()).map((message) => `${JSON.stringify(message)}\n`);
    expect((await told(['ingest', '-', '--data-dir', folder], {}, day.join(''))).code).toBe(0);
    await mendIdentities(folder, cluster.url, key);
    const out = temporaryFolder();
    for (const what of ['events', 'odds-history', 'statistics', 'changes']) {
      const exported = await inCluster('export', what, '--out', out);
      expect([what, exported.stderr, exported.code]).toEqual([what, '', 0]);
      const rows = await readTable(join(out, what));
      expect(exported.json()).toMatchObject([{ what, rows: rows.length }]);
      expect([what, rows]).not.toEqual([what, []]);
    }

    expect((await inCluster('keys', 'revoke', String(id))).code).toBe(0);
    await eventually(async () => (await statusAt(read, key)) === 401, 2000);

    cluster.child.kill('SIGTERM');
    await cluster.ended;
    const after = await inCluster('keys', 'list');
    expect(after).toMatchObject({ code: 1, stdout: '' });
    expect(after.stderr).toContain(`npm run -s cluster -- --data-dir ${folder}`);
    expect(after.stderr.trim().split('\n')).toHaveLength(1);
  }, 400_000);

  it('say which address they lack, and take those of the environment', async () => {
    const env = { REGISTRY_URL: 'postgres://127.0.0.1:1/none' };
    const lacking = await told(['ingest', '-'], env, team(1));
    expect(lacking).toMatchObject({ code: 1, stdout: '' });
    expect(lacking.stderr).toMatch(/^EVENT_LOG_URL: must be esdb:.*the command ingest needs it\n$/);
  });
});
