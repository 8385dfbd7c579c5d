import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, ftruncateSync, mkdtempSync, openSync, readFileSync, writeSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../api/fuzz/random.ts';

/**
 * `power`: a kill after which what was not flushed may be lost. `fail`: operations fail. `full`: from one operation on,
 * whatever needs room fails.
 */
export type FaultName = 'kill' | 'power' | 'fail' | 'full';

/** Kinds of files in a data folder; `index` is that of the write-ahead file, `folder` the folder itself. */
export const FILE_KINDS = [
  'wal',
  'database',
  'index',
  'journal',
  'archive',
  'clock',
  'secret',
  'lock',
  'folder',
  'other',
] as const;
export type FileKind = (typeof FILE_KINDS)[number];
/** `name` is create, rename, link and remove. */
export const OPERATIONS = ['read', 'write', 'sync', 'name', 'open', 'truncate'] as const;
export type Operation = (typeof OPERATIONS)[number];
export type ErrorName = 'EIO' | 'ENOSPC' | 'EDQUOT' | 'EMFILE';

/** What goes wrong with operations on the files of a folder. */
export interface Fault {
  readonly name: FaultName;
  /** `any` leaves out `index` and `lock`. */
  readonly files: 'any' | FileKind;
  readonly operations: readonly Operation[];
  /** Which of these operations; from 1. */
  readonly at: number;
  /** A write is done to its half, a flush to its end. */
  readonly torn: boolean;
  /** Of `fail` and `full`. */
  readonly error: ErrorName;
  /** Of `fail`: how many; 0: all until the disk is well. */
  readonly times: number;
  /** From the start of the process, or when the test lets it come. */
  readonly from: 'start' | 'work';
  /** Of `full`, when the server has told of it. */
  readonly end: 'kill' | 'stop' | 'room';
}

const NONE = { error: 'EIO', times: 1, torn: false, from: 'start', end: 'room' } as const;

/** A fault in plain words, without what does not matter. */
export const faultWith = (parts: Pick<Fault, 'name' | 'files' | 'operations' | 'at'> & Partial<Fault>): Fault => ({
  ...NONE,
  ...parts,
});

export function textOf({ name, files, operations, at, torn, error, times }: Fault): string {
  const letters = operations.map((operation) => operation[0]).join('');
  const call = name === 'power' ? 'kill' : name;
  return `${call} ${files} ${letters} ${at} ${torn ? 1 : 0} ${constants.errno[error]} ${times}`;
}

const SOURCE = fileURLToPath(new URL('./faulty-disk.c', import.meta.url));
let library: string | undefined;

/** The library that stands between a process and its disk. Undefined: this machine has no C compiler, or is no Linux. */
export function faultyDisk(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  if (library) return library;
  const file = join(mkdtempSync(join(tmpdir(), 'll-faulty-disk-')), 'faulty-disk.so');
  try {
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', file, SOURCE, '-lpthread'], { stdio: 'pipe' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  library = file;
  return library;
}

/** Files beside a folder by which its faulty disk is steered and watched. */
export interface FaultFiles {
  readonly state: string;
  readonly journal: string;
}

export const faultFiles = (place: string, life: number): FaultFiles => ({
  state: join(place, `state-${life}`),
  journal: join(place, `journal-${life}`),
});

/** The environment of a process with such a disk. */
export function faultyEnvironment(folder: string, fault: Fault, files: FaultFiles): Record<string, string> {
  const keepsJournal = fault.name === 'power' || fault.name === 'fail';
  const descriptor = openSync(files.state, 'w');
  ftruncateSync(descriptor, STATE_BYTES);
  closeSync(descriptor);
  setWell(files, fault.from === 'work');
  return {
    LD_PRELOAD: faultyDisk()!,
    FAULT_FOLDER: folder,
    FAULT: textOf(fault),
    FAULT_STATE: files.state,
    ...(keepsJournal ? { FAULT_JOURNAL: files.journal } : {}),
  };
}

const IS_WELL = FILE_KINDS.length * OPERATIONS.length * 8;
const HAPPENED = IS_WELL + 4;
const TEXT = HAPPENED + 4;
const STATE_BYTES = TEXT + 248;

/** While the disk is well, nothing goes wrong on it. */
export function setWell({ state }: FaultFiles, isWell: boolean): void {
  const descriptor = openSync(state, 'r+');
  writeSync(descriptor, Uint8Array.of(isWell ? 1 : 0), 0, 1, IS_WELL);
  closeSync(descriptor);
}

/** Which operation went wrong; undefined: none yet. */
export function whatHappened({ state }: FaultFiles): string | undefined {
  if (!existsSync(state)) return undefined;
  const bytes = readFileSync(state);
  if (bytes.readUInt32LE(HAPPENED) === 0) return undefined;
  return bytes.toString('utf8', TEXT).replace(/\0.*$/s, '');
}

/** By its first operations a process starts, and those are few. */
const AT_MOST = [40, 300, 300, 1500, 1500];
const ANY_FILES = ['any', 'wal', 'database', 'journal', 'other'] as const;

const READ_FILES = ['wal', 'database', 'journal', 'other'] as const;

const CHANGES = ['write', 'sync', 'name', 'truncate'] as const;

export function faultOf({ pick, below, chance }: Random): Fault {
  const name = pick(['kill', 'power', 'power', 'fail', 'full'] as const);
  const operations =
    name === 'fail'
      ? [pick([...CHANGES, 'open', 'read', 'read'] as const)]
      : name === 'full'
        ? (['write', 'name'] as const)
        : CHANGES;
  const ofSome = operations[0] === 'read' ? READ_FILES : ANY_FILES;
  const files = name === 'fail' || chance(0.3) ? pick(ofSome) : 'any';
  const end = pick(['kill', 'stop', 'room'] as const);
  const error = name === 'full' ? 'ENOSPC' : 'EIO';
  return faultWith({ name, files, operations, at: 1 + below(pick(AT_MOST)), torn: chance(0.5), end, error });
}
