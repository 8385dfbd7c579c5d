import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { openLogArchiver } from '../../../src/event-log/sqlite/log-archiver.ts';
import { estimateKinds } from '../../../src/event-log/sqlite/log-kinds.ts';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { archiveFile, databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openSqliteStore } from '../../../src/read-models/store/sqlite/sqlite-store.ts';
import { summaryOf } from '../../../src/server/cli/audit-size.ts';
import { measureFolder } from '../../../src/server/embedded/folder-sizes.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';

const { path } = temporaryFolder();
const NOW = Date.parse('2026-03-08T12:00:00Z');

let folders = 0;
/** A folder whose log is open, as beside a running server. */
function open() {
  const folder = path(`folder-${++folders}`);
  mkdirSync(folder);
  const clock = { now: NOW };
  const log = openSqliteLog({ file: databaseFile(folder), archive: archiveFile(folder), now: () => clock.now });
  const store = openSqliteStore({ file: databaseFile(folder), mustExist: true });
  onTestFinished(async () => {
    await store.close();
    await log.close();
  });
  const append = (stream: string, type: string, count: number, text = '') =>
    log.append(
      stream,
      Array.from({ length: count }, (_, n) => ({
        type,
        version: 1,
        data: { n, text },
        meta: { partition: 'event-1' },
      })),
      'any',
    );
  const told: { records: number[]; bytes: number[] } = { records: [], bytes: [] };
  const measure = () =>
    measureFolder(folder, {
      now: NOW,
      onRecords: (done) => told.records.push(done),
      onBytes: (done) => told.bytes.push(done),
    });
  return { folder, clock, append, measure, told };
}

describe('the size of a data folder', () => {
  it('given records of two types, then each takes its share, and the shares and tables come to the whole database', async () => {
    const { folder, append, measure, told } = open();
    await append('odds-1', 'PricesChanged', 2000, 'x'.repeat(200));
    await append('event-1', 'ScoreChanged', 500);
    writeFileSync(join(folder, 'odd name.txt'), '12345');
    const { kinds, tables, freeBytes, files } = await measure();
    expect(kinds.map(({ type, records }) => [type, records])).toEqual([
      ['PricesChanged', 2000],
      ['ScoreChanged', 500],
    ]);
    const each = kinds.map(({ bytes, records }) => bytes / records);
    expect(each[0]! - each[1]!).toBeGreaterThan(190);
    expect(each[0]! - each[1]!).toBeLessThan(230);
    const log = tables.find(({ table }) => table === 'records')!;
    expect(log.rows).toBe(2500);
    expect(Math.abs(kinds.reduce((sum, { bytes }) => sum + bytes, 0) - log.bytes)).toBeLessThan(3);
    // What is still in the write-ahead file counts too.
    const database = openSqliteDatabase({ file: databaseFile(folder), readonly: true });
    const [pages] = database.prepare('PRAGMA page_count').raw().get() as [number];
    database.close();
    expect(tables.reduce((sum, { bytes }) => sum + bytes, freeBytes)).toBeCloseTo(pages * 4096, -1);
    expect(files).toContainEqual({ name: 'odd name.txt', bytes: 5 });
    expect(files).toContainEqual({ name: 'ledgerline.db', bytes: statSync(databaseFile(folder)).size });
    expect(told.records.at(-1)).toBe(2500);
    expect(told.bytes.length).toBeGreaterThan(3);
  });

  it('given records of several days, then the growth of each of the last seven is told', async () => {
    const { clock, append, measure } = open();
    for (const [daysAgo, count] of [
      [20, 7],
      [6, 10],
      [1, 30],
      [0, 5],
    ] as const) {
      clock.now = NOW - daysAgo * DAY;
      await append('odds-1', 'PricesChanged', count);
    }
    const { days } = await measure();
    expect(days.map(({ day, records }) => [day, records])).toEqual([
      ['2026-03-02', 10],
      ['2026-03-03', 0],
      ['2026-03-04', 0],
      ['2026-03-05', 0],
      ['2026-03-06', 0],
      ['2026-03-07', 30],
      ['2026-03-08', 5],
    ]);
    expect(days[5]!.bytes).toBeGreaterThan(days[0]!.bytes);
  });

  it('given archived odds, then the archive is told apart, and what is left of them in the log', async () => {
    const { folder, append, measure } = open();
    await append('odds-1', 'PricesChanged', 250, 'x'.repeat(200));
    await append('event-1', 'ScoreChanged', 3);
    const archiver = await openLogArchiver({
      file: databaseFile(folder),
      archive: archiveFile(folder),
      newId: () => 'archive',
      flush: async () => {},
      failed: (_, error) => error,
      pause: async () => {},
    });
    while ((await archiver.move(['odds-1'])).isPart);
    archiver.close();
    const told = summaryOf(await measure());
    expect(told.kinds.map(({ type, records }) => [type, records])).toEqual([['ScoreChanged', 3]]);
    expect(told.price_ticks).toEqual({ records: 0, bytes: 0, bytes_per_record: null });
    expect(told.archived).toMatchObject({ records: 250 });
    expect(told.archived!.bytes_per_record).toBeLessThan(60);
    expect(told.archived!.bytes_left_per_record).toBeGreaterThan(20);
  });

  it('given a new folder, then nothing is divided by nothing', async () => {
    const told = summaryOf(await open().measure());
    expect([told.kinds, told.price_ticks.bytes_per_record, told.archived]).toEqual([[], null, undefined]);
  });
});

describe('the estimate of what each kind of fact takes', () => {
  it('given a short log, then it counts; given a long one, then it comes close from 2,000 records', async () => {
    const { folder, append } = open();
    await append('event-1', 'ScoreChanged', 7);
    const database = openSqliteDatabase({ file: databaseFile(folder), readonly: true });
    onTestFinished(() => void database.close());
    const ofType = async (wanted: string) =>
      (await estimateKinds(database, async () => {})).find(({ type }) => type === wanted);
    expect(await ofType('ScoreChanged')).toMatchObject({ records: 7 });
    for (let n = 0; n < 100; n++) {
      await append('odds-1', 'PricesChanged', 80);
      await append('event-1', 'ScoreChanged', 20);
    }
    const scores = (await ofType('ScoreChanged'))!;
    expect(scores.records).toBeGreaterThan(1700);
    expect(scores.records).toBeLessThan(2300);
    expect((await ofType('PricesChanged'))!.records + scores.records).toBeCloseTo(10_007, -1);
  });
});
