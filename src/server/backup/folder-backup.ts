import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readFolderFile, replaceFolderFile } from '../../platform/data-folder/folder-file.ts';
import { archiveFile, databaseFile } from '../../platform/data-folder/folder-paths.ts';
import type { BackupAddress } from '../../platform/settings/backup-settings.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import type { TidyOrder } from './backup-retention.ts';
import type { BackupThreadInput } from './backup-thread.ts';
import { type Backup, openBackup } from './capture.ts';
import { openTarget } from './open-target.ts';
import { settingsToStore } from './settings-to-store.ts';

/** Where a data folder keeps which timeline its backup goes on with. */
const stateFile = (folder: string): string => join(folder, 'backup.json');

/** Where a data folder keeps segments on their way to a bucket. */
export const unsentFolder = (folder: string): string => join(folder, 'backup-unsent');

interface BackupState {
  readonly timeline: string;
  /** The file of the database. A copy of the folder is another file, and gets a timeline of its own. */
  readonly file: string;
  /** It is to begin: nothing of it may be there yet. */
  readonly isPlanned?: boolean;
  /** Where it was begun; absent: nobody knows, as of earlier versions. Elsewhere it need not be. */
  readonly place?: string;
}

const placeOf = (address: BackupAddress): string =>
  address.kind === 'folder' ? address.root : `${address.s3.endpoint ?? ''} ${address.url}`;

/**
 * The backup of a data folder.
 * @param folder with a database; only one process at a time may do this
 * @param tidy elsewhere; absent: it is done here
 */
export function openFolderBackup(
  { folder, address, key, ...work }: BackupThreadInput,
  now: () => number,
  tidy?: (order: TidyOrder) => Promise<void>,
): Backup {
  const file = databaseFile(folder);
  const database = openSqliteDatabase({ file, mustExist: true, cacheMib: 4 });
  const own = identityOf(file);
  const state = readState(folder);
  const backup = openBackup({
    ...work,
    target: openTarget(address, unsentFolder(folder)),
    database,
    archive: archiveFile(folder),
    key: key === undefined ? undefined : Buffer.from(key, 'base64'),
    timeline: state?.file === own ? state.timeline : undefined,
    isPlanned: state?.isPlanned,
    isBegun: state?.place === placeOf(address),
    onTimeline: (timeline, isBegun) =>
      writeState(folder, { timeline, file: own, ...(isBegun ? { place: placeOf(address) } : { isPlanned: true }) }),
    settings: () => settingsToStore(folder, key !== undefined),
    tidy,
    now,
    randomBytes,
  });
  return {
    capture: backup.capture,
    tidy: backup.tidy,
    close() {
      backup.close();
      database.close();
    },
  };
}

/** Notes which timeline the backup of a folder begins: a standby's, when it is promoted. */
export function planTimeline(folder: string, timeline: string): void {
  writeState(folder, { timeline, file: identityOf(databaseFile(folder)), isPlanned: true });
}

const writeState = (folder: string, state: BackupState): void =>
  replaceFolderFile(stateFile(folder), `${JSON.stringify(state)}\n`);

/** The timeline that the backup of this folder goes on with; undefined: none yet. */
export function timelineOf(folder: string): string | undefined {
  const state = readState(folder);
  return state?.file === identityOf(databaseFile(folder)) ? state?.timeline : undefined;
}

/** Tells the file of a database from its copies. */
export function identityOf(file: string): string {
  const { dev, ino } = statSync(file, { bigint: true });
  return `${dev}:${ino}`;
}

/** Undefined as well if it cannot be read: then another timeline begins. */
function readState(folder: string): BackupState | undefined {
  try {
    const text = readFolderFile(stateFile(folder));
    return text && (JSON.parse(text.toString('utf8')) as BackupState);
  } catch {
    return undefined;
  }
}
