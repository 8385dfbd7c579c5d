import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { tablesOf } from '../../../src/platform/sqlite/table-checksums.ts';
import { type Ended, freePort, launchFrom, reportOf, run, temporaryFolder } from '../../server/cli/launching.ts';
import { checkOut, chosenStates, hasState } from './earlier-states.ts';
import { fillEmptyTables, inFolder, rowsOf } from './filled-tables.ts';

const NEW = fileURLToPath(new URL('../../../src/server/bin/launch.mjs', import.meta.url));
const GAMES = 30;
const rows: string[] = [];
afterAll(() => console.log(['state     migrations  read models  way back after its server ran', ...rows].join('\n')));

const HOUR = 3_600_000;
const LAST_START = Math.floor(Date.now() / HOUR) * HOUR - 4 * HOUR;
/** A moment some hours after the start of a game. */
const time = (game: number, hours: number): string =>
  `${new Date(LAST_START - (GAMES - game) * 24 * HOUR + hours * HOUR).toISOString().slice(0, 19)}Z`;

/**
 * Games with prices and results, a day apart, the last of them today, so that its closing prices are still to be recorded;
 * and messages that wait for a game that nobody knows.
 */
function* messages() {
  const sides = [
    { role: 'home', name: 'Kansas City Chiefs', abbreviation: 'KC' },
    { role: 'away', name: 'Buffalo Bills', abbreviation: 'BUF' },
  ];
  for (let game = 1; game <= GAMES; game++) {
    const common = { source: 'example', ref: `g${game}` };
    const scores = [10 + game, 7].map((score, side) => ({ role: sides[side]!.role, score: String(score) }));
    const outcomes = [-120 - game, 104].map((price, side) => ({ outcome: sides[side]!.role, price }));
    const markets = [{ key: 'h2h', outcomes }];
    const nfl = { sport: 'nfl', league: 'nfl' };
    yield { kind: 'schedule', at: time(1, -24), ...common, ...nfl, starts_at: time(game, 0), participants: sides };
    yield { kind: 'odds', at: time(game, -2), ...common, bookmaker: 'pinnacle', markets };
    yield { kind: 'score', at: time(game, 3), ...common, status: 'final', scores };
    yield { kind: 'odds', at: time(game, -2), ...common, ref: `x${game}`, bookmaker: 'pinnacle', markets };
  }
}

async function command(launcher: string, args: readonly string[]): Promise<Ended> {
  const { child, ended } = launchFrom(launcher, args, {});
  child.stdin.end();
  return ended;
}

/**
 * Starts a server on the folder, asks it for the games until it has all of them, and stops it.
 * @param hasDone whether it has done what else is waited for
 */
