import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NewRecord, RecordMeta } from '../../../src/domain/event-sourcing/record.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import type { LogArchiver } from '../../../src/event-log/sqlite/log-archiver.ts';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';
import { runs } from '../../system/properties/runs.ts';
import { eventLogContract, everything } from '../port/event-log.contract.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { archiveAll, archivingLog, openArchiver } from './archiving-log.ts';

const folder = temporaryFolder();
let files = 0;
const newFiles = () => {
  const number = files++;
  return { file: folder.path(`log-${number}.db`), archive: folder.path(`log-${number}-archive.db`) };
};

eventLogContract('sqlite, all of it archived', async (options) => {
  const places = newFiles();
  return archivingLog(openSqliteLog({ ...options, ...places }), places);
});

const STREAMS = ['odds-1', 'odds-2', 'event-1'];
const START = Date.parse('2026-03-01T12:00:00Z');

function price(number: number): NewRecord {
  const outcomes = [{ outcome: 'home', price: 100 + number }];
  const markets = [{ key: 'h2h', scope: 'match', alternate: false, outcomes }];
  const content = { bookmaker: `book${number % 3}`, markets };
  const data = { at: new Date(START + number).toISOString(), source: 'feed', content, eventId: 1 };
  return { type: 'PricesChanged', version: 1, data, meta: { partition: 'event-1' } };
}
const other = (number: number): NewRecord => ({
  type: 'Noted',
  version: 3,
  data: { number, text: 'Žalgiris \u0000 \ud800 "\\\n' },
  meta: { partition: 'event-1', batch: number } as RecordMeta,
});

/** Everything that can be read of the log, as text. */
async function readings(log: EventLog): Promise<string> {
  const all = await everything(log);
  const streams = await Promise.all(
    STREAMS.flatMap((stream) => [
      log.readStream(stream),
      log.readStream(stream, { direction: 'backwards', limit: 3 }),
      log.readStream(stream, { fromRevision: 2, limit: 150, until: all[all.length >> 1]?.recordedAt }),
    ]),
  );
  const read = {
    all,
    streams,
    together: await log.readStreams(STREAMS),
    backwards: await log.readBackwards(5),
    one: all[1] && (await log.recordAt(all[1].position)),
    head: await log.head(),
  };
  return JSON.stringify(read, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
}

class Crash extends Error {}

/** Ends the archiver at its n-th pause. */
function crashAt(n: number): () => Promise<void> {
  let left = n;
  return async () => {
    if (left-- <= 0) throw new Crash();
  };
}

async function untilCrash(archiver: LogArchiver): Promise<void> {
  try {
    await archiveAll(archiver);
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  } finally {
    archiver.close();
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ stream: fc.nat(2), count: fc.integer({ min: 1, max: 130 }) }) },
  { weight: 2, arbitrary: fc.record({ crashAt: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.constant({ opens: true }) },
);

describe('a partly archived log', () => {
  it('reads as one that was never archived, whenever it was archived and wherever that was interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const places = newFiles();
        const clock = { time: START };
        const now = () => clock.time;
        const plain = openSqliteLog({ file: ':memory:', now });
        let log = openSqliteLog({ ...places, now });
        let number = 0;
        for (const one of steps) {
          if ('stream' in one) {
            clock.time += 1000;
            const events = Array.from({ length: one.count }, () =>
              number++ % 7 === 0 ? other(number) : price(number),
            );
            for (const each of [plain, log]) await each.append(STREAMS[one.stream]!, events, 'any');
          } else if ('crashAt' in one) {
            await untilCrash(await openArchiver({ ...places, pause: crashAt(one.crashAt) }));
          } else {
            await log.close();
            log = openSqliteLog({ ...places, now });
          }
          expect(await readings(log)).toBe(await readings(plain));
        }
        await log.close();
        await plain.close();
      }),
      runs(40),
    );
  });

  it('loses nothing when a power failure removes all that was not flushed to the archive', async () => {
    // Twelve blocks are written, then 200 of the 1,080 rows are emptied at a time; the last one is no crash.
    for (const crash of [0, 6, 11, 12, 13, 17, 100]) {
      const places = newFiles();
      const log = openSqliteLog(places);
      for (let n = 0; n < 6; n++)
        await log.appendAll(
          STREAMS.map((stream) => ({
            stream,
            events: Array.from({ length: 60 }, (_, i) => price(n * 60 + i)),
            expected: 'any',
          })),
        );
      const before = await readings(log);
      const onDisk = new Map<string, Buffer>();
      const flush = async () => {
        for (const name of [places.archive, `${places.archive}-wal`]) {
          const bytes = readIfThere(name);
          if (bytes) onDisk.set(name, bytes);
        }
      };
      const archiver = await openArchiver({ ...places, flush, pause: crashAt(crash) });
      await archiveAll(archiver).catch(() => {});
      // The log's own file as it was written, which is its worst case.
      const image = newFiles();
      for (const end of ['', '-wal']) {
        copyFileSync(`${places.file}${end}`, `${image.file}${end}`);
        const flushed = onDisk.get(`${places.archive}${end}`);
        if (flushed) writeFileSync(`${image.archive}${end}`, flushed);
      }
      archiver.close();
      await log.close();

      const found = openSqliteLog(image);
      expect(await readings(found)).toBe(before);
      const again = await openArchiver(image);
      await archiveAll(again);
      again.close();
      expect(await readings(found)).toBe(before);
      expect(wholeRows(image.file)).toBe(0);
      await found.close();
    }
  });

  it('a failed flush empties nothing', async () => {
    const places = newFiles();
    const log = await filled(places);
    let flushes = 0;
    const flush = async () => {
      if (++flushes > 2) throw new Error('EIO');
    };
    const failed: string[] = [];
    const archiver = await openArchiver({
      ...places,
      flush,
      failed: (file, error) => {
        failed.push(file);
        return error;
      },
    });
    await expect(archiveAll(archiver)).rejects.toThrow('EIO');
    expect(failed).toEqual([`${places.archive}-wal`]);
    expect(wholeRows(places.file)).toBe(RECORDS);
    archiver.close();
    await log.close();
  });

  it('does nothing while `mayGoOn` is false, and stops when it becomes false', async () => {
    const places = newFiles();
    const log = await filled(places);
    let may = 0;
    const archiver = await openArchiver({ ...places, mayGoOn: () => may-- > 0 });
    const { streams } = archiver.streamsAfter(0, 'odds-');
    const names = streams.map(({ name }) => name);
    expect(await archiver.move(names)).toMatchObject({ records: 0, isPart: true });
    expect(wholeRows(places.file)).toBe(RECORDS);
    may = 6;
    expect(await archiver.move(names)).toMatchObject({ records: 200, isPart: true });
    may = 1000;
    expect(await archiver.move(names)).toMatchObject({ records: RECORDS - 200, isPart: false });
    expect(await archiver.move(names)).toMatchObject({ records: 0, isPart: false });
    expect(archiver.streamsAfter(0, 'odds-').streams).toMatchObject([{ name: 'odds-1', isArchived: true }]);
    archiver.close();
    await log.close();
  });

  it('delays nothing for long', async () => {
    const places = newFiles();
    const log = await filled(places, 5000);
    const archiver = await openArchiver({ ...places, pause: () => new Promise((resolve) => setImmediate(resolve)) });
    const { result, longest } = await longestBlocking(() => archiveAll(archiver));
    expect(result).toBe(5000);
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
    archiver.close();
    await log.close();
  });
});

