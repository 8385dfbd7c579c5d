import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { lockFolder } from '../../../src/platform/data-folder/folder-lock.ts';
import {
  databaseFile,
  holderFile,
  undoneFile,
  updateFile,
  versionFile,
} from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { columnsOf } from '../../../src/platform/sqlite/table-checksums.ts';
import {
  noteOfProgram,
  noteVersion,
  readVersionNote,
  writeVersionNote,
} from '../../../src/server/composition/version-note.ts';
import { applyUpdate } from '../../../src/server/update/apply-update.ts';
import { checkUpdate } from '../../../src/server/update/check-update.ts';
import { takeBack } from '../../../src/server/update/take-back.ts';
import { checkText } from '../../../src/server/update/update-text.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { configOf, contentsOf, filesOf, imageOf, inFolder, ingest, kept, makeEarlierFolder } from './earlier-folder.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
const place = temporaryFolder();
const earlier = place.path('earlier');
let copies = 0;
const copy = (of = earlier): string => imageOf(of, place.path(`copy-${copies++}`));
const update = (folder: string, isOneWay = false) => applyUpdate({ config: configOf(folder), now: NOW, isOneWay });
const back = (folder: string) => takeBack({ config: configOf(folder) });

beforeAll(() => makeEarlierFolder(earlier));

describe('the check of an update', () => {
  it('says what the migrations do, whether one can go back, and how long it takes; the folder stays as it was', async () => {
    const folder = copy();
    const before = filesOf(folder);
    const check = await checkUpdate(configOf(folder), NOW);
    expect(check.migrations).toContainEqual({ table: 'quarantine', change: 'renamed', names: ['waiting'] });
    expect(check.migrations).toContainEqual({ table: 'quarantine', change: 'columns renamed', names: ['sparing'] });
    expect(check.migrations).toContainEqual({ table: 'bets', change: 'created', names: [] });
    expect(check.migrations).toContainEqual({
      table: 'api_keys',
      change: 'columns added',
      names: ['max_credits_a_day'],
    });
    expect(check).toMatchObject({ from: null, changes: null, settings: null, readModels: [] });
    expect(check.back).toMatchObject({ isPossible: true, reason: null });
    expect(check.seconds.migrations).toBeGreaterThan(0);
    expect(checkText(check)).toContain('table waiting becomes quarantine');
    expect(filesOf(folder)).toEqual(before);
    expect(readdirSync(dirname(folder)).filter((name) => name.includes('update-trial'))).toEqual([]);
  });

  it('compares the changelog, the settings and the read models with those of the version that opened the folder last', async () => {
    const folder = copy();
    await update(folder);
    const note = noteOfProgram(NOW);
    const { PORT: _port, ...settings } = note.settings;
    writeVersionNote(folder, {
      ...note,
      version: '0.0.9',
      changes: note.changes.slice(1),
      settings: { ...settings, HOST: '0.0.0.0', OLD_NAME: '1' },
    });
    inFolder(folder, (database) =>
      database.exec("UPDATE projection_builds SET build = 'v0' WHERE projection = 'teams' AND active = 1"),
    );
    const check = await checkUpdate(configOf(folder), NOW);
    expect(check.from?.version).toBe('0.0.9');
    expect(check.changes).toHaveLength(1);
    expect(check.settings).toEqual([
      { name: 'HOST', change: 'default', from: '0.0.0.0', to: '127.0.0.1' },
      { name: 'OLD_NAME', change: 'gone', from: '1', to: null },
      { name: 'PORT', change: 'new', from: null, to: '3000' },
    ]);
    expect(check.readModels.map(({ name, from }) => [name, from])).toEqual([['teams', 'v0']]);
    expect(check.measured.recordsPerSecond).toBeGreaterThan(0);
  });

  it('says with which records the way back will end: those that the version before neither noted nor wrote', async () => {
    const folder = copy();
    const without = await checkUpdate(configOf(folder), NOW);
    const types = (kinds: typeof without.back.endsWith) => kinds.map(({ type }) => type);
    const held = new Set<string>();
    inFolder(folder, (database) => {
      for (const { type } of database.prepare('SELECT DISTINCT type FROM records').all() as { type: string }[])
        held.add(type);
    });
    expect(held.size).toBeGreaterThan(0);
    expect(types(without.back.endsWith).filter((type) => held.has(type))).toEqual([]);
    expect(types(without.back.endsWith)).toContain('CreditsCharged');
    // The server seals days and records closing prices by itself: a start is enough.
    expect(without.back.endsWith).toContainEqual({ type: 'ClosingRecorded', version: 1, isUnasked: true });
    expect(checkText(without)).toMatch(
      /way back ends: maybe within a day of the next start, since this version writes ClosingRecorded, DaySealed, ReferenceWeightsLearnt by itself; .*CreditsCharged of version 3/,
    );

    await update(folder);
    const note = noteOfProgram(NOW);
    const { CreditsCharged: _, ...records } = note.records;
    writeVersionNote(folder, { ...note, records });
    const noted = await checkUpdate(configOf(folder), NOW);
    expect(noted.back.endsWith).toEqual([{ type: 'CreditsCharged', version: 3, isUnasked: false }]);
    expect(checkText(noted)).toMatch(
      /way back ends: with the first call that is charged; .*CreditsCharged of version 3/,
    );
    writeVersionNote(folder, note);
    const same = await checkUpdate(configOf(folder), NOW);
    expect(checkText(same)).toContain('way back ends: not by itself');
  });

  it('does not take the note of a later version for that of the earlier one which opened the folder since', async () => {
    const folder = copy();
    await update(folder);
    expect(readVersionNote(folder)?.version).toBe(noteOfProgram(NOW).version);
    writeFileSync(holderFile(folder), '{"pid":1,"command":"start"}\n');
    expect(readVersionNote(folder)).toBeNull();
  });

  it('a note that cannot be written stops no start', () => {
    const failures: unknown[] = [];
    noteVersion(place.path('nowhere'), NOW, (error) => failures.push(error));
    expect(failures).toHaveLength(1);
  });

  it('works while another process holds the folder; an update is refused then', async () => {
    const folder = copy();
    const lock = lockFolder(folder, 'start');
    try {
      expect((await checkUpdate(configOf(folder), NOW)).back.isPossible).toBe(true);
      await expect(update(folder)).rejects.toThrow(/is in use by a server/);
      await expect(back(folder)).rejects.toThrow(/is in use by a server/);
    } finally {
      lock.release();
    }
  });
});

