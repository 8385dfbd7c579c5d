import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../server/cli/launching.ts';

/** A file system of so many MiB that is full at their end; undefined where this user may not make one. */
export function smallDisk(mib: number): string | undefined {
  const place = join(temporaryFolder(), 'disk');
  mkdirSync(place);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', place], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', place]));
  return place;
}
