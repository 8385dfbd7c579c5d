import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFile } from '../src/platform/data-folder/folder-paths.ts';
import { askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild } from './child.ts';
import { schedule, score, sendFacts } from './game-facts.ts';
import { runLaunched } from './launched.ts';
import { percentile } from './percentile.ts';
import { type PricedSeasons, writePricedSeasons } from './priced-seasons.ts';
import { gamesOf } from './seasons.ts';
import { startServer } from './server.ts';

interface Size extends PricedSeasons {
  /** Seconds that a start may take. */
  readonly goal: number;
}

const FULL: readonly Size[] = [
  { seasons: { count: 2, teams: 360, games: 32 }, prices: 84, goal: 3 },
  { seasons: { count: 20, teams: 360, games: 32 }, prices: 84, goal: 5 },
];
const QUICK: readonly Size[] = [{ seasons: { count: 2, teams: 20, games: 10 }, prices: 20, goal: 3 }];
const STARTS = 3;
const READS = 100;
const FACTS = 300;
/** What ten times the records may make of a figure. */
const GROWTH = 1.3;
const MB = 1_000_000;

/** What a start finds is already projected: the first start after the folder was filled does that, and is not measured. */
export const start: Benchmark = {
  name: 'start',
  summary: '1,000,000 and 10,000,000 records: the start, the first reads, facts, the stop, `verify` and `rebuild`',
  runs: 1,
  async run({ folder, quick, say }) {
    const figures: Figure[] = [];
    let smaller: Measured | undefined;
    for (const [number, size] of (quick ? QUICK : FULL).entries()) {
      const data = join(folder, `data-${number}`);
      say(`writing ${gamesOf(size.seasons)} games with ${size.prices} prices each`);
      const records = await writePricedSeasons(data, size);
      say('projecting them');
      await (await startServer({ folder: data })).stop();
      const measured = await measure(data, { records, games: gamesOf(size.seasons), say });
      for (const figure of figuresOf(measured, size.goal, smaller)) {
        figures.push({ ...figure, what: `${records.toLocaleString('en')} records: ${figure.what}` });
      }
      smaller = measured;
    }
    return figures;
  },
};

interface Measured {
  readonly records: number;
  /** Bytes. */
  readonly size: number;
  /** Seconds. */
  readonly starts: readonly number[];
  readonly floors: readonly number[];
  readonly stops: readonly number[];
  readonly verifying: number;
  readonly rebuilding: number;
  /** Milliseconds. */
  readonly reads: readonly number[];
  readonly acknowledged: readonly number[];
  /** Bytes after the reads, of each start. */
  readonly memories: readonly number[];
}

interface Folder {
  readonly records: number;
  readonly games: number;
  say(text: string): void;
}

async function measure(folder: string, { records, games, say }: Folder): Promise<Measured> {
  const { size } = await stat(databaseFile(folder));
  const starts: number[] = [];
  const floors: number[] = [];
  const reads: number[] = [];
  const acknowledged: number[] = [];
  const stops: number[] = [];
  const memories: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    floors.push(await floorSeconds(folder));
    const begun = performance.now();
    const server = await startServer({ folder });
    starts.push(seconds(begun));
    const ask = askOver(server.port, server.key);
    for (let read = 0; read < READS; read++) reads.push((await ask(pathOf(read, games))).ms);
    memories.push(await server.memory());
    await sendFacts(server, [schedule(n)]);
    for (let fact = 0; fact < FACTS; fact++) {
      const sent = performance.now();
      await sendFacts(server, [score(n, fact)]);
      acknowledged.push(performance.now() - sent);
    }
    const ending = performance.now();
    await server.stop();
    stops.push(seconds(ending));
  }
  say('verify');
  const verifying = (await runLaunched('verify', [], { folder })).seconds;
  say('rebuild');
  const rebuilding = (await runLaunched('rebuild', [], { folder })).seconds;
  return { records, size, starts, floors, reads, acknowledged, stops, memories, verifying, rebuilding };
}

function figuresOf(measured: Measured, startGoal: number, smaller: Measured | undefined): Figure[] {
  const { records, size, starts, floors, reads, acknowledged, stops, memories, verifying, rebuilding } = measured;
  const goal = (of: 'value' | 'ratio', bound: 'at most' | 'at least', number: number) => ({
    goal: { of, bound, number },
  });
  /** Beside the same of fewer records, where there are fewer. */
  const grown = (of: (measured: Measured) => number) =>
    smaller && {
      floor: { what: `at ${smaller.records.toLocaleString('en')}`, value: of(smaller) },
      ...goal('ratio', 'at most', GROWTH),
    };
  const floor = { what: 'a bare process opens the file and answers', value: percentile([...floors], 0.5) };
  const start = percentile([...starts], 0.5);
  return [
    { what: 'the database', value: size / MB, unit: 'MB' },
    { what: 'the start until it is ready', value: start, unit: 's', floor, ...goal('value', 'at most', startGoal) },
    { what: 'the slowest of the starts', value: Math.max(...starts), unit: 's' },
    {
      what: `the first ${READS} reads, p50`,
      value: percentile([...reads], 0.5),
      unit: 'ms',
      ...grown((one) => percentile([...one.reads], 0.5)),
    },
    {
      what: `the first ${READS} reads, p99`,
      value: percentile([...reads], 0.99),
      unit: 'ms',
      ...goal('value', 'at most', 100),
    },
    {
      what: 'a single fact, acknowledged, p50',
      value: percentile([...acknowledged], 0.5),
      unit: 'ms',
      ...grown((one) => percentile([...one.acknowledged], 0.5)),
    },
    {
      what: 'memory after the reads',
      value: Math.max(...memories) / MB,
      unit: 'MB',
      ...grown((one) => Math.max(...one.memories) / MB),
    },
    { what: 'the stop, the slowest', value: Math.max(...stops), unit: 's', ...goal('value', 'at most', 2) },
    { what: '`verify`', value: records / verifying, unit: 'records/s', ...goal('value', 'at least', 100_000) },
    {
      what: '`rebuild` of all read models',
      value: records / rebuilding,
      unit: 'records/s',
      ...(smaller && {
        floor: { what: `at ${smaller.records.toLocaleString('en')}`, value: smaller.records / smaller.rebuilding },
        ...goal('ratio', 'at least', 0.8),
      }),
    },
  ];
}

const seconds = (since: number): number => (performance.now() - since) / 1000;

/** Of eight kinds in turn, all over the seasons. */
function pathOf(read: number, games: number): string {
  const id = 1 + Math.floor((read * games) / READS);
  const paths = [
    `/v1/events/${id}`,
    `/v1/events/${id}?include_odds=true&bookmaker=all`,
    `/v1/events/${id}/odds/history?bookmaker=all`,
    `/v1/events/${id}/stats`,
    '/v1/events?league=ncaab&limit=20',
    `/v1/events/${id}?include_odds=true&as_of=2020-01-01T00:00:00Z&as_of_basis=observed`,
    '/v1/teams?sport=ncaab&q=university',
    '/v1/health',
  ];
  return paths[read % paths.length]!;
}

async function floorSeconds(folder: string): Promise<number> {
  const begun = performance.now();
  const floor = await startChild('bare-database', { file: databaseFile(folder) });
  const { json } = await askOver(floor.port, '')('/');
  const taken = seconds(begun);
  await floor.stop();
  if (!Array.isArray(json)) throw new Error('the floor does not answer with a row');
  return taken;
}
