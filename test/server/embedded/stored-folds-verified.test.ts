import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { projections } from '../../../projections/index.ts';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import { databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { keepTableChecksums, tablesOf } from '../../../src/platform/sqlite/table-checksums.ts';
import { realEnvironment, silentLog } from '../../../src/server/composition/environment.ts';
import { beginDatabase } from '../../../src/server/embedded/begun-database.ts';
import { openEmbedded } from '../../../src/server/embedded/embedded-stores.ts';
import { verifyFolder } from '../../../src/server/embedded/verify-folder.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';

const { path } = temporaryFolder();

const PEPPER = 'a-pepper-of-the-tests-of-stored-folds';

/** The stores of a server on the folder, which stores what it has folded of a long event. */
async function run(folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  beginDatabase(folder);
  const box = createSecretBox(PEPPER, randomBytes);
  const ports = await openEmbedded(folder, { pepper: PEPPER, session: PEPPER, box }, realEnvironment(silentLog));
  await ports.folds.write(name, '1', [{ place: 1, note: '', content: Buffer.from(name) }], []);
  await ports.close();
}

async function damages(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { text, isDamage } of verifyFolder({ dataDir: folder, keyPepper: PEPPER }, projections))
    if (isDamage) found.push(text);
  return found;
}

it('folds that were stored after a second start are no damage to `verify`', async () => {
  const folder = path('twice');
  await run(folder, 'event-1');
  await run(folder, 'event-2');
  expect(await damages(folder)).toEqual([]);
});

it('a folder in which an earlier version began checksums of stored folds is whole after a start', async () => {
  const folder = path('earlier');
  await run(folder, 'event-1');
  // Given the sums that the earlier version began, and nobody kept.
  const database = openSqliteDatabase({ file: databaseFile(folder) });
  keepTableChecksums(
    database,
    tablesOf(database).filter((table) => table.startsWith('stored_fold')),
  );
  database.close();
  await run(folder, 'event-2');
  expect(await damages(folder)).toEqual([]);
});
