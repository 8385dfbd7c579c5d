import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { archiveFile, databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { archiveAll, openArchiver } from '../../event-log/sqlite/archiving-log.ts';
import { reportOf, run, startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { pricesOf, refOf, scheduleOf, startOf } from '../load/season.ts';

const TICKS = 300;

it('every command reads odds from the archive as before, and no one starts without it', async () => {
  const folder = join(temporaryFolder(), 'data');
  const ref = refOf(400, 0);
  const messages = [
    scheduleOf(400, 0),
    ...Array.from({ length: TICKS }, (_, n) =>
      pricesOf(ref, n % 2 === 0 ? 'pinnacle' : 'bet365', startOf(400, 0) - 60_000 * (TICKS - n), (n % 30) / 2, 101 + n),
    ),
  ];
  const file = join(temporaryFolder(), 'messages.ndjson');
  writeFileSync(file, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  expect(reportOf(await run(['ingest', '--data-dir', folder, file]))).toMatchObject({ accepted: TICKS + 1 });
  const audit = () => run(['audit', 'event', `season:${ref}`, '--data-dir', folder]);
  const before = await audit();
  expect(before.code).toBe(0);

  const archiver = await openArchiver({ file: databaseFile(folder), archive: archiveFile(folder) });
  expect(await archiveAll(archiver)).toBeGreaterThan(TICKS);
  archiver.close();

  expect(await audit()).toEqual(before);
  for (const command of ['verify', 'rebuild', 'verify'])
    expect(await run([command, '--data-dir', folder])).toMatchObject({ code: 0 });

  const server = await startServer(folder, { RETAIN_ODDS: '90d' });
  expect(statSync(archiveFile(folder)).mode & 0o777).toBe(0o600);
  for (const end of ['', '-wal', '-shm']) rmSync(`${archiveFile(folder)}${end}`, { force: true });
  const { code, stderr } = await server.ended;
  expect(code).toBe(1);
  const fatal = stderr.split('\n').filter((line) => line.includes('"level":60'));
  expect(fatal).toEqual([expect.stringMatching(/odds-archive\.db (is gone|cannot be relied on)/)]);

  for (const command of ['start', 'verify']) {
    const ended = await run([command, '--data-dir', folder]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/odds-archive\.db is missing: it holds a part of the event log\n$/);
  }
});
