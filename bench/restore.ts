import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteLog } from '../src/event-log/sqlite/sqlite-log.ts';
import { databaseFile } from '../src/platform/data-folder/folder-paths.ts';
import { openSqliteStore } from '../src/read-models/store/sqlite/sqlite-store.ts';
import { secretsToStore } from '../src/server/backup/backup-secrets.ts';
import { openFolderBackup } from '../src/server/backup/folder-backup.ts';
import { openTarget } from '../src/server/backup/open-target.ts';
import { restoreFolder } from '../src/server/backup/restore-folder.ts';
import type { Benchmark } from './benchmark.ts';
import { writeOddsLog } from './odds-log.ts';

const RECORDS = 1_000_000;
const QUICK = 20_000;
/** What a restore is to take in ten minutes. */
const GOAL = 10_000_000;
const GOAL_SECONDS = 600;
const YEAR_MS = 365 * 86_400_000;
const SECRETS = { 'key-pepper': 'p'.repeat(40), 'session-secret': 's'.repeat(40) };

/** Every record is compared with its checksum, as by the command; read models are built by the first start. */
export const restore: Benchmark = {
  name: 'restore',
  summary: 'an encrypted backup of 1,000,000 odds records in a folder, and its restore into an empty data folder',
  runs: 1,
  async run({ folder, quick, say }) {
    const data = join(folder, 'data');
    const root = join(folder, 'backup');
    mkdirSync(data, { recursive: true });
    const file = databaseFile(data);
    say(`writing a log of ${quick ? QUICK : RECORDS} odds records`);
    const log = openSqliteLog({ file });
    await openSqliteStore({ file }).close();
    const { records } = await writeOddsLog(log, quick ? QUICK : RECORDS);
    await log.close();

    const address = { kind: 'folder', url: `file://${root}`, root } as const;
    const key = randomBytes(32);
    const stored = secretsToStore(data, SECRETS, true);
    const work = { ...stored, folder: data, address, key: key.toString('base64'), keepMs: YEAR_MS };
    say('backing up');
    const backup = openFolderBackup(work, Date.now);
    const begun = performance.now();
    await backup.capture();
    const backedUp = (performance.now() - begun) / 1000;
    backup.close();

    say('restoring');
    const begunAgain = performance.now();
    const restored = await restoreFolder({
      target: (staging) => openTarget(address, staging),
      key,
      folder: join(folder, 'restored'),
      at: undefined,
      secrets: SECRETS,
    });
    const seconds = (performance.now() - begunAgain) / 1000;
    if (restored.records !== records) throw new Error(`${restored.records} of ${records} records were restored`);
    return [
      { what: 'backup', value: records / backedUp, unit: 'records/s' },
      {
        what: 'restore',
        value: records / seconds,
        unit: 'records/s',
        goal: { of: 'value', bound: 'at least', number: Math.ceil(GOAL / GOAL_SECONDS) },
      },
    ];
  },
};
