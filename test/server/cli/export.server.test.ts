import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { writeOddsLog } from '../../../bench/odds-log.ts';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { dayOfSport } from '../../api/openapi/day-of-sport.ts';
import { filesIn, readJson, readTable } from '../exporting/exported-tables.ts';
import { launch, run, startServer, temporaryFolder } from './launching.ts';

/** A folder into which a command has taken a day of sport, without a server. */
async function fedFolder(): Promise<string> {
  const folder = temporaryFolder();
  const file = join(temporaryFolder(), 'day.ndjson');
  writeFileSync(
    file,
    dayOfSport(Date.now())
      .map((message) => `${JSON.stringify(message)}\n`)
      .join(''),
  );
  expect(await run(['ingest', file, '--data-dir', folder])).toMatchObject({ code: 0 });
  return folder;
}

/** A folder whose odds history takes some seconds to export. */
async function longFolder(): Promise<string> {
  const folder = temporaryFolder();
  expect(await run(['keys', 'create', '--name', 'k', '--data-dir', folder])).toMatchObject({ code: 0 });
  const log = openSqliteLog({ file: databaseFile(folder) });
  await writeOddsLog(log, 60_000);
  await log.close();
  return folder;
}

const exportTo = (out: string, data: string, ...args: string[]) => [
  ...['export', ...args, '--out', out, '--data-dir', data],
];

describe('export', () => {
  it.each([
    [['--out', 'x'], 'export needs WHAT: events, results,'],
    [['prices', '--out', 'x'], 'WHAT prices is none of events, results,'],
    [['odds', 'splits', '--out', 'x'], 'export takes one WHAT, not splits too'],
    [['odds'], 'export needs --out DIR'],
    [['odds', '--out', import.meta.filename], `--out ${import.meta.filename} is no folder`],
    [['odds', '--out', 'x', '--format', 'xlsx'], '--format xlsx is none of parquet, csv, ndjson'],
    [['odds', '--out', 'x', '--league', 'nfll'], '--league nfll is none of nfl,'],
    [['odds', '--out', 'x', '--sport', 'chess'], '--sport chess is none of nfl,'],
    [['odds', '--out', 'x', '--sport', 'nba', '--league', 'nfl'], '--league nfl is no league of --sport nba'],
    [['odds', '--out', 'x', '--from', '2025-02-30'], '--from 2025-02-30 is no date such as 2025-01-31'],
    [['odds', '--out', 'x', '--to', 'today'], '--to today is no date such as 2025-01-31'],
    [['odds', '--out', 'x', '--from', '2025-02-02', '--to', '2025-02-01'], '--from must not be after --to'],
    [['odds', '--out', 'x', '--as-of', '2025-02-02'], '--as-of 2025-02-02 is no UTC time such as'],
    [['odds', '--out', 'x', '--as-of', '2999-01-01T00:00:00Z'], '--as-of 2999-01-01T00:00:00Z is in the future'],
    [['odds', '--out', 'x', '--basis', 'guessed'], '--basis guessed is none of recorded, observed'],
  ])('refuses %j with one line and exit 2', async (args, line) => {
    const { code, stdout, stderr } = await run(['export', ...args, '--data-dir', temporaryFolder()]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.startsWith(line) && stderr.trimEnd().split('\n').length === 1, stderr).toBe(true);
  });

  it('says of a folder without a log that it is empty, with exit 1', async () => {
    const { code, stderr } = await run(exportTo(temporaryFolder(), temporaryFolder(), 'odds'));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^the data folder \S+ is empty\n$/) });
  });

  it('exports what a command has taken in without a server, and the same beside a server', async () => {
    const data = await fedFolder();
    const alone: Record<string, unknown> = {};
    const tables = ['events', 'statistics', 'changes', 'forecasts'];
    for (const what of tables) {
      const out = temporaryFolder();
      const { code, stdout, stderr } = await run(exportTo(out, data, what));
      expect([what, code, stderr]).toEqual([what, 0, '']);
      alone[what] = await readTable(join(out, what));
      const { rows, files, position } = JSON.parse(stdout);
      const manifest = readJson(join(out, what), 'manifest.json');
      expect({ rows, files, position }).toEqual({
        rows: (alone[what] as unknown[]).length,
        files: manifest.files.length,
        position: manifest.position,
      });
    }
    expect(alone['events']).not.toEqual([]);
    expect(alone['statistics']).not.toEqual([]);
    expect(alone['changes']).not.toEqual([]);

    const server = await startServer(data);
    for (const what of tables) {
      const out = temporaryFolder();
      expect(await run(exportTo(out, data, what))).toMatchObject({ code: 0 });
      // The server publishes its bets when it starts.
      const rows = (await readTable(join(out, what))).filter(({ type }) => type !== 'intelligence');
      expect([what, rows]).toEqual([what, alone[what]]);
    }
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  it('leaves no half file when it is killed, keeps the export before, and can be run again', async () => {
    const data = await longFolder();
    const out = temporaryFolder();
    const folder = join(out, 'odds-history');
    const whole = (files: readonly string[]) => files.filter((name) => !name.endsWith('.unfinished'));
    const begun = async (args: readonly string[]) => {
      const launched = launch(args);
      while (!existsSync(folder) || !filesIn(folder).some((name) => name.endsWith('.unfinished'))) {
        expect(launched.child.exitCode).toBe(null);
        await setTimeout(5);
      }
      return launched;
    };

    const killed = await begun(exportTo(out, data, 'odds-history'));
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(whole(filesIn(folder))).toEqual([]);

    expect(await run(exportTo(out, data, 'odds-history'))).toMatchObject({ code: 0 });
    const first = filesIn(folder);
    expect(first).toEqual(
      [...readJson(folder, 'manifest.json').files.map((one: any) => one.path), 'manifest.json', 'schema.json'].sort(),
    );
    const bytes = first.map((name) => readFileSync(join(folder, name)));

    // A person's own file stays, and another format takes the place of this one when it is whole.
    mkdirSync(join(folder, 'notes'));
    writeFileSync(join(folder, 'notes', 'mine.txt'), 'mine');
    const stopped = await begun(exportTo(out, data, 'odds-history', '--format', 'csv'));
    stopped.child.kill('SIGINT');
    expect((await stopped.ended).code).toBe(130);
    expect(filesIn(folder)).toEqual([...first, 'notes/mine.txt'].sort());
    expect(first.map((name) => readFileSync(join(folder, name)).equals(bytes[first.indexOf(name)]!))).not.toContain(
      false,
    );

    const rows = await readTable(folder);
    expect(await run(exportTo(out, data, 'odds-history', '--format', 'csv'))).toMatchObject({ code: 0 });
    expect(filesIn(folder).filter((name) => name.endsWith('.parquet'))).toEqual([]);
    expect(filesIn(folder)).toContain('notes/mine.txt');
    expect(await readTable(folder)).toEqual(rows);
  });
});
