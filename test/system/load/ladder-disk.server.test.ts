import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteDatabase, readPragma } from '../../../src/platform/sqlite/sqlite-database.ts';
import { reportOf, run, temporaryFolder } from '../../server/cli/launching.ts';
import { seeded } from '../kill/generated-feed.ts';
import { refOf, scheduleOf, startOf } from './season.ts';

const EVENTS = 100;
const CHANGES = 8000;
/** What a changed level of a ladder of ten levels a side may cost: its record, and all in all. */
const MOST_BYTES_OF_LOG = 120;
const MOST_BYTES = 200;

it('a changed level of an order book costs at most 120 bytes in the log and 200 in the whole folder', async () => {
  const folder = join(temporaryFolder(), 'data');
  const schedules = Array.from({ length: EVENTS }, (_, event) => scheduleOf(400, event));
  const books = booksOf(EVENTS + CHANGES);
  const [first, changes] = [fileOf([...schedules, ...books.slice(0, EVENTS)]), fileOf(books.slice(EVENTS))];
  expect(reportOf(await run(['ingest', '--data-dir', folder, first]))).toMatchObject({ accepted: 2 * EVENTS });
  const before = sizeOf(folder);
  expect(reportOf(await run(['ingest', '--data-dir', folder, changes]))).toMatchObject({ accepted: CHANGES });
  const after = sizeOf(folder);
  const each = { log: (after.log - before.log) / CHANGES, folder: (after.folder - before.folder) / CHANGES };
  console.log(JSON.stringify({ bytesOfALadderChange: each }));
  expect(each.log).toBeLessThan(MOST_BYTES_OF_LOG);
  expect(each.folder).toBeLessThan(MOST_BYTES);
});

function fileOf(messages: readonly unknown[]): string {
  const file = join(temporaryFolder(), 'messages.ndjson');
  writeFileSync(file, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  return file;
}

/** As the file is once its write-ahead log has been moved into it. */
function sizeOf(folder: string): { log: number; folder: number } {
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
