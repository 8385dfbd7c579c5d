import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describeDoubt, describeUnconfirmed } from '../../platform/clock/check-clock.ts';
import { createClockMarkerFile } from '../../platform/clock/clock-marker-file.ts';
import { createServerClock } from '../../platform/clock/server-clock.ts';
import { findDataFolder } from '../../platform/data-folder/data-folder.ts';
import { readDiskUsage } from '../../platform/data-folder/disk-space.ts';
import { folderEntries } from '../../platform/data-folder/file-modes.ts';
import { describeHolder, FolderInUse, lockFolder } from '../../platform/data-folder/folder-lock.ts';
import { clockFile, databaseFile, lockFile } from '../../platform/data-folder/folder-paths.ts';
import type { Config } from '../../platform/settings/config.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { canDatabaseGrow } from '../composition/disk-guard.ts';
import { type Environment, silentLog } from '../composition/environment.ts';
import { findPepper } from '../composition/key-pepper.ts';
import { assertDatabaseKept } from '../embedded/begun-database.ts';
import { lastRecordedAtOf, openForReading } from '../embedded/embedded-stores.ts';
import { type Finding, failed, lineOf, ok, warning } from './finding.ts';

const MIB = 1024 * 1024;
/** Less than this is soon used up: a simulated day takes about half of it in 24 hours. In bytes. */
const LITTLE_ROOM = 1024 * MIB;

const RESTORE = 'put what is missing or damaged back from a backup (docs/operate.md, "Backup and restore")';
const MAKE_ROOM = 'make room on this disk, or let DATA_DIR name a folder on another one';

/** What is known of the data folder, and its findings so far. */
interface FolderReport {
  readonly findings: readonly Finding[];
  /** Describes the process that works on the folder now. */
  readonly holder: string | undefined;
}

/**
 * Checks the data folder of one machine as a start would, and changes nothing in it.
 * @param config its `dataDir` need not exist
 */
export async function checkDataFolder(
  config: Pick<Config, 'dataDir' | 'keyPepper' | 'acceptClock'>,
  environment: Pick<Environment, 'now' | 'bootClock'>,
  uid = process.getuid?.(),
): Promise<FolderReport> {
  if (!existsSync(config.dataDir)) return { findings: await checkPlace(config.dataDir), holder: undefined };
  try {
    // Before anything is opened: what may not be used is not damaged.
    const foreign = findForeign(realpathSync(config.dataDir), uid);
    if (foreign) return { findings: [foreign], holder: undefined };
    const folder = findDataFolder(config.dataDir);
    assertDatabaseKept(folder);
    const holder = holderOf(folder);
    const hasData = existsSync(databaseFile(folder));
    const what = hasData ? '' : ', without data yet';
    const findings = [
      ok('folder', holder === undefined ? `${folder}${what}` : `${folder}, in use by ${holder}`),
      checkRights(folder),
      await checkDisk(folder, holder === undefined),
      hasData ? checkSecrets(folder, config.keyPepper) : ok('secrets', 'the first start makes them'),
      ...(hasData ? [await checkClock(config, folder, environment)] : []),
    ];
    return { findings, holder };
  } catch (error) {
    return { findings: [failed('folder', lineOf(error), RESTORE)], holder: undefined };
  }
}

/** For a folder that the first start makes. */
async function checkPlace(dataDir: string): Promise<Finding[]> {
  let above = dirname(dataDir);
  while (!existsSync(above)) above = dirname(above);
  const todo = `make the folder, and give it to the server's user: install -d -m 700 -o USER ${dataDir}`;
  if (!statSync(above).isDirectory())
    return [failed('folder', `${above} is no folder`, 'let DATA_DIR name another one')];
  if (!isAllowed(above, constants.W_OK | constants.X_OK))
    return [failed('folder', `${dataDir} is not there, and this user may not make it in ${above}`, todo)];
  const { free } = await readDiskUsage(above);
  return [ok('folder', `${dataDir}: the first start makes it`), roomOf(free)];
}

