import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createLeafByRecord } from '../../../src/accounts/seal-keys/leaf-by-record.ts';
import { databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSealReader } from '../../../src/read-models/seals/seal-reader.ts';
import { verifySealsOfLog } from '../../../src/read-models/seals/walk-days.ts';
import { openForReading } from '../../../src/server/embedded/embedded-stores.ts';
import { serveAgent } from '../../api/agent/serving.ts';
import { NBA, schedule, score } from '../../api/spec/messages.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';

const { path } = temporaryFolder();
const DAY = 86_400_000;

/** What the `verify` command finds of seals in a folder. */
async function differencesIn(folder: string): Promise<readonly string[]> {
  const { log, sealKeys, close } = await openForReading({ dataDir: folder });
  try {
    const { differences } = await verifySealsOfLog(log, createSealReader(log).all(), createLeafByRecord(sealKeys));
    return differences.map(({ date, reason }) => `${date} ${reason}`);
  } finally {
    await close();
  }
}

it('given a sealed receipt, when somebody with the folder makes a loss of a win under its old hash, then verify finds it', async () => {
  const folder = path('data');
  mkdirSync(folder);
  const server = await serveAgent({ file: folder, time: Date.parse('2026-03-01T12:00:00Z') });
  await server.feed(
    schedule(NBA, 'g1', ['Hawks', 'Owls'], '2026-03-01T10:00:00Z', { at: '2026-03-01T09:00:00Z' }),
    score('g1', 'final', ['100', '90'], { at: '2026-03-01T11:59:00Z' }),
  );
  const leg = { event_id: await server.eventId('feed', 'g1'), market_key: 'h2h', side: 'home' };
  const { status } = await server.post('/v1/grade/slip', { legs: [leg] });
  expect(status).toBe(200);
  server.clock.time += DAY;
  await server.seals.check();
  await server.close();
  expect(await differencesIn(folder)).toEqual([]);

  const database = openSqliteDatabase({ file: databaseFile(folder) });
  const forge = "UPDATE records SET data = replace(data, '\"won\"', '\"lost\"') WHERE type = 'SlipGraded'";
  expect(database.prepare(forge).run([]).changes).toBe(1);
  database.close();
  const [found, ...others] = await differencesIn(folder);
  expect(found).toMatch(/^2026-03-01 has a SlipGraded at \d+ that does not say what was sealed of it$/);
  expect(others).toEqual([]);
});
