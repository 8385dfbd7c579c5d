import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'libsql';
import { databaseUri } from '../sqlite/sqlite-database.ts';
import { DataFolderError, holderFile, lockFile } from './folder-paths.ts';

/**
 * The process that writes to a folder, for messages. It is read only if the lock is taken, and may be slightly out of
 * date. Ended processes are ignored, since they cannot hold the lock.
 */
interface LockHolder {
  readonly pid: number;
  /** The command; `start` is the server. */
  readonly command: string;
  /** This version writes `version.json`. An earlier one, which leaves that file as it was, does not write this either. */
  readonly notes?: true;
}

export interface FolderLock {
  /** Stores who holds the lock, where that was not done at once. */
  tell(): void;
  release(): void;
}

/** Another process writes to the folder. */
export class FolderInUse extends Error {
  readonly code = 'folder_in_use';
  readonly holder: LockHolder | null;
  constructor(folder: string, holder: LockHolder | null) {
    super(`the data folder ${folder} is in use by ${describeHolder(holder)}`);
    this.name = 'FolderInUse';
    this.holder = holder;
  }
}

export function describeHolder(holder: LockHolder | null): string {
  if (!holder) return 'an unknown process';
  return holder.command === 'start' ? `a server (process ${holder.pid})` : `${holder.command} (process ${holder.pid})`;
}

/**
 * Locks the folder, so that only this process writes to it until `release` or the end of the process. The lock is the
 * operating system's lock on a file of its own, taken by an SQLite transaction that is never committed. So the lock
 * always ends with the process. Nothing else may open that file, since closing it would free the lock.
 * @param isTold false: changes nothing in the folder, and does not store who holds the lock
 * @throws FolderInUse
 */
export function lockFolder(folder: string, command: string, { isTold = true } = {}): FolderLock {
  let database: Database.Database | undefined;
  try {
    database = new Database(databaseUri(lockFile(folder), 'rwc'));
    database.exec('PRAGMA busy_timeout = 0');
    // Nothing is written to this file, so it needs no journal.
    database.exec('PRAGMA journal_mode = OFF');
    database.exec('BEGIN EXCLUSIVE');
    // SQLite opens for reading what it cannot open for writing, and then locks nothing. This fails there, and is never
    // committed.
    if (isTold) database.exec('PRAGMA user_version = 1');
    if (isTold) tellHolder(folder, command);
  } catch (error) {
    database?.close();
    const { code, message } = error as Error & { code?: string };
    if (code?.startsWith('SQLITE_BUSY')) throw new FolderInUse(folder, readHolder(folder));
    throw new DataFolderError(`the data folder ${folder} cannot be written: ${message}`);
  }
  const held = database;
  return { tell: () => tellHolder(folder, command), release: () => held.close() };
}

function tellHolder(folder: string, command: string): void {
  const holder: LockHolder = { pid: process.pid, command, notes: true };
  writeFileSync(holderFile(folder), `${JSON.stringify(holder)}\n`);
}

/** Whether the last writer of the folder writes `version.json`; undefined: no writer is known. */
export function isHolderNoting(folder: string): boolean | undefined {
  try {
    return (JSON.parse(readFileSync(holderFile(folder), 'utf8')) as LockHolder).notes === true;
  } catch {
    return undefined;
  }
}

function readHolder(folder: string): LockHolder | null {
  try {
    const holder = JSON.parse(readFileSync(holderFile(folder), 'utf8')) as LockHolder;
    return isProcessAlive(holder.pid) ? holder : null;
  } catch {
    return null;
  }
}

function isProcessAlive(pid: number): boolean {
  // The system takes 0 and negative numbers for process groups.
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
