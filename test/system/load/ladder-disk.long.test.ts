import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSqliteDatabase, readPragma } from '../../../src/platform/sqlite/sqlite-database.ts';
import { serveAgent } from '../../api/agent/serving.ts';
import type { Message } from '../../api/spec/messages.ts';
import { seeded } from '../kill/generated-feed.ts';
import { refOf, scheduleOf, startOf } from './season.ts';

const EVENTS = 20;
const CHANGES = 2000;
/** What a changed level of a ladder of ten levels a side may cost: its record, and all in all. */
const MOST_BYTES_OF_LOG = 120;
const MOST_BYTES = 200;

const folder = mkdtempSync(join(tmpdir(), 'ladders-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a changed level of an order book costs at most 120 bytes in the log and 200 in the whole folder', async () => {
  const schedules = Array.from({ length: EVENTS }, (_, event) => scheduleOf(400, event));
  const books = booksOf(EVENTS + CHANGES);
  const before = await sizeAfter([...schedules, ...books.slice(0, EVENTS)]);
  const after = await sizeAfter(books.slice(EVENTS));
  const each = { log: (after.log - before.log) / CHANGES, folder: (after.folder - before.folder) / CHANGES };
  console.log(JSON.stringify({ bytesOfALadderChange: each }));
  expect(each.log).toBeLessThan(MOST_BYTES_OF_LOG);
  expect(each.folder).toBeLessThan(MOST_BYTES);
}, 300_000);

/** Takes the messages in, and closes the folder. */
async function sizeAfter(messages: readonly unknown[]) {
  const server = await serveAgent({ file: folder, time: startOf(400, EVENTS) });
  for (let from = 0; from < messages.length; from += 500) {
    await server.feed(...(messages.slice(from, from + 500) as Message[]));
  }
  await server.close();
  return sizeOf();
}

/** As the file is once its write-ahead log has been moved into it. */
function sizeOf(): { log: number; folder: number } {
  const database = openSqliteDatabase({ file: join(folder, 'ledgerline.db'), readonly: true });
  const pages = Number(readPragma(database, 'page_count')) * Number(readPragma(database, 'page_size'));
  const { log } = database.prepare("SELECT sum(pgsize) AS log FROM dbstat WHERE name = 'records'").get() as {
    log: number;
  };
  database.close();
  return { log, folder: pages };
}

/** Every event in turn; after its first book each message changes the size of one level below the best. */
function booksOf(count: number): unknown[] {
  const random = seeded(7);
  const ladders = new Map<number, { readonly bids: [number, number][]; readonly asks: [number, number][] }>();
  const size = () => Math.round(random() * 100_000) / 100;
  return Array.from({ length: count }, (_, n) => {
    const event = n % EVENTS;
    const known = ladders.get(event);
    const ladder = known ?? {
      bids: Array.from({ length: 10 }, (__, level): [number, number] => [(50 - level) / 100, size()]),
      asks: Array.from({ length: 10 }, (__, level): [number, number] => [(52 + level) / 100, size()]),
    };
    ladders.set(event, ladder);
    if (known) ladder[random() < 0.5 ? 'bids' : 'asks'][1 + Math.floor(random() * 9)]![1] = size();
    const { bids, asks } = structuredClone(ladder);
    return {
      kind: 'book',
      source: 'season',
      at: new Date(startOf(400, event) - 86_400_000 + n * 500).toISOString(),
      ref: refOf(400, event),
      venue: 'kalshi',
      markets: [{ key: 'h2h', outcomes: [{ outcome: 'home', bids, asks }] }],
    };
  });
}
