import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile, holderFile, updateFile, versionFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { tablesOf } from '../../../src/platform/sqlite/table-checksums.ts';
import { isMigrated } from '../../../src/server/update/folder-schema.ts';
import { composed } from '../../support/composed.ts';
import { FORMER_NAMES } from '../composition/former-names.ts';

export const configOf = (dataDir: string) => ({
  dataDir,
  keyPepper: 'pepper'.repeat(8),
  sessionSecret: undefined,
  acceptClock: undefined,
});

const TEAM = (ref: string) => ({
  kind: 'team',
  source: 'example',
  at: '2026-01-01T00:00:00Z',
  sport: 'nfl',
  league: 'nfl',
  ref,
  name: `Team ${ref}`,
  abbreviation: ref.toUpperCase(),
});
const WAITS = {
  kind: 'score',
  source: 'example',
  at: '2026-01-01T00:00:00Z',
  ref: 'unknown',
  status: 'inprogress',
};

/** Takes teams in, and a message that waits for its game. */
export async function ingest(folder: string, ...refs: readonly string[]): Promise<void> {
  const server = await composed({ folder, pepper: configOf(folder).keyPepper });
  await server.core.runner.start();
  const messages = [...refs.map(TEAM), WAITS];
  await server.core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
  await server.core.projected();
  await server.close();
}

/** What the forecasts had learned, in the form of that version: it had no leagues in its rows. */
const LEARNED = `
  drop table learnt_results;
  create table learnt_results (event_id INTEGER PRIMARY KEY, learnt TEXT NOT NULL);
  insert into learnt_results values (1, '[]'), (2, '[]');
  insert or replace into learnt_up_to values (1, '["of a version before"]', '[["event-1","3"]]');`;

/** A folder as a version before left it: other names, without tables and columns that came later, and without a note. */
export async function makeEarlierFolder(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await ingest(folder, 'kc', 'buf');
  inFolder(folder, (database) =>
    database.exec(`${FORMER_NAMES}
      drop table bets;
      drop table named_sources;
      alter table api_keys drop column max_credits_a_day;
      ${LEARNED}
      drop table checksums;`),
  );
  for (const file of [versionFile(folder), updateFile(folder)]) rmSync(file, { force: true });
  writeFileSync(holderFile(folder), '{"pid":1,"command":"start"}\n');
}

export function inFolder<T>(folder: string, work: (database: SqliteDatabase) => T): T {
  const database = openSqliteDatabase({ file: databaseFile(folder) });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Every row of the tables that migrations may change, and of the log, with the columns. */
export const contentsOf = (folder: string): Readonly<Record<string, unknown>> =>
  inFolder(folder, (database) =>
    Object.fromEntries(
      tablesOf(database)
        .filter((table) => isMigrated(table) || table === 'records')
        .sort()
        .map((table) => [table, database.prepare(`SELECT * FROM "${table}"`).all()]),
    ),
  );

/** The bytes of every file of a folder. */
export const filesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  );

/** A second folder with the same files: what a process that is killed now leaves. */
export function imageOf(folder: string, to: string): string {
  cpSync(folder, to, { recursive: true, filter: (path) => !/control\.sock$|-shm$/.test(path) });
  return to;
}

/** What an update and the way back give again, row by row: not what the next start folds from the log. */
export function kept(folder: string): Readonly<Record<string, unknown>> {
  const folded = /^(forecast_results|learnt_)|^decider_states$/;
  return Object.fromEntries(Object.entries(contentsOf(folder)).filter(([table]) => !folded.test(table)));
}
