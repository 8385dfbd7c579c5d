import { readFileSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addCharge, newLedgerBatch, toStreamAppends } from '../../../src/accounts/credits/ledger-batch.ts';
import { openJournal } from '../../../src/accounts/journal/journal-files.ts';
import { readJournal } from '../../../src/accounts/journal/read-journal.ts';
import { issueKey } from '../../../src/accounts/keys/key-registry.ts';
import { accountStreams, createAccountEvent } from '../../../src/domain/accounts/account-events.ts';
import { DAY, formatTime, HOUR } from '../../../src/domain/primitives/time.ts';
import { createBootClock } from '../../../src/platform/clock/boot-clock.ts';
import { clockFile, journalFiles } from '../../../src/platform/data-folder/folder-paths.ts';
import { realEnvironment, silentLog } from '../../../src/server/composition/environment.ts';
import { openCore } from '../../../src/server/composition/open-core.ts';
import { secretsOf } from '../../../src/server/composition/secrets.ts';
import { openEmbedded } from '../../../src/server/embedded/embedded-stores.ts';
import { lastLine, launch, run, startServer, team, teams, temporaryFolder } from '../../server/cli/launching.ts';

/** A folder that was filled at this time, with a key of an account that has credits; what charged it crashed then. */
async function folderOf(time: number, charges = 0) {
  const folder = temporaryFolder();
  const real = realEnvironment(silentLog);
  const bootClock = { bootId: 'before', uptime: () => HOUR };
  const environment = { ...real, now: () => time, bootClock };
  const secrets = secretsOf(folder, {}, environment);
  const ports = await openEmbedded(folder, secrets, environment);
  const core = await openCore(ports, environment);
  const value = { ...JSON.parse(team(1)), at: '2020-01-01T00:00:00Z' };
  await core.intake.accept([{ line: 1, value }]);
  const maker = { registry: ports.keys, random: real.randomBytes, pepper: secrets.pepper, now: environment.now };
  const { key, record } = await issueKey(maker, {
    name: 'k',
    scopes: ['all'],
    expiresAt: null,
    account: 'own',
    credits: 1000,
  });
  const { accountId } = record;
  const at = formatTime(time);
  // No charge is on disk without the grant that it was taken from.
  const given = { accountId, at, grant: `order.${at}`, kind: 'order', credits: 1000, expiresAt: null } as const;
  await ports.log.append(accountStreams.ledger(accountId), [createAccountEvent('CreditsGranted', given)], 'any');
  await core.close();
  await ports.close();
  if (charges > 0) {
    const entered = newLedgerBatch();
    for (let n = 1; n <= charges; n++) {
      const call = {
        at,
        keyId: record.id,
        operation: 'list_sports',
        requestId: `r${n}`,
        status: 200,
      };
      addCharge(entered, accountId, { ...call, milliseconds: 1, credits: 1 }, false);
    }
    const journal = openJournal(journalFiles(folder));
    await journal.write({ number: 1, appends: toStreamAppends(entered, () => 'w.1') } as never);
    journal.close();
  }
  return { folder, key, accountId };
}

const ask = async (url: string, path: string, key: string) => {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, body: (await response.json()) as any };
};
const mark = (folder: string, time: number, bootId: string | null, seconds: number) =>
  writeFileSync(clockFile(folder), JSON.stringify({ time: formatTime(time), boot_id: bootId, uptime: seconds }));
const marked = (folder: string) => JSON.parse(readFileSync(clockFile(folder), 'utf8')) as Record<string, unknown>;
const records = async (folder: string) =>
  (await run(['replay', '--data-dir', folder])).stdout.split('\n').filter((line) => line !== '').length;
const oneLine = /^[^\n]*ACCEPT_CLOCK=[^\n]*\n$/;
const linesOf = (stderr: string) =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { level: number; msg: string });

describe('fault 2: a folder whose last record lies in the future', () => {
  it('is served, degraded, takes what comes, and keeps a mark of the clock that is right', async () => {
    const { folder, key } = await folderOf(Date.now() + 1000 * DAY);
    const server = await startServer(folder);
    const health = await ask(server.url, '/v1/health', key);
    expect(health.body).toMatchObject({ status: 'degraded', reasons: ['log_ahead'] });
    const { code } = await run(['ingest', '-', '--data-dir', folder], { input: teams(3) });
    expect(code).toBe(0);
    expect((await ask(server.url, '/v1/sports', key)).status).toBe(200);
    server.child.kill('SIGTERM');
    const { stderr } = await server.ended;

    expect(linesOf(stderr).map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/^the log is ahead of the clock/),
    );
    expect(Math.abs(Date.parse(String(marked(folder)['time'])) - Date.now())).toBeLessThan(60_000);
    expect(marked(folder)['boot_id']).toBe(createBootClock().bootId);
    expect((await run(['verify', '--data-dir', folder])).code).toBe(0);
  });
});

