import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseFile } from '../src/platform/data-folder/folder-paths.ts';
import { askOver } from './ask.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { startChild } from './child.ts';
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
const MB = 1_000_000;

/** What a start finds is already projected: the first start after the folder was filled does that, and is not measured. */
export const start: Benchmark = {
  name: 'start',
  summary: 'the start of a server on 1,000,000 and on 10,000,000 records, the first 100 reads after it, and the stop',
  runs: 1,
  async run({ folder, quick, say }) {
    const figures: Figure[] = [];
    for (const [number, size] of (quick ? QUICK : FULL).entries()) {
      const data = join(folder, `data-${number}`);
      say(`writing ${gamesOf(size.seasons)} games with ${size.prices} prices each`);
      const records = await writePricedSeasons(data, size);
      say('projecting them');
      await (await startServer({ folder: data })).stop();
      for (const figure of await measure(data, gamesOf(size.seasons), size.goal)) {
        figures.push({ ...figure, what: `${records.toLocaleString('en')} records: ${figure.what}` });
      }
    }
    return figures;
  },
};

async function measure(folder: string, games: number, goal: number): Promise<Figure[]> {
  const { size } = await stat(databaseFile(folder));
  const starts: number[] = [];
  const floors: number[] = [];
  const reads: number[] = [];
  const stops: number[] = [];
  const memories: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    floors.push(await floorSeconds(folder));
    const begun = performance.now();
    const server = await startServer({ folder });
    starts.push(seconds(begun));
    const ask = askOver(server.port, server.key);
    for (let read = 0; read < READS; read++) reads.push((await ask(pathOf(read, games))).ms);
    memories.push((await server.memory()) / MB);
    const ending = performance.now();
    await server.stop();
    stops.push(seconds(ending));
  }
  const atMost = (number: number) => ({ of: 'value', bound: 'at most', number }) as const;
  const floor = { what: 'a bare process opens the file and answers', value: percentile(floors, 0.5) };
  return [
    { what: 'the database', value: size / MB, unit: 'MB' },
    { what: 'the start until it is ready', value: percentile(starts, 0.5), unit: 's', floor, goal: atMost(goal) },
    { what: 'the slowest of the starts', value: Math.max(...starts), unit: 's' },
    { what: `the first ${READS} reads, p50`, value: percentile(reads, 0.5), unit: 'ms' },
    { what: `the first ${READS} reads, p99`, value: percentile(reads, 0.99), unit: 'ms', goal: atMost(100) },
    { what: 'memory after them', value: Math.max(...memories), unit: 'MB' },
    { what: 'the stop, the slowest', value: Math.max(...stops), unit: 's', goal: atMost(2) },
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
