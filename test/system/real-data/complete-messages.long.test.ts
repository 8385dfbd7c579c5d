import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STATISTICS } from '../../../src/domain/statistics/statistics-catalogue.ts';
import { espnImporter } from '../../../src/sources/espn/importer.ts';
import { footballDataImporter } from '../../../src/sources/football-data/importer.ts';
import { tennisDataImporter } from '../../../src/sources/tennis-data/importer.ts';
import { theOddsApiImporter } from '../../../src/sources/the-odds-api/importer.ts';
import { importFile, rowsOf, textOf } from '../../sources/import-file.ts';
import { importJson } from '../../sources/import-json.ts';
import type { Message } from '../../sources/importing.ts';
import { leftOut, pricesGiven, pricesTaken } from '../../sources/the-odds-api/odds-api-markets.ts';
import { ofToday } from './real-data-files.ts';

/** Real answers, which stand outside the project. */
const folder = process.env['LEDGERLINE_DATA'];

const filesOf = (name: string, pattern: RegExp): string[] => {
  const path = folder && join(folder, name);
  const found = path && existsSync(path) ? readdirSync(path).filter((file) => pattern.test(file)) : [];
  return found.sort().map((file) => join(path!, file));
};
const read = (path: string): any => JSON.parse(textOf(path));

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
      expect(Object.keys(stats)).toEqual(expect.arrayContaining([...STATISTICS[sport].averaged.bothSides]));
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

describe('statistics in files of football-data', () => {
  const columns = ['S', 'ST', 'F', 'C', 'Y', 'R'].flatMap((name) => [`H${name}`, `A${name}`]);
  const whole = (cell: string | undefined) => cell !== undefined && /^\d+(\.0+)?$/.test(cell);

  each(ofToday(filesOf('soccer', /^(football_data|gutormin|mls|ucl).*\.csv/)), async (path) => {
    const { of } = await importFile(footballDataImporter, path);
    const boxed = new Set(of('score').map(({ ref }) => ref));
    const rows = rowsOf(path).filter((row) => row['HomeTeam'] && whole(row['FTHG']) && whole(row['FTAG']));
    const cells = rows.map((row) => columns.flatMap((name) => (whole(row[name]) ? [Number(row[name])] : [])));
    const given = cells.filter((row) => row.length > 0);
    const taken = of('box').map(({ teams }) =>
      Object.values<any>(teams).flatMap((stats) => Object.values<number>(stats)),
    );

    expect(boxed.size).toBe(rows.length);
    expect(taken).toHaveLength(given.length);
    expect(taken.map(sorted)).toEqual(given.map(sorted));
    console.log(
      JSON.stringify({ file: basename(path), rows: rows.length, boxes: taken.length, numbers: taken.flat().length }),
    );
  });
});

describe('rankings in files of tennis-data', () => {
  each(ofToday(filesOf('tennis', /^td_/)), async (path) => {
    const { of } = await importFile(tennisDataImporter, path);
    const told = new Map<string, Message[]>();
    for (const message of of('player')) {
      const name = bareName(message['full_name']);
      told.set(name, [...(told.get(name) ?? []), message]);
    }
    for (const list of told.values()) list.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const rows = rowsOf(path);
    let compared = 0;
    let misdated = 0;
    const other: string[] = [];
    const begun = new Map<string, string>();
    for (const row of rows) {
      const tournament = row['Tournament']!;
      const date = row['Date']!.slice(0, 10);
      begun.set(tournament, begun.get(tournament) ?? date);
      // Some finals bear a day before their tournament: its ranking is not known that early.
      if (date < begun.get(tournament)!) {
        misdated++;
        continue;
      }
      for (const letter of ['W', 'L'] as const) {
        const place = Number(row[`${letter}Rank`]);
        if (!(place >= 1)) continue;
        const name = row[letter === 'W' ? 'Winner' : 'Loser']!;
        const start = Date.parse(`${date}T00:00:00Z`);
        // What is known of him when the match begins.
        const known = told.get(bareName(name))?.findLast(({ at }) => Date.parse(at) < start);
        if (known?.tennis_ranking !== place) other.push(`${name} ${date} ${place} ${known?.tennis_ranking}`);
        compared++;
      }
    }
    expect(other).toEqual([]);
    // Files before 2013 have no rankings.
    const isRanked = Object.hasOwn(rows[0]!, 'WRank');
    if (!isRanked) expect(of('player')).toEqual([]);
    else {
      expect(compared).toBeGreaterThan(rows.length);
      expect(misdated).toBeLessThan(5);
    }
    const messages = of('player').length;
    console.log(JSON.stringify({ file: basename(path), rows: rows.length, rankings: compared, misdated, messages }));
  });
});

const bareName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