/** A file or the folder itself that this user cannot use. */
function findForeign(folder: string, uid: number | undefined): Finding | undefined {
  if (!statSync(folder).isDirectory()) return undefined;
  const own = constants.R_OK | constants.W_OK;
  for (const { path, stats } of folderEntries(folder)) {
    if (stats.isSocket() || isAllowed(path, stats.isDirectory() ? own | constants.X_OK : own)) continue;
    const says = `${path} belongs to user ${stats.uid}, and this command runs as user ${uid}, who may not use it`;
    return failed('rights', says, `run as that user, or give the folder to this one: chown -R ${uid} ${folder}`);
  }
  return undefined;
}

function isAllowed(path: string, how: number): boolean {
  try {
    accessSync(path, how);
    return true;
  } catch (error) {
    // It has gone meanwhile.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Undefined: nobody works on it. @throws DataFolderError if it cannot be written */
function holderOf(folder: string): string | undefined {
  if (!existsSync(lockFile(folder))) return undefined;
  try {
    lockFolder(folder, 'doctor', { isTold: false }).release();
    return undefined;
  } catch (error) {
    if (error instanceof FolderInUse) return describeHolder(error.holder);
    throw error;
  }
}

function checkRights(folder: string): Finding {
  const open = [...folderEntries(folder)].filter(({ isOpen }) => isOpen).map(({ path }) => path);
  if (open.length === 0) return ok('rights', 'nobody but the owner may use the folder and its files');
  const todo = `the next start changes that; or do it yourself: chmod -R go-rwx ${folder}`;
  return warning('rights', `other users may use ${open.join(', ')}`, todo);
}

/** @param isAtRest whether a file may be written for a moment, to see a quota and the longest length of a file too */
async function checkDisk(folder: string, isAtRest: boolean): Promise<Finding> {
  const { free } = await readDiskUsage(folder);
  if (isAtRest && !canDatabaseGrow(databaseFile(folder)))
    return failed(
      'disk',
      `there is no room in ${folder}: the disk is full, or a quota or a limit is reached`,
      MAKE_ROOM,
    );
  return roomOf(free);
}

function roomOf(free: number): Finding {
  const says = `${Math.floor(free / MIB)} MiB are free`;
  if (free >= LITTLE_ROOM) return ok('disk', says);
  return free >= MIB ? warning('disk', says, MAKE_ROOM) : failed('disk', says, MAKE_ROOM);
}

function checkSecrets(folder: string, given: string | undefined): Finding {
  const database = openSqliteDatabase({ file: databaseFile(folder), readonly: true });
  try {
    const { problem } = findPepper(database, folder, given);
    if (problem === undefined)
      return ok('secrets', given === undefined ? 'as the folder has them' : 'KEY_PEPPER is set');
    const todo = 'set KEY_PEPPER to the value that was in use, or leave it out if the folder has key-pepper.secret';
    return given === undefined ? failed('secrets', problem, RESTORE) : warning('secrets', problem, todo);
  } catch (error) {
    return failed('secrets', lineOf(error), RESTORE);
  } finally {
    database.close();
  }
}

/** The clock by what the folder knows of the time. */
async function checkClock(
  config: Pick<Config, 'dataDir' | 'acceptClock'>,
  folder: string,
  { now, bootClock }: Pick<Environment, 'now' | 'bootClock'>,
): Promise<Finding> {
  const stores = await openForReading(config).catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code === 'empty_folder') return undefined;
    throw error;
  });
  const says = `the clock says ${new Date(now()).toISOString()}`;
  if (!stores) return ok('clock', says);
  try {
    const [marker, lastRecordedAt] = [
      createClockMarkerFile(clockFile(folder)).read(),
      await lastRecordedAtOf(stores.log),
    ];
    const clock = createServerClock({ now, bootClock, marker, lastRecordedAt, ...config, logger: silentLog });
    const { doubt, unconfirmed } = clock;
    const todo = 'set the clock (timedatectl set-ntp true), or start the server once with ACCEPT_CLOCK if it is right';
    if (doubt) return failed('clock', describeDoubt(doubt), todo);
    if (unconfirmed) return warning('clock', describeUnconfirmed(unconfirmed), todo);
    if (!clock.isLogAhead) return ok('clock', says);
    return warning('clock', `${says}, and the log has records of more than five minutes later`, todo);
  } finally {
    await stores.close();
  }
}