async function gamesOf(
  launcher: string,
  folder: string,
  key: string,
  hasDone: () => boolean = () => true,
): Promise<readonly unknown[]> {
  const port = String(await freePort());
  const server = launchFrom(launcher, ['start', '--data-dir', folder], {
    PORT: port,
    FEEDS: 'none',
    LOG_LEVEL: 'warn',
  });
  try {
    await server.has('listening');
    for (let tries = 0; ; tries++) {
      const answer = await fetch(
        `http://127.0.0.1:${port}/v1/events?league=nfl&date_from=${time(1, 0).slice(0, 10)}&limit=100`,
        {
          headers: { Authorization: `Bearer ${key}` },
        },
      );
      const body = (await answer.json()) as { events?: { id: number; starts_at: string }[] };
      if (answer.status === 200 && body.events?.length === GAMES && hasDone())
        return body.events.map(({ id, starts_at }) => [id, starts_at]);
      if (![200, 429, 503].includes(answer.status)) throw new Error(JSON.stringify(body));
      if (tries > 40) throw new Error(`the games do not come: ${JSON.stringify(body).slice(0, 200)}`);
      // Its read models are being built. A key of the free plan has 20 calls a minute.
      await setTimeout(3500);
    }
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
}

/** Where the version has such a table: how many games its forecasts have kept. */
const learnedIn = (folder: string): number | undefined =>
  inFolder(folder, (database) => {
    const [table] = tablesOf(database).filter((name) => /^(learnt|forecast)_results$/.test(name));
    if (table === undefined) return undefined;
    return (database.prepare(`SELECT count(*) FROM ${table}`).raw().get() as [number])[0];
  });

const hasClosings = (folder: string) => (): boolean =>
  inFolder(folder, (db) => db.prepare("SELECT 1 FROM records WHERE type = 'ClosingRecorded' LIMIT 1").get()) !==
  undefined;

describe.each(chosenStates())('a folder of the earlier state %s', (commit) => {
  it.skipIf(!hasState(commit))(
    'is checked, updated, served, and taken back, with the key and the games that it had',
    async () => {
      const place = temporaryFolder();
      const old = checkOut(commit, join(place, 'state'));
      const folder = join(place, 'data');
      mkdirSync(folder, { mode: 0o700 });
      const file = join(place, 'messages.ndjson');
      writeFileSync(file, [...messages()].map((one) => `${JSON.stringify(one)}\n`).join(''));
      await command(old, ['ingest', '--data-dir', folder, file]);
      const key = /llk_[\w.-]+/.exec(
        (await command(old, ['keys', 'create', '--name', 'k', '--data-dir', folder])).stdout,
      )![0];
      await command(old, ['users', 'create', '--email', 'fan@example.com', '--data-dir', folder]);
      const before = await gamesOf(old, folder, key, () => learnedIn(folder) !== 0);
      const learned = learnedIn(folder);

      // A folder of years has rows in every table.
      const filled = join(place, 'filled');
      cpSync(folder, filled, { recursive: true, filter: (path) => !/control\.sock$|-shm$/.test(path) });
      fillEmptyTables(filled);
      const filledRows = rowsOf(filled);
      const foretoldOfFilled = reportOf(await run(['update', '--check', '--json', '--data-dir', filled]));
      expect(foretoldOfFilled).toMatchObject({ back: { is_possible: true } });
      for (const step of [[], ['--back']]) {
        const ended = await run(['update', ...step, '--data-dir', filled]);
        expect([ended.code, ended.stderr]).toEqual([0, '']);
      }
      expect(rowsOf(filled)).toEqual(filledRows);

      const checked = reportOf(await run(['update', '--check', '--json', '--data-dir', folder]));
      expect(checked).toMatchObject({ back: { is_possible: true } });
      const updated = await run(['update', '--data-dir', folder]);
      expect([updated.code, updated.stderr]).toEqual([0, '']);
      const taken = await run(['update', '--back', '--data-dir', folder]);
      expect([taken.code, taken.stderr]).toEqual([0, '']);
      // Its forecasts learn the games again: an empty table was not taken for one that knows all of them.
      expect(await gamesOf(old, folder, key, () => learnedIn(folder) === learned)).toEqual(before);

      expect((await run(['update', '--data-dir', folder])).code).toBe(0);
      expect(await gamesOf(NEW, folder, key, hasClosings(folder))).toEqual(before);
      const verified = await run(['verify', '--data-dir', folder]);
      expect([verified.code, verified.stdout.match(/.*DAMAGED.*|.*DIFFERENCES.*/g)]).toEqual([0, null]);

      // The new server has charged a call and recorded closing prices: a state that does not know these cannot go back.
      const late = await run(['update', '--back', '--data-dir', folder]);
      if (late.code === 0) expect(await gamesOf(old, folder, key)).toEqual(before);
      else {
        const said = /the log has got \d+ records (\w+) of version .* Restore a backup/.exec(late.stderr);
        expect(late.stderr).toMatch(/there is no way back: since the update the log has got .* Restore a backup/);
        // The check said so before the update.
        const { ends_with: foretold } = checked['back'] as { ends_with: { type: string }[] };
        expect(foretold.map(({ type }) => type)).toContain(said![1]);
      }
      const counts = [checked['migrations'], checked['read_models']].map((list) => (list as unknown[]).length);
      rows.push(
        `${commit}  ${String(counts[0]).padStart(10)}  ${String(counts[1]).padStart(11)}  ${
          late.code === 0 ? 'yes' : late.stderr.split('. Restore')[0]
        }`,
      );
    },
    900_000,
  );
});
