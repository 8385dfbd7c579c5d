import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { archiveFile, databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { keepTableChecksums } from '../../../src/platform/sqlite/table-checksums.ts';
import { secretsToStore } from '../../../src/server/backup/backup-secrets.ts';
import type { BackupTarget } from '../../../src/server/backup/backup-target.ts';
import { openBackup } from '../../../src/server/backup/capture.ts';
import { createFolderTarget } from '../../../src/server/backup/folder-target.ts';
import { restoreFolder } from '../../../src/server/backup/restore-folder.ts';
import { settingsToStore } from '../../../src/server/backup/settings-to-store.ts';

export const HOUR = 3_600_000;
const SECRETS = { 'key-pepper': 'p'.repeat(40), 'session-secret': 's'.repeat(40) };

/** A data folder with one table beside the log, and its backup, on a clock that the test moves. */
export async function openWorld(folder: string, keepMs: number, through = (target: BackupTarget) => target) {
  const root = join(folder, 'backup');
  const target = createFolderTarget(root);
  const data = mkdtempSync(join(folder, 'data-'));
  const file = databaseFile(data);
  const clock = { now: Date.UTC(2030, 0, 1) };
  const log = openSqliteLog({ file, now: () => clock.now });
  const database = openSqliteDatabase({ file });
  database.exec('CREATE TABLE things (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, size REAL)');
  database.exec('CREATE INDEX things_by_size ON things (size)');
  keepTableChecksums(database, ['things']);
  let begun: { readonly timeline: string; readonly isBegun: boolean } | undefined;
  const openAgain = () => {
    const reader = openSqliteDatabase({ file });
    const { fingerprints, secrets } = secretsToStore(data, SECRETS, false);
    const backup = openBackup({
      archive: archiveFile(data),
      database: reader,
      target: through(target),
      key: undefined,
      keepMs,
      timeline: begun?.timeline,
      isPlanned: begun?.isBegun === false,
      isBegun: begun?.isBegun,
      onTimeline: (timeline, isBegun) => {
        begun = { timeline, isBegun };
      },
      fingerprints,
      secrets,
      settings: () => settingsToStore(data, false),
      now: () => clock.now,
      randomBytes,
    });
    const close = () => {
      backup.close();
      reader.close();
    };
    const capture = async () => {
      const captured = await backup.capture();
      await backup.tidy();
      return captured;
    };
    return { capture, close };
  };
  const append = (stream: string, count: number) =>
    log.append(
      stream,
      Array.from({ length: count }, (_, n) => ({
        type: 'Happened',
        version: 1,
        data: { n, text: 'é'.repeat(n) },
        meta: {},
      })) as never,
      'any' as never,
    );
  const restoreTo = (to: string, at?: number, wanted?: string) =>
    restoreFolder({ target: () => target, key: undefined, folder: to, at, timeline: wanted, secrets: SECRETS });
  /** The moment that a restore reaches. */
  async function reachedAt(at?: number): Promise<number> {
    const to = join(folder, `restored-${readdirSync(folder).length}`);
    const { reached } = await restoreTo(to, at);
    rmSync(to, { recursive: true });
    return reached;
  }
  /** The state of a folder that is restored. */
  async function restore(at?: number, wanted?: string) {
    const to = join(folder, `restored-${readdirSync(folder).length}`);
    await restoreTo(to, at, wanted);
    const restored = openSqliteDatabase({ file: databaseFile(to), readonly: true });
    const state = stateOf(restored);
    restored.close();
    rmSync(to, { recursive: true });
    return state;
  }
  const close = async () => {
    database.close();
    await log.close();
  };
  return {
    root,
    target,
    clock,
    log,
    database,
    openAgain,
    append,
    restore,
    reachedAt,
    close,
    timeline: () => begun!.timeline,
  };
}

export function stateOf(database: ReturnType<typeof openSqliteDatabase>) {
  const all = (sql: string) => database.prepare(sql).raw().all();
  return {
    records: all('SELECT * FROM records ORDER BY position'),
    streams: all('SELECT * FROM streams ORDER BY id'),
    things: all('SELECT rowid, id, name, size, typeof(size) FROM things ORDER BY rowid'),
    sequence: all("SELECT seq FROM sqlite_sequence WHERE name = 'things'"),
    sums: all("SELECT * FROM checksums WHERE name IN ('log', 'table things') ORDER BY name"),
  };
}
