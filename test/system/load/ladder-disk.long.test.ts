import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSqliteDatabase, readPragma } from '../../../src/platform/sqlite/sqlite-database.ts';
import { serveAgent } from '../../api/agent/serving.ts';
import type { Message } from '../../api/spec/messages.ts';
import { seeded } from '../kill/generated-feed.ts';
import { scheduleOf, startOf } from './season.ts';

const EVENTS = 20;
const CHANGES = 2000;
/** Levels a side in a message. Only a change of these is one. */
const SHOWN = 10;
/** What a change of a ladder of ten levels a side may cost: its record, and all in all. */
const MOST_BYTES_OF_LOG = 120;
const MOST_BYTES = 200;

const root = mkdtempSync(join(tmpdir(), 'ladders-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Levels = [price: number, size: number][];
interface Ladder {
  bids: Levels;
  asks: Levels;
}
/** Changes the ladders of the sides of a game. @returns how many have changed */
type Change = (ladders: readonly [Ladder, Ladder], random: () => number) => number;

const sizeOf = (random: () => number): number => Math.round(random() * 100_000) / 100;
const oneOf = (random: () => number): 0 | 1 => (random() < 0.5 ? 0 : 1);
/** The level at the best price goes, or one before it comes. */
function moveBest(levels: Levels, step: number, random: () => number): void {
  const [best] = levels[0]!;
  const ahead = Math.round((best + step) * 100) / 100;
  if (levels.length > 30 || (levels.length > 12 && random() < 0.5)) levels.shift();
  else levels.unshift([ahead, sizeOf(random)]);
}

const CASES: readonly (readonly [string, Change])[] = [
  [
    'a level below the best',
    (ladders, random) => {
      const levels = ladders[oneOf(random)][random() < 0.5 ? 'bids' : 'asks'];
      levels[1 + Math.floor(random() * (SHOWN - 1))]![1] = sizeOf(random);
      return 1;
    },
  ],
  [
    'the best price of one side',
    (ladders, random) => {
      moveBest(ladders[oneOf(random)].asks, -0.01, random);
      return 1;
    },
  ],
  [
    'the best price of both sides, of which one is the mirror of the other',
    ([home, away], random) => {
      moveBest(home.asks, -0.01, random);
      away.bids = home.asks.map(([price, size]) => [Math.round((1 - price) * 100) / 100, size]);
      return 2;
    },
  ],
];

it.each(CASES)(
  'a change of %s costs at most 120 bytes in the log and 200 in the whole folder',
  async (name, change) => {
    const folder = join(root, name.replaceAll(/\W/g, '-'));
    const schedules = Array.from({ length: EVENTS }, (_, event) => ({
      ...scheduleOf(400, event),
      refs: { kalshi: tickerOf(event) },
    }));
    const { books, changes } = booksOf(EVENTS + CHANGES, change);
    const before = await sizeAfter(folder, [...schedules, ...books.slice(0, EVENTS)]);
    const after = await sizeAfter(folder, books.slice(EVENTS));
    const each = { log: (after.log - before.log) / changes, folder: (after.folder - before.folder) / changes };
    console.log(JSON.stringify({ bytesOfALadderChange: each, changed: name }));
    expect(each.log).toBeLessThan(MOST_BYTES_OF_LOG);
    expect(each.folder).toBeLessThan(MOST_BYTES);
  },
  300_000,
);

const tickerOf = (event: number): string => `KXNBA-19FEB05T${10 + event}C${10 + event}`;

/** Takes the messages in, and closes the folder. */
async function sizeAfter(folder: string, messages: readonly unknown[]) {
  const server = await serveAgent({ file: folder, time: startOf(400, EVENTS) });
  for (let from = 0; from < messages.length; from += 500) {
    await server.feed(...(messages.slice(from, from + 500) as Message[]));
  }
  await server.close();
  return measure(folder);
}

/** As the file is once its write-ahead log has been moved into it. */
function measure(folder: string): { log: number; folder: number } {
  const database = openSqliteDatabase({ file: join(folder, 'ledgerline.db'), readonly: true });
  const pages = Number(readPragma(database, 'page_count')) * Number(readPragma(database, 'page_size'));
  const { log } = database.prepare("SELECT sum(pgsize) AS log FROM dbstat WHERE name = 'records'").get() as {
    log: number;
  };
  database.close();
  return { log, folder: pages };
}

/** Every event in turn; after its first book each message has one change. */
function booksOf(count: number, change: Change): { books: unknown[]; changes: number } {
  const random = seeded(7);
  const ladders = new Map<number, [Ladder, Ladder]>();
  let changes = 0;
  const books = Array.from({ length: count }, (_, n) => {
    const event = n % EVENTS;
    const known = ladders.get(event);
    const sides = known ?? [newLadder(random), newLadder(random)];
    ladders.set(event, sides);
    if (known) changes += change(known, random);
    const [home, away] = structuredClone(sides);
    return {
      kind: 'book',
      source: 'kalshi',
      at: new Date(startOf(400, event) - 86_400_000 + n * 500).toISOString(),
      ref: tickerOf(event),
      venue: 'kalshi',
      markets: [
        {
          key: 'h2h',
          outcomes: [
            { outcome: 'home', ...cut(home) },
            { outcome: 'away', ...cut(away) },
          ],
        },
      ],
    };
  });
  return { books, changes };
}

const newLadder = (random: () => number): Ladder => ({
  bids: Array.from({ length: 20 }, (_, level) => [(48 - level) / 100, sizeOf(random)]),
  asks: Array.from({ length: 20 }, (_, level) => [(52 + level) / 100, sizeOf(random)]),
});
/** What a message takes of a ladder. */
const cut = ({ bids, asks }: Ladder): Ladder => ({ bids: bids.slice(0, SHOWN), asks: asks.slice(0, SHOWN) });
