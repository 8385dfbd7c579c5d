import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'libsql';
import { DataFolderError, holderFile, lockFile } from './folder-paths.ts';

/** Who writes to a folder, for people: it is read only when the lock is found taken, and may be a moment old. It
 *  lives: of a process that has ended nothing is told, for it is not what holds the lock. */
interface LockHolder {
  readonly pid: number;
  /** The command: `start` is the server. */
  readonly command: string;
}

export interface FolderLock {
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
 * Takes the folder for this process, the only one to write to it until `release` or its end. What holds it is a
 * lock of the operating system on a file of its own, through an SQLite transaction that is never committed: however
 * a process dies, the lock dies with it. Nothing else may open that file, since closing it would free the lock.
 * @param isTold false: the folder is left as it is, and nobody is told who holds it
 * @throws FolderInUse
 */
export function lockFolder(folder: string, command: string, { isTold = true } = {}): FolderLock {
  let database: Database.Database | undefined;
  try {
    database = new Database(lockFile(folder));
    database.exec('PRAGMA busy_timeout = 0');
    // Nothing is ever written to it, so no journal needs to lie beside it.
    database.exec('PRAGMA journal_mode = OFF');
    database.exec('BEGIN EXCLUSIVE');
    const holder: LockHolder = { pid: process.pid, command };
    if (isTold) writeFileSync(holderFile(folder), `${JSON.stringify(holder)}\n`);
  } catch (error) {
    database?.close();
    const { code, message } = error as Error & { code?: string };
    if (code?.startsWith('SQLITE_BUSY')) throw new FolderInUse(folder, readHolder(folder));
    throw new DataFolderError(`the data folder ${folder} cannot be written: ${message}`);
  }
  const held = database;
  return { release: () => held.close() };
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
  // The system takes 0 and what is below it for groups of processes.
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
