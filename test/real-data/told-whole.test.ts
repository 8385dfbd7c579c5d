import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { STATISTICS } from '../../src/domain/statistics/canonical-names.ts';
import { espnImporter } from '../../src/feeds/espn/importer.ts';
import { theOddsApiImporter } from '../../src/feeds/the-odds-api/importer.ts';
import { importJson } from '../feeds/import-json.ts';
import { leftOut, pricesGiven, pricesTaken } from '../feeds/odds-api-markets.ts';

/** Real answers, which stand outside the project. */
const folder = process.env['LEDGERLINE_DATA'];

const filesOf = (name: string, pattern: RegExp): string[] => {
  const path = folder && join(folder, name);
  const found = path && existsSync(path) ? readdirSync(path).filter((file) => pattern.test(file)) : [];
  return found.sort().map((file) => join(path!, file));
};
function read(path: string): any {
  const bytes = readFileSync(path);
  return JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString());
}

/** The cases of a suite; without the folder one that is skipped and says why. */
function each(files: readonly string[], test: (path: string) => Promise<void>): void {
  if (!folder) it.skip('(skipped: LEDGERLINE_DATA names no folder of real data)', () => {});
  else if (files.length === 0) it.skip('(skipped: the folder holds no such file)', () => {});
  else it.each(files.map((path) => [basename(path), path]))('%s', (_, path) => test(path));
}

/** The numbers in a cell of a box: `6-9` and `3/4` are two, `23:45` is one, `6.1` innings are 19 outs, `--` is none. */
function numbersIn(key: string, cell: string): number[] {
  if (key === 'fullInnings.partInnings') return [Math.trunc(Number(cell)) * 3 + Number(cell.split('.')[1] ?? 0)];
  const time = /^(\d+):(\d\d)$/.exec(cell);
  if (time) return [Number(time[1]) * 60 + Number(time[2])];
  const pair = /^(\d+)[-/](\d+)$/.exec(cell);
  if (pair) return [Number(pair[1]), Number(pair[2])];
  return cell !== '' && Number.isFinite(Number(cell)) ? [Number(cell)] : [];
}
const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

describe('box scores of ESPN', () => {
  each(filesOf('espn', /summary/), async (path) => {
    const { header, boxscore } = read(path);
    const { messages, of } = await importJson(espnImporter, read(path), { name: basename(path) });
    const [box] = of('box');
    const sport = of('schedule')[0]!['sport'] as keyof typeof STATISTICS;
    const roles = new Map(header.competitions[0].competitors.map(({ id, homeAway }: any) => [id, homeAway]));

    // A team: one number for each that the answer states, and all that rates are made of.
    for (const { team, statistics } of boxscore.teams) {
      const stats = box!['teams'][roles.get(team.id) as string];
      const given = new Map<string, number[]>(
        statistics.map(({ name, displayValue }: any) => [name, numbersIn(name, displayValue)]),
      );
      expect(sorted(Object.values(stats))).toEqual(sorted([...given.values()].flat()));
      expect(Object.keys(stats)).toEqual(expect.arrayContaining([...STATISTICS[sport].rated.both]));
    }

    // A player: a row for each who is named, with every number of his in every group.
    const given = new Map<string, { role: unknown; numbers: number[] }>();
    const left: string[] = [];
    for (const { team, statistics } of boxscore.players) {
      for (const { keys, athletes } of statistics) {
        for (const { athlete, stats } of athletes) {
          const row = given.get(athlete.id) ?? { role: roles.get(team.id), numbers: [] };
          given.set(athlete.id, row);
          for (const [index, cell] of stats.entries()) {
            const numbers = numbersIn(keys[index], cell);
            row.numbers.push(...numbers);
            if (numbers.length === 0) left.push(cell);
          }
        }
      }
    }
    const taken = new Map(
      box!['players'].map(({ ref, role, stats }: any) => [ref, { role, numbers: sorted(Object.values(stats)) }]),
    );
    expect(taken).toEqual(new Map([...given].map(([ref, row]) => [ref, { ...row, numbers: sorted(row.numbers) }])));
    expect(given.size).toBeGreaterThan(20);
    // What says nothing has no number.
    expect(left.filter((cell) => cell !== '--' && cell !== '')).toEqual([]);

    const names = new Set<string>(box!['players'].flatMap(({ stats }: any) => Object.keys(stats)));
    const unlisted = [...names].filter(
      (name) => !STATISTICS[sport].players.some((group) => group.names.includes(name)),
    );
    expect(unlisted).toEqual([]);
    const numbers = [...given.values()].flatMap((row) => row.numbers).length;
    console.log(
      JSON.stringify({ file: basename(path), messages: messages.length, rows: given.size, numbers, left: left.length }),
    );
  });
});

describe('who is to start, in scoreboards of ESPN', () => {
  each(filesOf('espn', /^(mlb|nhl)_scoreboard/), async (path) => {
    const { of } = await importJson(espnImporter, read(path), { name: basename(path) });
    const given = read(path).events.flatMap(({ competitions: [{ id, competitors }] }: any) =>
      competitors.flatMap(({ homeAway, probables = [] }: any) =>
        probables.map(({ athlete }: any) => [id, homeAway, athlete.id, athlete.displayName].join()),
      ),
    );
    const taken = of('lineup').flatMap(({ ref, probable_starters }) =>
      Object.entries<any>(probable_starters).map(([role, one]) => [ref, role, one.ref, one.name].join()),
    );

    expect(taken.sort()).toEqual(given.sort());
    expect(given.length).toBeGreaterThan(1);
  });
});

describe('prices in answers of The Odds API', () => {
  each(filesOf('odds_api', /\.json/), async (path) => {
    const answer = read(path);
    const events = answer.response ?? answer.data ?? answer;
    const { messages, notes } = await importJson(theOddsApiImporter, answer, { name: basename(path) });
    const [given, taken] = [pricesGiven(events), pricesTaken(messages)];
    const left = leftOut(notes);

    // A market of two prices, of which one is none, is left out as a whole, and a note says so.
    expect({ ...taken, match: taken.match + 2 * (left['price_dropped'] ?? 0), none: given.none }).toEqual(given);
    expect(Object.keys(left).filter((code) => code !== 'price_dropped')).toEqual(
      given.none > 0 ? ['unsupported_market'] : [],
    );
    expect(given.match).toBeGreaterThan(0);
    // The answers that there are hold no lines of periods, no team totals and no props: none of those is compared here.
    console.log(JSON.stringify({ file: basename(path), given, taken, left }));
  });
});
