import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../../src/accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../../../src/accounts/journal/journaled-sink.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import { hasSpaceFor } from '../../../src/platform/data-folder/disk-space.ts';
import { databaseFile, journalFiles } from '../../../src/platform/data-folder/folder-paths.ts';
import { inImmediateTransaction, openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createDiskGuard } from '../../../src/server/composition/disk-guard.ts';
import { silentLog } from '../../../src/server/composition/environment.ts';
import { watchDatabaseFiles } from '../../../src/server/embedded/database-file-watch.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { type Composed, type ComposedOptions, composed } from '../../support/composed.ts';
import { team } from '../cli/launching.ts';

let folder: string;
let server: Composed | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerline-disk-'));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const INGEST_KEY = 'the-key-of-the-door';

/** A server whose flushes go the way that the test says, and whose process does not end. */
async function open(options: ComposedOptions = {}) {
  const disk = { error: undefined as Error | undefined };
  const ends: { file: string; error: unknown }[] = [];
  server = await composed({
    folder,
    settings: { ingestKey: INGEST_KEY },
    ...options,
    environment: {
      flush: async () => {
        if (disk.error) throw disk.error;
      },
      end: (file, error) => void ends.push({ file, error }),
      ...options.environment,
    },
  });
  await server.core.runner.start();
  const { url } = server;
  const get = async (path: string, key = '') =>
    fetch(url + path, { headers: key === '' ? {} : { authorization: `Bearer ${key}` } });
  const post = (body: string, search = '') =>
    fetch(`${url}/ingest/v1/messages${search}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
      body,
    });
  return { ...server, disk, ends, get, post };
}

const REFUSED = { error: { code: 'service_unavailable', status: 503, retry_after: 5 } };
const IO_ERROR = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });

describe('fault 1: a flush that fails once', () => {
  it('of the log ends the process, and until then nothing is acknowledged', async () => {
    const { disk, ends, get, post } = await open();
    expect((await post(team(1))).status).toBe(200);
    disk.error = IO_ERROR;
    const refused = await post(team(2));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject(REFUSED);
    expect(ends).toEqual([{ file: `${databaseFile(folder)}-wal`, error: IO_ERROR }]);

    disk.error = undefined;
    expect((await post(team(3))).status).toBe(503);
    expect((await get('/healthz')).status).toBe(503);
    expect((await get('/readyz')).status).toBe(503);
    expect(ends).toHaveLength(1);
  });

  it('of the journal does so too: the log is not given what the journal may hold', async () => {
    const { disk, ends, get, newKey, ports } = await open({
      around: (given) => ({
        ...given,
        journal: openJournal<ChargesEntry>(journalFiles(folder), undefined, given.disk),
      }),
    });
    const { key } = await newKey({ plan: 'growth' });
    expect((await get('/v1/sports', key)).status).toBe(200);
    const head = await ports.log.head();
    disk.error = IO_ERROR;
    const refused = await get('/v1/sports', key);
    expect([refused.status, refused.headers.get('x-credits-used')]).toEqual([503, '0']);
    expect(await refused.json()).toMatchObject(REFUSED);
    expect(ends).toEqual([{ file: journalFiles(folder)[0], error: IO_ERROR }]);
    expect(await ports.log.head()).toBe(head);
    expect((await get('/healthz')).status).toBe(503);
  });
});

describe('fault 6: no room', () => {
  const full = (database = server!.database, pages = 0) => {
    const [count] = database.prepare('PRAGMA page_count').raw().get() as [number];
    database.exec(`PRAGMA max_page_count = ${count + pages}`);
  };

  it('is told by the database, refused as something that passes, and over when there is room again', async () => {
    const timers = createTimers();
    const lines: string[] = [];
    const tell = (_: unknown, text: string) => void lines.push(text);
    const ends: unknown[] = [];
    const file = databaseFile(folder);
    const disk = createDiskGuard(file, {
      flush: async () => {},
      end: (...given) => void ends.push(given),
      pace: timers,
      logger: { ...silentLog, info: tell, error: tell },
    });
    const [database, other] = [1, 2].map(() => openSqliteDatabase({ file, watch: disk.watch() })) as [any, any];
    database.exec('CREATE TABLE things (text TEXT)');
    const insert = database.prepare('INSERT INTO things VALUES (?)');
    full(database);
    const write = () =>
      inImmediateTransaction(database, () => {
        for (let n = 0; n < 50; n++) insert.run(['x'.repeat(1000)]);
      });
    expect(write).toThrow(UnavailableError);
    expect(write).toThrow('no room');
    expect([disk.hasRoom, disk.hasFailed, ends, lines.length]).toEqual([false, false, [], 1]);
    // Nothing half, and what only reads does not tell that there is room.
    expect(database.prepare('SELECT count(*) FROM things').raw().get()).toEqual([0]);
    inImmediateTransaction(database, () => {});
    expect(disk.hasRoom).toBe(false);

    database.exec('PRAGMA max_page_count = 100000');
    write();
    expect(disk.hasRoom).toBe(true);

    // Who lacked room and writes no more: some seconds later it is tried whether there is any.
    full(database);
    expect(write).toThrow(UnavailableError);
    other.exec("INSERT INTO things VALUES ('short')");
    expect(disk.hasRoom).toBe(false);
    timers.advance(5000);
    expect(disk.hasRoom).toBe(true);
    expect([timers.size, lines.length]).toEqual([0, 4]);
    expect(existsSync(join(folder, 'room.probe'))).toBe(false);
    database.close();
    other.close();
    disk.close();
  });

  it('is tried with a file that is gone again', () => {
    expect(hasSpaceFor(folder, 123_456_789, 1000)).toBe(true);
    expect(existsSync(join(folder, 'room.probe'))).toBe(false);
    expect(() => hasSpaceFor(join(folder, 'nowhere'), 0, 1)).toThrow('ENOENT');
  });

  it('shows in health, and calls that need no append go on', async () => {
    let isFull = false;
    const {
      get,
      post,
      newKey,
      server: own,
    } = await open({
      around: (given) => {
        const watch = given.disk!.watch();
        const appendAll: typeof given.log.appendAll = async (appends) => {
          if (isFull)
            throw watch.onFailure(Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }));
          watch.onWritten();
          return given.log.appendAll(appends);
        };
        return { ...given, log: { ...given.log, appendAll } };
      },
    });
    const { key } = await newKey({ plan: 'growth' });
    expect((await get('/v1/sports', key)).status).toBe(200);
    isFull = true;
    expect((await post(team(1))).status).toBe(503);
    const health = async () => (await (await get('/v1/health', key)).json()) as object;
    expect(await health()).toMatchObject({ status: 'degraded', reasons: ['disk'] });
    expect((await get('/readyz')).status).toBe(200);
    for (let n = 0; n < 3; n++) {
      const refused = await get('/v1/sports', key);
      expect([refused.status, refused.headers.get('x-credits-used')]).toEqual([503, '0']);
      expect(await refused.json()).toMatchObject(REFUSED);
      // Its account is not in memory now, and cannot be read.
      expect((await get('/v1/health', key)).status).toBe(200);
    }

    isFull = false;
    expect((await post(team(1))).status).toBe(200);
    const answered = await get('/v1/sports', key);
    expect([answered.status, answered.headers.get('x-credits-remaining')]).toEqual([200, '49998']);
    expect(await health()).toMatchObject({ status: 'ok' });
    await own.accounts.credits.flush();
  });
});

describe('fault 1 of the second attack: a read that fails', () => {
  it.each(['SQLITE_IOERR_READ', 'SQLITE_CORRUPT', 'SQLITE_NOTADB'])(
    '%s at work ends the process at once, with the name of the file, and probes say so',
    async (code) => {
      let fails = false;
      const { get, ends, newKey } = await open({
        around: (given) => {
          const watch = given.disk!.watch();
          const read: typeof given.store.get = async (...asked) => {
            if (fails) throw watch.onFailure(Object.assign(new Error('a page that cannot be read'), { code }));
            return given.store.get(...asked);
          };
          return { ...given, store: { ...given.store, get: read } };
        },
      });
      const { key } = await newKey();
      expect((await get('/v1/events/1', key)).status).toBe(404);
      fails = true;

      expect((await get('/v1/events/1', key)).status).toBe(503);

      expect(ends).toMatchObject([{ file: databaseFile(folder), error: { code } }]);
      expect([(await get('/healthz')).status, (await get('/readyz')).status]).toEqual([503, 503]);
    },
  );
});

describe('fault 6: a read model that does not follow', () => {
  it('whose commit is refused shows in health until it has succeeded', async () => {
    let refuses = false;
    const { get, post, newKey, core } = await open({
      around: (given) => ({
        ...given,
        store: {
          ...given.store,
          commit: async (commits) => {
            if (refuses) throw new Error('the store refuses');
            return given.store.commit(commits);
          },
        },
      }),
    });
    const { key } = await newKey();
    const health = async () => (await (await get('/v1/health', key)).json()) as { status: string; reasons?: string[] };
    await core.projected();
    expect(await health()).toMatchObject({ status: 'ok' });
    refuses = true;
    expect((await post(team(1))).status).toBe(200);
    await expect.poll(health).toMatchObject({ status: 'degraded', reasons: ['read_model'] });
    expect((await get('/readyz')).status).toBe(200);
    refuses = false;
    await core.projected();
    await expect.poll(health).toMatchObject({ status: 'ok' });
    expect((await health()).reasons).toBeUndefined();
  });

  it('that has not moved for a minute shows in health until it moves', async () => {
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { get, post, newKey, core, timers } = await open({
      around: (given) => ({
        ...given,
        store: {
          ...given.store,
          commit: async (commits) => {
            await held;
            return given.store.commit(commits);
          },
        },
      }),
    });
    const { key } = await newKey();
    const health = async () => (await (await get('/v1/health', key)).json()) as { status: string };
    expect((await post(team(1))).status).toBe(200);
    timers.advance(10_000);
    expect(await health()).toMatchObject({ status: 'ok' });
    timers.advance(60_000);
    expect(await health()).toMatchObject({ status: 'degraded', reasons: ['read_model'] });
    goOn();
    await core.projected();
    expect(await health()).toMatchObject({ status: 'ok' });
  });
});

describe('fault 13: the place of the database', () => {
  it.each([
    ['deleted', (file: string) => rmSync(file)],
    ['moved', (file: string) => renameSync(file, `${file}.elsewhere`)],
    [
      'replaced',
      (file: string) => {
        writeFileSync(`${file}.new`, '');
        renameSync(`${file}.new`, file);
      },
    ],
    ['deleted with its folder', () => rmSync(folder, { recursive: true })],
  ])('is looked at each second: where the file is %s, that is told once', (_, act) => {
    const file = databaseFile(folder);
    writeFileSync(file, 'content');
    const timers = createTimers();
    const gone: Error[] = [];
    watchDatabaseFiles(file, timers.setTimer).onGone((_file, error) => void gone.push(error));
    timers.advance(1000);
    timers.advance(1000);
    expect(gone).toEqual([]);
    act(file);
    timers.advance(1000);
    expect(gone).toEqual([expect.objectContaining({ message: expect.stringContaining(file) })]);
    expect(timers.size).toBe(0);
  });

  it('is looked at no more when that has ended', () => {
    const file = databaseFile(folder);
    writeFileSync(file, '');
    const timers = createTimers();
    const watch = watchDatabaseFiles(file, timers.setTimer);
    watch.onGone(() => expect.unreachable());
    timers.advance(1000);
    watch.stop();
    rmSync(file);
    expect(timers.size).toBe(0);
  });

  it('is not made anew, nor its folder, by whoever opens it again', () => {
    const file = databaseFile(join(folder, 'elsewhere'));
    expect(() => openSqliteDatabase({ file })).toThrow();
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
    mkdirSync(join(folder, 'elsewhere'));
    expect(() => openSqliteDatabase({ file, mustExist: true })).toThrow();
    expect(existsSync(file)).toBe(false);
  });
});
