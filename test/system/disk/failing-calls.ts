import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../server/cli/launching.ts';

const SOURCE = fileURLToPath(new URL('./failing-calls.c', import.meta.url));

export interface Fault {
  readonly call: 'read' | 'write' | 'flush' | 'open' | 'truncate';
  /** A part of the file's name. */
  readonly file: string;
  readonly errno: 'EIO' | 'ENOSPC' | 'EDQUOT' | 'EMFILE' | 'EROFS';
}

/** The library, compiled; undefined where there is no compiler. */
export function compileLibrary(folder: string): string | undefined {
  const library = join(folder, 'failing-calls.so');
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SOURCE, '-ldl'], { stdio: 'pipe' });
    return library;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A disk on which, once told so, calls of this kind fail: one of them, or as many as there are until it is mended. */
export function failingDisk(library: string, { call, file, errno }: Fault) {
  const trigger = join(temporaryFolder(), 'trigger');
  return {
    env: {
      LD_PRELOAD: library,
      FAULT_TRIGGER: trigger,
      // SQLite passes over an error of the first look at a file that it opens; reads go on failing.
      FAULT_TIMES: call === 'read' ? '0' : '1',
      FAULT_CALL: call,
      FAULT_FILE: file,
      FAULT_ERRNO: String(constants.errno[errno as keyof typeof constants.errno]),
    },
    /** How many calls have failed. */
    hits: () => (existsSync(`${trigger}.hit`) ? readFileSync(`${trigger}.hit`, 'utf8').split('\n').length - 1 : 0),
    fail: () => writeFileSync(trigger, ''),
  };
}