describe('a wrong archive', () => {
  it('that is missing is named by every start, and no read is answered', async () => {
    const places = await archived();
    for (const end of ['', '-wal', '-shm']) rmSync(`${places.archive}${end}`, { force: true });
    const message = `${places.archive} is missing: it holds a part of the event log`;
    for (const readonly of [true, false]) expect(() => openSqliteLog({ ...places, readonly })).toThrow(message);
    await expect(openArchiver(places)).rejects.toThrow(message);
    expect(existsSync(places.archive)).toBe(false);
  });

  it('of another log is refused, even if it has the right name', async () => {
    const places = await archived();
    const others = await archived();
    const image = newFiles();
    copyDatabase(places.file, image.file);
    copyDatabase(others.archive, image.archive);
    const message = `${image.archive} is not the archive of this event log`;
    expect(() => openSqliteLog(image)).toThrow(message);
    await expect(openArchiver(image)).rejects.toThrow(message);
  });

  it('that is an older copy answers what it has, and says what it lacks', async () => {
    const places = newFiles();
    const log = await filled(places, 30);
    await archive(places);
    const image = newFiles();
    copyDatabase(places.archive, image.archive);
    await log.append('odds-1', [price(1)], 'any');
    await archive(places);
    copyDatabase(places.file, image.file);
    await log.close();
    const found = openSqliteLog(image);
    onTestFinished(() => found.close());
    expect(await found.readStream('odds-1', { limit: 30 })).toHaveLength(30);
    await expect(found.readStream('odds-1')).rejects.toThrow(
      `${image.archive} lacks record 30 of stream odds-1: it is an older copy`,
    );
  });

  it('that was moved away under the archiver gets nothing that is then emptied', async () => {
    const places = newFiles();
    const log = await filled(places);
    const archiver = await openArchiver(places);
    renameSync(places.archive, `${places.archive}.elsewhere`);
    await expect(archiveAll(archiver)).rejects.toThrow(`${places.archive} is gone`);
    expect(wholeRows(places.file)).toBe(RECORDS);
    archiver.close();
    await log.close();
  });

  it('that holds another record where the log still has its own is left as it is', async () => {
    const places = newFiles();
    const log = await filled(places, 30);
    const stops = await openArchiver({ ...places, pause: crashAt(0) });
    await untilCrash(stops);
    const database = openSqliteDatabase({ file: places.file });
    database.exec("UPDATE records SET data = '[]' WHERE revision = 7");
    database.close();
    await expect(archive(places)).rejects.toThrow(`${places.archive} holds another record 7 of stream odds-1`);
    expect(wholeRows(places.file)).toBe(30);
    await log.close();
  });
});

const RECORDS = 450;

async function filled(places: { file: string; archive: string }, records = RECORDS): Promise<EventLog> {
  const log = openSqliteLog(places);
  await log.append(
    'odds-1',
    Array.from({ length: records }, (_, n) => price(n)),
    'none',
  );
  return log;
}

async function archive(places: { file: string; archive: string }): Promise<void> {
  const archiver = await openArchiver(places);
  await archiveAll(archiver).finally(() => archiver.close());
}

const readIfThere = (name: string) => (existsSync(name) ? readFileSync(name) : undefined);

/** As it is at this moment, while nothing writes. */
function copyDatabase(from: string, to: string): void {
  for (const end of ['', '-wal']) if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${to}${end}`);
}

async function archived() {
  const places = newFiles();
  const log = await filled(places);
  await archive(places);
  await log.close();
  return places;
}

/** The number of rows that hold their content themselves. */
function wholeRows(file: string): number {
  const database = openSqliteDatabase({ file, readonly: true });
  const [count] = database.prepare("SELECT count(*) FROM records WHERE data <> ''").raw().get() as [number];
  database.close();
  return count;
}