describe('a start with a clock that is doubted', () => {
  it('serves what appends nothing, keeps the charges of a crash where they are, and takes the clock when told', async () => {
    const past = Date.now() - 40 * DAY;
    const { folder, key, accountId } = await folderOf(past, 3);
    mark(folder, past, 'before', 3600);
    const before = await records(folder);

    const server = await startServer(folder, { INGEST_KEY: 'feed', LIVE_PAGE: 'off' });
    expect(server.key).toBe('');
    expect((await ask(server.url, '/v1/health', key)).body).toMatchObject({ status: 'degraded', reasons: ['clock'] });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect((await ask(server.url, '/v1/sports', key)).body.error.code).toBe('service_unavailable');
    const door = await fetch(`${server.url}/ingest/v1/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer feed', 'content-type': 'application/x-ndjson' },
      body: team(2),
    });
    expect([door.status, door.headers.get('retry-after')]).toEqual([503, '5']);
    const beside = await run(['ingest', '-', '--data-dir', folder], { input: team(2) });
    expect([beside.code, beside.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    const errors = linesOf(stderr).filter(({ level }) => level >= 50);
    expect(errors.map(({ msg }) => msg)).toEqual([expect.stringContaining(`about ${formatTime(past)}`)]);
    expect(await records(folder)).toBe(before);
    expect(readJournal(journalFiles(folder)).entries).toHaveLength(1);
    // What is not believed is not remembered.
    expect(marked(folder)['boot_id']).toBe('before');

    const again = await startServer(folder, { ACCEPT_CLOCK: formatTime(Date.now() - HOUR / 2) });
    expect((await ask(again.url, '/v1/health', key)).body.status).toBe('ok');
    expect((await ask(again.url, '/v1/sports', key)).status).toBe(200);
    expect((await ask(again.url, '/api/agent/credits', key)).body.total_remaining).toBe(1000 - 3 - 1);
    again.child.kill('SIGTERM');
    const warnings = linesOf((await again.ended).stderr);
    expect(warnings.map(({ msg }) => msg)).toEqual(['the clock is taken as it is, as ACCEPT_CLOCK says']);
    const ledger = await run(['audit', 'account', String(accountId), '--json', '--data-dir', folder]);
    const sum = ledger.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { credits: number }).credits);
    expect(sum.reduce((one, other) => one + other, 0)).toBe(996);
    expect((await run(['verify', '--data-dir', folder])).code).toBe(0);
  });

  it('commands without a server end with 1 and one line, but for those that write nothing', async () => {
    const past = Date.now() - 40 * DAY;
    const { folder } = await folderOf(past);
    const before = await records(folder);
    const file = join(folder, 'teams.ndjson');
    writeFileSync(file, teams(3));
    const all = [
      ['ingest', file],
      ['keys', 'create', '--name', 'n'],
      ['keys', 'revoke', '1'],
    ];
    for (const args of all) {
      const { code, stdout, stderr } = await run([...args, '--data-dir', folder]);
      expect([args, code, stdout]).toEqual([args, 1, '']);
      expect(stderr).toMatch(oneLine);
    }
    const list = await run(['keys', 'list', '--data-dir', folder]);
    expect([list.code, list.stderr]).toEqual([0, '']);
    expect(JSON.parse(lastLine(list.stdout))).toMatchObject({ id: 1, is_active: true });
    expect(await records(folder)).toBe(before);

    const env = { ACCEPT_CLOCK: formatTime(Date.now()) };
    expect((await run(['ingest', file, '--data-dir', folder], { env })).code).toBe(0);
    // From now on the folder knows.
    expect((await run(['keys', 'create', '--name', 'n', '--data-dir', folder])).code).toBe(0);
  });

  it('the same boot of the machine tells how much time has passed', async () => {
    const { bootId } = createBootClock();
    const past = Date.now() - 2 * DAY;
    const create = async (since: number) => {
      const { folder } = await folderOf(past);
      mark(folder, Date.now() - since, bootId, uptime() - 600);
      return (await run(['keys', 'create', '--name', 'n', '--data-dir', folder])).code;
    };
    expect(await create(600_000)).toBe(0);
    // Where nobody knows the boot, two days prove nothing.
    expect(await create(2 * DAY)).toBe(bootId === null ? 0 : 1);
  });

  it('a malformed ACCEPT_CLOCK stops the start', async () => {
    const { ended } = launch(['start', '--data-dir', temporaryFolder()], { ACCEPT_CLOCK: 'yes' });
    expect(await ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^ACCEPT_CLOCK: [^\n]*\n$/) });
  });
});
