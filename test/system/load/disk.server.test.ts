import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqliteDatabase, readPragma } from '../../../src/platform/sqlite/sqlite-database.ts';
import { reportOf, run, temporaryFolder } from '../../server/cli/launching.ts';
import { seeded } from '../kill/generated-feed.ts';
import { refOf, scheduleOf, startOf } from './season.ts';

const EVENTS = 100;
const BOOKS = ['pinnacle', 'bet365', 'draftkings', 'fanduel', 'betmgm', 'caesars', 'unibet', 'betrivers'];
const TICKS = 20_000;
/**
 * What a tick may cost, all in all: its record, its place in the indexes, and what it adds to the read models. Some 100
 * of it are documents of a fixed size for an event, which has more ticks than the 200 of this test.
 */
const MOST_BYTES = 500;

it(`a tick of three markets costs less than ${MOST_BYTES} bytes of disk in all`, async () => {
  const folder = join(temporaryFolder(), 'data');
  const schedules = fileOf(Array.from({ length: EVENTS }, (_, event) => scheduleOf(400, event)));
  const ticks = fileOf(ticksOf(TICKS));
  expect(reportOf(await run(['ingest', '--data-dir', folder, schedules]))).toMatchObject({ accepted: EVENTS });
  const before = sizeOf(folder);
  expect(reportOf(await run(['ingest', '--data-dir', folder, ticks]))).toMatchObject({ accepted: TICKS });
  const each = (sizeOf(folder) - before) / TICKS;
  console.log(JSON.stringify({ bytesOfATick: Math.round(each) }));
  expect(each).toBeLessThan(MOST_BYTES);
});

function fileOf(messages: readonly unknown[]): string {
  const file = join(temporaryFolder(), 'messages.ndjson');
  writeFileSync(file, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  return file;
}

/** As the file is once its write-ahead log has been moved into it. */
function sizeOf(folder: string): number {
  const database = openSqliteDatabase({ file: join(folder, 'ledgerline.db'), readonly: true });
  const size = Number(readPragma(database, 'page_count')) * Number(readPragma(database, 'page_size'));
  database.close();
  return size;
}

/** Every event in turn, every book of it in turn; all prices move with each tick, and lie near those of the other books. */
function ticksOf(count: number): unknown[] {
  const random = seeded(7);
  const price = () => (random() < 0.5 ? -1 : 1) * (100 + Math.floor(random() * 15));
  return Array.from({ length: count }, (_, n) => {
    const event = n % EVENTS;
    const point = Math.floor(random() * 20) / 2;
    return {
      kind: 'odds',
      source: 'season',
      at: new Date(startOf(400, event) - 86_400_000 + n * 500).toISOString(),
      ref: refOf(400, event),
      bookmaker: BOOKS[Math.floor(n / EVENTS) % BOOKS.length],
      markets: [
        { key: 'h2h', outcomes: ['home', 'away'].map((outcome) => ({ outcome, price: price() })) },
        { key: 'spreads', outcomes: ['home', 'away'].map((outcome) => ({ outcome, price: price(), point })) },
        {
          key: 'totals',
          outcomes: ['over', 'under'].map((outcome) => ({ outcome, price: price(), point: 200 + point })),
        },
      ],
    };
  });
}
