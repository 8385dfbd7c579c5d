import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockFolder } from '../../../src/platform/data-folder/folder-lock.ts';
import { holderFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { temporaryFolder } from '../../server/cli/launching.ts';

/** What is said to the next one, where this is written of the holder. */
function refusal(holder: string): string {
  const folder = temporaryFolder();
  const lock = lockFolder(folder, 'start');
  onTestFinished(() => lock.release());
  writeFileSync(holderFile(folder), holder);
  try {
    lockFolder(folder, 'start').release();
  } catch (error) {
    return (error as Error).message.replace(folder, 'F');
  }
  throw new Error('the lock was taken twice');
}

describe('fault 10: the lock of a data folder', () => {
  it('names the process that holds it', () => {
    const holder = (command: string) => JSON.stringify({ pid: process.pid, command });
    expect(refusal(holder('start'))).toBe(`the data folder F is in use by a server (process ${process.pid})`);
    expect(refusal(holder('ingest'))).toBe(`the data folder F is in use by ingest (process ${process.pid})`);
  });

  it('does not name an ended process, since another one holds the lock', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    expect(refusal(JSON.stringify({ pid, command: 'start' }))).toBe(
      'the data folder F is in use by an unknown process',
    );
  });

  it.each(['', '{', 'null', '{"pid":"x","command":"start"}', '{"pid":-1,"command":"start"}', '{"pid":0}'])(
    'says that the holder is unknown where %j is written of it',
    (holder) => {
      expect(refusal(holder)).toBe('the data folder F is in use by an unknown process');
    },
  );
});
