import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from './benchmark.ts';
import { changesOf, messagesOf, type PricedSeason, SEASON_DAYS, TEN_BOOKS, writeSeason } from './lab-season.ts';
import { ingestFile, launch } from './launched.ts';

const FULL: PricedSeason = { weeks: 18, gamesPerWeek: 16, books: TEN_BOOKS, reports: 60, moved: 0.225 };
const QUICK: PricedSeason = { ...FULL, weeks: 1, reports: 3 };

/** Bets the first price of every game, so that bets are filled and settled too. */
const PROGRAM = `
const { createInterface } = require('node:readline');
const seen = new Set();
createInterface({ input: process.stdin }).on('line', (line) => {
  const { event_id, type, data } = JSON.parse(line).change;
  if (type === 'line_move' && data.market_key === 'h2h' && !seen.has(event_id)) {
    seen.add(event_id);
    const bet = { event_id, market: 'h2h', outcome: data.outcome, stake: 10 };
    process.stdout.write(JSON.stringify({ bet }) + '\\n');
  }
  process.stdout.write('{"next":true}\\n');
});
`;

/** The floor: as many turns of the same program, whose lines lie ready. */
const FLOOR = `
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');
const [, , program, count] = process.argv;
const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
const data = { event_id: 1, bookmaker: 'pinnacle', market: 'moneyline', market_key: 'h2h', outcome: 'Team 1' };
const moved = { ...data, price_from: -110, price_to: -115, point_from: null, point_to: null, moved_at: '2025-10-01T00:00:00Z' };
const named = { id: '1-20000', type: 'line_move', event_id: 1, sport: 'nfl', league: 'nfl', at: moved.moved_at };
const line = JSON.stringify({ now: moved.moved_at, change: { ...named, recorded_at: moved.moved_at, data: moved } });
let left = Number(count);
const send = () => (left-- > 0 ? child.stdin.write(line + '\\n') : child.stdin.end());
createInterface({ input: child.stdout }).on('line', (said) => said === '{"next":true}' && send());
send();
`;

/**
 * Other work on the machine makes the same turns cost more: caches are cold, and two threads share a core. So each round
 * measures both, one after the other, and the least of each counts.
 */
const ROUNDS = 3;

/** A clock tick of Linux, in seconds. */
const TICK_S = 0.01;

export const lab: Benchmark = {
  name: 'lab',
  summary: 'a season of the NFL with ten bookmakers played to a program that bets: processor time, its own included',
  runs: 1,
  async run({ folder, quick, say }) {
    const season = quick ? QUICK : FULL;
    const own = join(folder, 'data');
    const [file, program] = [join(folder, 'season.ndjson'), join(folder, 'program.cjs')];
    const floorProgram = join(folder, 'floor.cjs');
    say(`writing and ingesting ${messagesOf(season)} messages`);
    await writeSeason(file, season);
    await ingestFile(own, file, messagesOf(season));
    writeFileSync(program, PROGRAM);
    writeFileSync(floorProgram, FLOOR);
    const played: number[] = [];
    const bare: number[] = [];
    let changes = 0;
    for (let round = 1; round <= (quick ? 1 : ROUNDS); round++) {
      say(`round ${round}: playing ${changesOf(season)} changes, then as many lines that lie ready`);
      let before = processorSecondsOfChildren();
      changes = await playSeason(season, own, program);
      played.push(processorSecondsOfChildren() - before);
      before = processorSecondsOfChildren();
      await playFloor(floorProgram, program, changes);
      bare.push(processorSecondsOfChildren() - before);
    }
    const seconds = Math.min(...played);
    return [
      {
        what: `${changes.toLocaleString('en')} changes`,
        value: seconds,
        unit: 's of processor time',
        floor: { what: 'as many turns of the program alone', value: Math.min(...bare) },
        goal: { of: 'value', bound: 'at most', number: 60 },
        spread: { least: seconds, most: Math.max(...played) },
      },
      { what: 'each', value: (seconds / changes) * 1e6, unit: 'µs of processor time' },
      { what: 'the floor, in its worst round', value: Math.max(...bare), unit: 's of processor time' },
    ];
  },
};

/** @returns how many changes were played */
async function playSeason(season: PricedSeason, folder: string, program: string): Promise<number> {
  const [from, to] = SEASON_DAYS;
  const args = ['run', '--from', from, '--to', to, '--league', 'nfl', '--', process.execPath, program];
  const child = launch('lab', args, { folder, flags: process.env['BENCH_CHILD_ARGS']?.split(' ') ?? [] }, [
    'ignore',
    'pipe',
    'inherit',
  ]);
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`lab ended with ${code}`);
  const { changes, bets, open } = JSON.parse(output) as { changes: number; bets: number; open: number };
  if (changes !== changesOf(season)) throw new Error(`${changes} changes are not ${changesOf(season)}`);
  if (bets === 0 || open > 0) throw new Error(`of ${bets} bets ${open} are not settled`);
  return changes;
}

async function playFloor(floorProgram: string, program: string, turns: number): Promise<void> {
  const bare = spawn(process.execPath, [floorProgram, program, String(turns)], { stdio: 'inherit' });
  const [code] = await once(bare, 'close');
  if (code !== 0) throw new Error(`the floor ended with ${code}`);
}

/** Of the children of this process that have ended, and of theirs. Only Linux tells. */
function processorSecondsOfChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // After the name, which may hold blanks: field 3 is the first.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_S;
}
