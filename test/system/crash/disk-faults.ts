import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../../api/fuzz/random.ts';

/** `power`: a kill after which what was not flushed may be lost. `eio`: one operation fails. `full`: no room until there is. */
export type FaultName = 'kill' | 'power' | 'eio' | 'full';

/** What goes wrong with one operation on the files of a folder. */
export interface Fault {
  readonly name: FaultName;
  readonly files: 'any' | 'wal' | 'database' | 'journal' | 'other';
  /** Letters: (r)ead, (w)rite, (s)ync, (n)ame, which is create, rename, link and remove. */
  readonly operations: string;
  /** Which of these operations; from 1. */
  readonly at: number;
  /** A write is done to its half, a flush to its end. */
  readonly torn: boolean;
}

export const textOf = ({ name, files, operations, at, torn }: Fault): string =>
  `${name} ${files} ${operations} ${at} ${torn ? 1 : 0}`;

const SOURCE = fileURLToPath(new URL('./faulty-disk.c', import.meta.url));
let library: string | undefined;

/** The library that stands between a process and its disk. Undefined: this machine has no C compiler, or is no Linux. */
export function faultyDisk(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  if (library) return library;
  const file = join(mkdtempSync(join(tmpdir(), 'll-faulty-disk-')), 'faulty-disk.so');
  try {
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', file, SOURCE, '-ldl', '-lpthread'], { stdio: 'pipe' });
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
  readonly room: string;
}

export const faultFiles = (place: string, life: number): FaultFiles => ({
  state: join(place, `state-${life}`),
  journal: join(place, `journal-${life}`),
  room: join(place, `room-${life}`),
});

/** The environment of a process with such a disk. */
export function faultyEnvironment(folder: string, fault: Fault, files: FaultFiles): Record<string, string> {
  const keepsJournal = fault.name === 'power' || fault.name === 'eio';
  return {
    LD_PRELOAD: faultyDisk()!,
    FAULT_FOLDER: folder,
    FAULT: textOf(fault.name === 'power' ? { ...fault, name: 'kill' } : fault),
    FAULT_STATE: files.state,
    FAULT_ROOM: files.room,
    ...(keepsJournal ? { FAULT_JOURNAL: files.journal } : {}),
  };
}

const COUNTS = 4 * 4 * 8;

/** Which operation went wrong; undefined: none yet. */
export function whatHappened({ state }: FaultFiles): string | undefined {
  if (!existsSync(state)) return undefined;
  const bytes = readFileSync(state);
  if (bytes.length < COUNTS + 4 || bytes.readUInt32LE(COUNTS) === 0) return undefined;
  return bytes.toString('utf8', COUNTS + 4).replace(/\0.*$/s, '');
}

/** By its first operations a process starts, and those are few. */
const AT_MOST = [40, 300, 300, 1500, 1500];
const EIO_FILES = ['any', 'wal', 'database', 'journal', 'other'] as const;

/**
 * A failed read of the write-ahead file is left out: in a checkpoint libsql 0.5.29 takes it for a good one, writes a wrong
 * page into the database, and tells nobody, where SQLite itself refuses.
 */
const READ_FILES = ['database', 'database', 'journal', 'other'] as const;

export function faultOf({ pick, below, chance }: Random): Fault {
  const name = pick(['kill', 'power', 'power', 'eio', 'full'] as const);
  const operations = name === 'eio' ? pick(['w', 's', 'n', 'r', 'r']) : name === 'full' ? 'wn' : 'wsn';
  const ofSome = operations === 'r' ? READ_FILES : EIO_FILES;
  const files = name === 'eio' || chance(0.3) ? pick(ofSome) : 'any';
  return { name, files, operations, at: 1 + below(pick(AT_MOST)), torn: chance(0.5) };
}
