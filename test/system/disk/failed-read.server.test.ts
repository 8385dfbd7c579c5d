import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../../server/cli/launching.ts';
import { faultFiles, faultWith, faultyDisk, faultyEnvironment, whatHappened } from '../crash/disk-faults.ts';
import type { Said } from './query-database.ts';

const ROWS = 5000;
const RIGHT = [ROWS, (ROWS * (ROWS + 1)) / 2, ROWS];

/**
 * A database with its rows.
 * @param isMoved false: all commits are in the write-ahead file, as a process leaves it that is killed
 */
function prepare(folder: string, isMoved: boolean): void {
  const made = `${folder}-made`;
  for (const path of [folder, made]) mkdirSync(path);
  const database = openSqliteDatabase({ file: databaseFile(made) });
  database.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a, b); CREATE INDEX i ON t (a)');
  database.exec(`WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${ROWS})
    INSERT INTO t SELECT x, hex(randomblob(40)) FROM n`);
  if (isMoved) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  for (const end of ['', '-wal']) cpSync(`${databaseFile(made)}${end}`, `${databaseFile(folder)}${end}`);
  database.close();
}

describe.skipIf(faultyDisk() === undefined)('a read that fails (this needs Linux and a C compiler)', () => {
  it.each([
    ['of the database', 'database'],
    ['of the write-ahead file', 'wal'],
  ] as const)('%s is an error of the disk, and never gives other rows', async (_, files) => {
    const place = temporaryFolder();
    const program = join(place, 'query-database.cjs');
    const entry = join(import.meta.dirname, 'query-database.ts');
    await build({ entryPoints: [entry], bundle: true, platform: 'node', external: ['libsql'], outfile: program });
    const prepared = join(place, 'prepared');
    prepare(prepared, files === 'database');
    let failures = 0;
    for (let at = 1; at <= 40; at++) {
      const folder = join(place, `run-${at}`);
      cpSync(prepared, folder, { recursive: true });
      const steering = faultFiles(place, at);
      const fault = faultWith({ name: 'fail', files, operations: ['read'], at: 1 + ((at * at) % 300) });
      const { answers, error } = JSON.parse(
        execFileSync(process.execPath, [program, databaseFile(folder)], {
          env: { ...process.env, NODE_PATH: resolve('node_modules'), ...faultyEnvironment(folder, fault, steering) },
          encoding: 'utf8',
        }),
      ) as Said;
      expect(answers).toEqual(RIGHT.slice(0, answers.length));
      // SQLite does without some reads, such as a first look at the header.
      if (error === undefined) continue;
      expect([error, whatHappened(steering)]).toEqual(['unreadable', expect.stringContaining('read')]);
      failures++;
    }
    expect(failures).toBeGreaterThan(10);
  });
});
