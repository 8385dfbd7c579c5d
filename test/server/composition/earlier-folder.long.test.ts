import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { run, startServer, teams, temporaryFolder } from '../cli/launching.ts';
import { FORMER_NAMES } from './former-names.ts';

it('a folder of an earlier version, without the tables that came later, can be read before a server opens it', async () => {
  const folder = temporaryFolder();
  const server = await startServer(folder);
  server.child.kill('SIGTERM');
  await server.ended;
  await run(['ingest', '--data-dir', folder], { input: teams(2) });
  const database = openSqliteDatabase({ file: join(folder, 'ledgerline.db') });
  database.exec('DROP TABLE idempotency_records');
  database.close();
  const verified = await run(['verify', '--data-dir', folder]);
  expect([verified.code, verified.stderr]).toEqual([0, '']);
});

it('a folder with the names that earlier versions stored can be read before a server opens it, and is opened', async () => {
  const folder = temporaryFolder();
  const server = await startServer(folder);
  server.child.kill('SIGTERM');
  await server.ended;
  await run(['ingest', '--data-dir', folder], { input: teams(2) });
  const audited = await run(['audit', 'quarantine', '--data-dir', folder]);
  const database = openSqliteDatabase({ file: join(folder, 'ledgerline.db') });
  database.exec(FORMER_NAMES);
  database.close();
  const verified = await run(['verify', '--data-dir', folder]);
  expect([verified.code, verified.stderr]).toEqual([0, '']);
  expect(await run(['audit', 'quarantine', '--data-dir', folder])).toEqual(audited);
  const again = await startServer(folder);
  again.child.kill('SIGTERM');
  expect((await again.ended).code).toBe((await server.ended).code);
  expect(await run(['audit', 'quarantine', '--data-dir', folder])).toEqual(audited);
});