describe('an update, and the way back', () => {
  it('gives every row back, and the tables the names that they had', async () => {
    const folder = copy();
    const before = kept(folder);
    const done = await update(folder);
    expect(done).toMatchObject({ isNeeded: true, check: { from: null } });
    expect(Object.keys(contentsOf(folder))).toContain('quarantine');
    expect(existsSync(versionFile(folder))).toBe(true);
    expect(await back(folder)).toMatchObject({ to: null, keptRecords: 0 });
    expect(kept(folder)).toEqual(before);
    expect([versionFile(folder), updateFile(folder)].map((file) => existsSync(file))).toEqual([false, false]);
    await expect(back(folder)).rejects.toThrow(/has no update to take back/);
  });

  it('loses nothing but what is learned again, where the version before kept results in another form', async () => {
    const folder = copy();
    const check = await checkUpdate(configOf(folder), NOW);
    expect(check.back).toMatchObject({ isPossible: true, reason: null });
    expect((await update(folder)).isNeeded).toBe(true);
    expect(contentsOf(folder)['forecast_results']).toEqual([]);
  });

  it('never says to the version before that results are learned which are gone', async () => {
    const folder = copy();
    await update(folder);
    await back(folder);
    expect(contentsOf(folder)).toMatchObject({ learnt_results: [], learnt_up_to: [] });
    expect(inFolder(folder, (database) => columnsOf(database, 'learnt_results'))).toEqual(['event_id', 'learnt']);
  });

  it('leaves another process that reads the folder meanwhile with what is true', async () => {
    const folder = copy();
    // Commits that are in the WAL alone, as a server that was stopped leaves them.
    const script = `
      import Database from 'libsql';
      import { createInterface } from 'node:readline';
      const database = new Database(process.argv[1]);
      database.exec("CREATE TABLE IF NOT EXISTS one_more (x); INSERT INTO one_more VALUES (zeroblob(500000))");
      console.log('ready');
      for await (const _ of createInterface(process.stdin))
        console.log(database.prepare("PRAGMA integrity_check").raw().get()[0]);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, databaseFile(folder)]);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    try {
      expect(await lines.next()).toMatchObject({ value: 'ready' });
      await update(folder);
      child.stdin.write('\n');
      expect(await lines.next()).toMatchObject({ value: 'ok' });
    } finally {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  });

  it('is refused before anything changes, where a table is not as it was written', async () => {
    const folder = copy();
    await update(folder);
    inFolder(folder, (database) => database.exec('UPDATE id_counters SET next = next + 1'));
    const before = contentsOf(folder);
    await expect(checkUpdate(configOf(folder), NOW)).rejects.toThrow(
      /would fail, and was not begun: id_counters holds/,
    );
    await expect(update(folder)).rejects.toThrow(/would fail, and was not begun: id_counters holds/);
    expect(contentsOf(folder)).toEqual(before);
  });

  it('changes nothing the second time', async () => {
    const folder = copy();
    await update(folder);
    const before = contentsOf(folder);
    expect((await update(folder)).isNeeded).toBe(false);
    expect(contentsOf(folder)).toEqual(before);
  });

  it('keeps facts and rows that came since, and sets aside what the version before has no place for', async () => {
    const folder = copy();
    await update(folder);
    await ingest(folder, 'kc', 'buf', 'mia');
    inFolder(folder, (database) =>
      database.exec(`INSERT INTO accounts (plan, created_at) VALUES ('free', '2026-11-01T00:00:00Z');
        INSERT INTO api_keys (account_id, name, prefix, hash, scopes, created_at, max_credits_a_day)
          VALUES (1, 'capped', 'p', 'h', '[]', '2026-11-01T00:00:00Z', 7)`),
    );
    const records = inFolder(folder, (database) => database.prepare('SELECT * FROM records').all());
    const done = await back(folder);
    expect(done.keptRecords).toBeGreaterThan(0);
    expect(contentsOf(folder)['records']).toEqual(records);
    expect(JSON.stringify(contentsOf(folder)['external_ids'])).toContain('mia');
    expect(contentsOf(folder)['api_keys']).toMatchObject([{ name: 'capped' }]);
    expect(done.setAside).toContainEqual({ table: 'api_keys', rows: 1 });
    const aside = openSqliteDatabase({ file: undoneFile(folder), readonly: true });
    expect(aside.prepare('SELECT max_credits_a_day FROM api_keys').get()).toMatchObject({ max_credits_a_day: 7 });
    aside.close();
    // And forward again.
    await update(folder);
    expect(JSON.stringify(contentsOf(folder)['named_sources'])).toContain('example');
  });

  it('refuses the way back where the log has got records that the version before may not read', async () => {
    const folder = copy();
    await update(folder);
    const before = contentsOf(folder);
    inFolder(folder, (database) =>
      database.exec(
        `INSERT INTO records SELECT max(position) + 1, 1, 99, 'thing.unheard_of', 1, '{}', '{}', 0 FROM records`,
      ),
    );
    await expect(back(folder)).rejects.toThrow(/1 records thing\.unheard_of of version 1 .*Restore a backup/);
    const { records: _now, ...now } = contentsOf(folder);
    const { records: _then, ...then } = before;
    expect(now).toEqual(then);
  });

  it('refuses it for such records also where no table has changed', async () => {
    const folder = copy();
    await update(folder);
    writeVersionNote(folder, { ...noteOfProgram(NOW), version: '0.0.9' });
    expect(await update(folder)).toMatchObject({ isNeeded: true, check: { migrations: [] } });
    inFolder(folder, (database) =>
      database.exec(
        `INSERT INTO records SELECT max(position) + 1, 1, 99, 'thing.unheard_of', 1, '{}', '{}', 0 FROM records`,
      ),
    );
    await expect(back(folder)).rejects.toThrow(/1 records thing\.unheard_of of version 1 .*Restore a backup/);
  });

  it('refuses it for a record in a form that the version before does not read, and for none in an earlier form', async () => {
    const folder = copy();
    await update(folder);
    // The versions that noted no forms read these.
    const { forms: _, ...note } = noteOfProgram(NOW);
    writeVersionNote(folder, { ...note, version: '0.0.9' });
    const { check } = await update(folder);
    expect(check.back.endsWith.map(({ type, form }) => [type, form])).toEqual([
      ['PricesChanged', 6],
      ['PricesReconfirmed', 5],
    ]);
    expect(checkText(check)).toMatch(/PricesChanged of version 1 in form 6, PricesReconfirmed of version 1 in form 5/);
    const addPrices = (version: number) =>
      inFolder(folder, (database) =>
        database.exec(
          `INSERT INTO records SELECT max(position) + 1, 1, max(position) + 99, 'PricesChanged', ${version}, '[]', '0', 0 FROM records`,
        ),
      );
    addPrices(4001);
    await back(imageOf(folder, place.path('in-an-earlier-form')));
    addPrices(6001);
    await expect(back(folder)).rejects.toThrow(/1 records PricesChanged of version 1 in form 6 .*Restore a backup/);
  });

  it('refuses a way back after an earlier version has worked on the updated folder', async () => {
    const folder = copy();
    await update(folder);
    inFolder(folder, (database) => database.exec('CREATE TABLE waiting (fingerprint text)'));
    await expect(back(folder)).rejects.toThrow(/there are waiting and quarantine/);
  });
});
