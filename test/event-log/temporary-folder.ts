import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for the files of one test file, removed at its end. */
export function temporaryFolder(): { path(name: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-log-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { path: (name) => join(folder, name) };
}
