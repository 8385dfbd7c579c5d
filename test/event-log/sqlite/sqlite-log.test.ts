import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, symlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import type { EventLog, ReadStreamOptions } from '../../../src/event-log/port/event-log.ts';
import { openSqliteLog, type SqliteLogOptions } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { scored } from '../port/event-log.contract.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const opened: EventLog[] = [];
let files = 0;
const newFile = () => folder.path(`log-${files++}.db`);
function open(options: SqliteLogOptions): EventLog {
  const log = openSqliteLog(options);
  opened.push(log);
  return log;
}
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
});

describe('group commit', () => {
  it('concurrent appends share few commits, and all are on disk', async () => {
    const file = newFile();
    const log = open({ file });
    await Promise.all(Array.from({ length: 64 }, (_, i) => log.append(`score-${i % 8}`, [scored(i)], 'any')));
    expect(log.appendStats?.commits).toBeLessThanOrEqual(4);
    expect(await open({ file }).readAll(null, 100)).toEqual(await log.readAll(null, 100));
    expect(await log.readAll(null, 100)).toHaveLength(64);
  });

  it('a group is bounded', async () => {
    const log = open({ file: newFile(), groupRecords: 10 });
    await Promise.all(Array.from({ length: 64 }, (_, i) => log.append(`score-${i}`, [scored(i)], 'none')));
    expect(log.appendStats?.commits).toBe(7);
  });

  it('an append without events is no commit', async () => {
    const log = open({ file: newFile() });
    await log.append('score-1', [], 'none');
    expect(log.appendStats?.commits).toBe(0);
  });

  it('when the transaction fails, all its callers are rejected and the log continues', async () => {
    const file = newFile();
    const log = open({ file });
    await log.append('score-1', [scored(1)], 'none');
    const database = openSqliteDatabase({ file });
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT raise(ABORT, 'disk full'); END`);
    const failed = await Promise.allSettled([
      log.append('score-1', [scored(2)], 0),
      log.append('score-2', [scored(3)], 'none'),
    ]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    database.exec('DROP TRIGGER full');
    database.close();
    await log.append('score-2', [scored(3)], 'none');
    await log.append('score-1', [scored(2)], 0);
    expect((await log.readAll(null, 10)).map(({ stream }) => stream)).toEqual(['score-1', 'score-2', 'score-1']);
  });
});

describe('several connections to one file', () => {
  it('appends of another connection count for expectations', async () => {
    const file = newFile();
    const one = open({ file });
    const two = open({ file });
    await one.append('score-1', [scored(1)], 'none');
    await two.append('score-1', [scored(2)], 0);
    await expect(one.append('score-1', [scored(3)], 0)).rejects.toMatchObject({ actual: 1 });
    await one.append('score-1', [scored(3)], 1);
    await expect(two.append('score-2', [scored(4)], 'exists')).rejects.toMatchObject({ actual: -1 });
    await one.append('score-2', [scored(4)], 'none');
    await two.append('score-2', [scored(5)], 'exists');
    const positions = (await one.readAll(null, 10)).map(({ position }) => position);
    expect(positions).toEqual([1n, 2n, 3n, 4n, 5n]);
  });

  it('recorded time does not decrease across connections and restarts', async () => {
    const file = newFile();
    const late = open({ file, now: () => Date.parse('2025-03-01T12:00:00.500Z') });
    await late.append('score-1', [scored(1)], 'none');
    const early = open({ file, now: () => Date.parse('2025-03-01T11:00:00.000Z') });
    await early.append('score-1', [scored(2)], 'any');
    const [, second] = await early.readStream('score-1');
    expect(second!.recordedAt).toBe('2025-03-01T12:00:00.500Z');
  });

  it('shares a database that its owner closes', async () => {
    const database = openSqliteDatabase({ file: newFile() });
    const log = openSqliteLog({ database });
    await log.append('score-1', [scored(1)], 'none');
    await log.close();
    expect(database.prepare('SELECT count(*) FROM records').raw().get()).toEqual([1]);
    database.close();
  });

  it('refuses a database whose commits may be lost', () => {
    const database = openSqliteDatabase({ file: newFile(), synchronous: 'normal' });
    expect(() => openSqliteLog({ database })).toThrow('synchronous');
    database.close();
  });
});

describe('long streams', () => {
  it('are read as of one moment, while others have their turn and another process appends', async () => {
    const file = newFile();
    const log = open({ file });
    const many = Array.from({ length: 3000 }, (_, i) => scored(i));
    await log.append('score-1', many, 'none');
    await log.append('score-2', many, 'none');
    const before = [await log.readStream('score-1'), await log.readStream('score-2')];
    const other = open({ file });
    let turns = 0;
    const appended: Promise<unknown>[] = [];
    const turn = () => {
      turns++;
      appended.push(other.append('score-1', [scored(turns)], 'any'), other.append('score-2', [scored(turns)], 'any'));
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);

    const read = await log.readStreams(['score-1', 'score-2', 'score-1']);

    clearImmediate(next);
    await Promise.all(appended);
    expect(turns).toBeGreaterThan(0);
    expect(read).toEqual([...before, before[0]]);
    expect((await log.readStreams(['score-2']))[0]!.length).toBeGreaterThan(3000);
  });
});

describe('large records of a stream', () => {
  it('are read in turns with others, whatever part of it is asked for', async () => {
    const log = open({ file: newFile() });
    const many = Array.from({ length: 20_000 }, (_, i) => ({ i }));
    const large = Array.from({ length: 40 }, (_, i) => ({ ...scored(i), data: { many } }));
    await log.append('score-1', large, 'none');
    const all = Array.from({ length: 40 }, (_, revision) => revision);
    const turnsWhile = async (options?: ReadStreamOptions) => {
      let [turns, isOver] = [0, false];
      const turn = () => {
        turns++;
        if (!isOver) setImmediate(turn);
      };
      setImmediate(turn);
      const found = await log.readStream('score-1', options);
      isOver = true;
      return { turns, revisions: found.map(({ revision }) => revision) };
    };
    for (const [options, revisions] of [
      [undefined, all],
      [{ limit: 64 }, all],
      [{ fromRevision: 7, limit: 20 }, all.slice(7, 27)],
      [{ direction: 'backwards' }, all.toReversed()],
      [{ direction: 'backwards', fromRevision: 30, limit: 25 }, all.slice(6, 31).toReversed()],
      [{ until: '2100-01-01T00:00:00Z', limit: 12 }, all.slice(0, 12)],
    ] as const) {
      const read = await turnsWhile(options);
      expect(read.revisions).toEqual(revisions);
      expect(read.turns).toBeGreaterThan(0);
    }
    expect((await turnsWhile({ limit: 1 })).revisions).toEqual([0]);
    expect((await turnsWhile({ limit: 0 })).revisions).toEqual([]);
    expect((await turnsWhile({ until: '2000-01-01T00:00:00Z' })).revisions).toEqual([]);
  });
});

describe('read-only', () => {
  it('reads beside a writer, sees what it commits, and refuses to append', async () => {
    const file = newFile();
    const writer = open({ file });
    await writer.append('score-1', [scored(1)], 'none');
    const reader = open({ file, readonly: true });
    expect(await reader.readStream('score-1')).toHaveLength(1);
    await writer.append('score-1', [scored(2)], 0);
    expect(await reader.readStreams(['score-1'])).toEqual([await writer.readStream('score-1')]);
    expect(await reader.head()).toBe(2n);
    await expect(reader.append('score-1', [scored(3)], 'any')).rejects.toThrow('reading only');
  });

  it('reads a file that no process has open', async () => {
    const file = newFile();
    const writer = open({ file });
    await writer.append('score-1', [scored(1)], 'none');
    await writer.close();
    expect(await open({ file, readonly: true }).head()).toBe(1n);
  });

  it('creates no file, and names what is missing', () => {
    const file = newFile();
    expect(() => openSqliteLog({ file, readonly: true })).toThrow('no database file');
    expect(existsSync(file)).toBe(false);
    openSqliteDatabase({ file }).close();
    expect(() => openSqliteLog({ file, readonly: true })).toThrow('no event log');
  });
});

describe('after a crash', () => {
  it('everything that was acknowledged is stored', async () => {
    const file = newFile();
    symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), folder.path('node_modules'));
    const script = folder.path('append-until-killed.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('append-until-killed.ts', import.meta.url))],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    for (const killAfter of [1, 200, 777]) {
      const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      const acknowledged: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        acknowledged.push(line);
        if (acknowledged.length === killAfter) child.kill('SIGKILL');
      }
      expect((await exited)[1]).toBe('SIGKILL');

      const log = open({ file });
      const all = await log.readAll(null, 1_000_000);
      const found = new Set(all.map(({ stream, revision, position }) => `${stream} ${revision} ${position}`));
      // The kill may have cut the last line short.
      expect(acknowledged.slice(0, -1).filter((line) => !found.has(line))).toEqual([]);
      expect(acknowledged.length).toBeGreaterThanOrEqual(killAfter);
      const next = new Map<string, number>();
      for (const { stream, revision } of all) {
        expect(revision).toBe(next.get(stream) ?? 0);
        next.set(stream, revision + 1);
      }
      expect(all.at(-1)!.position).toBe(BigInt(all.length));
      await log.append('score-0', [scored(1)], 'exists');
      await log.close();
    }
  });
});
