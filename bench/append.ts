import { join } from 'node:path';
import { type DomainEvent, streams } from '../src/domain/streams/domain-events.ts';
import { openSqliteLog } from '../src/event-log/sqlite/sqlite-log.ts';
import { openSqliteDatabase, readPragma, type SqliteDatabase } from '../src/platform/sqlite/sqlite-database.ts';
import type { Benchmark } from './benchmark.ts';
import { priceEvents } from './odds-log.ts';
import { runPeer } from './peers.ts';

const CALLERS = 64;
const BATCH = 100;

interface Sizes {
  readonly single: number;
  readonly ofPeer: number;
  readonly batches: number;
}
const FULL: Sizes = { single: 4000 * CALLERS, ofPeer: 200 * CALLERS, batches: 3000 };
const QUICK: Sizes = { single: 40 * CALLERS, ofPeer: 5 * CALLERS, batches: 50 };

/**
 * Appends that are on disk when they return. The peer and the bare inserts have a WAL and synchronous=FULL, which is
 * looked at; our log flushes the WAL itself before it answers (`src/event-log/sqlite/wal-file.ts`).
 */
export const append: Benchmark = {
  name: 'append',
  summary:
    "appends to the event log: one event from each of 64 callers (beside Emmett's SQLite store), and 100 at once",
  async run({ folder, quick, say }) {
    const { single: singles, ofPeer, batches: batchCount } = quick ? QUICK : FULL;
    const events = priceEvents(BATCH * batchCount);
    say(`${singles} single appends from ${CALLERS} callers`);
    const single = await singleAppends(join(folder, 'single.db'), events, singles);
    const peers: Record<string, number> = {};
    for (const mode of ['store', 'connection']) {
      say(`${ofPeer} single appends to Emmett's store (${mode})`);
      peers[mode] = await emmett(join(folder, `${mode}.db`), mode, events[0]!, ofPeer, say);
    }
    say(`${batchCount} batches of ${BATCH}`);
    const bare = bareInserts(join(folder, 'bare.db'), events);
    const batches = await batchAppends(join(folder, 'batches.db'), events);
    return [
      {
        what: `single appends, ${CALLERS} callers`,
        value: single,
        unit: 'appends/s',
        floor: { what: "Emmett's SQLite store", value: peers['store']! },
        goal: { of: 'ratio', bound: 'at least', number: 20 },
      },
      {
        what: 'the same',
        value: single,
        unit: 'appends/s',
        floor: { what: 'the append inside that store, on one open connection', value: peers['connection']! },
      },
      {
        what: `events, appended ${BATCH} at once`,
        value: batches,
        unit: 'events/s',
        floor: { what: 'bare inserts', value: bare },
        goal: { of: 'ratio', bound: 'at least', number: 0.6 },
      },
    ];
  },
};

async function singleAppends(file: string, events: readonly DomainEvent[], count: number): Promise<number> {
  const log = openSqliteLog({ file });
  const caller = async (index: number) => {
    const stream = streams.odds(index);
    for (let n = 0; n < count / CALLERS; n++) {
      const { revision } = await log.append(stream, [events[n]!], n === 0 ? 'none' : n - 1);
      if (revision !== n) throw new Error(`${stream}: revision ${revision} after append ${n}`);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(index + 1)));
  const seconds = (performance.now() - begun) / 1000;
  await log.close();
  checkFile(file, count);
  return count / seconds;
}

async function emmett(file: string, mode: string, { data }: DomainEvent, appends: number, say: (text: string) => void) {
  const args = [file, mode, appends, CALLERS, JSON.stringify(data)].map(String);
  const { journal_mode, synchronous, count, seconds } = await runPeer('emmett.mjs', args, say);
  if (journal_mode !== 'wal' || synchronous !== 2) {
    throw new Error(`the peer has ${journal_mode} and synchronous=${synchronous}: no fair comparison`);
  }
  if (count !== appends) throw new Error(`the peer holds ${count} events of ${appends}`);
  return appends / seconds;
}

async function batchAppends(file: string, events: readonly DomainEvent[]): Promise<number> {
  const log = openSqliteLog({ file });
  const begun = performance.now();
  for (let n = 0; n * BATCH < events.length; n++) {
    await log.append(streams.odds(1), events.slice(n * BATCH, (n + 1) * BATCH), n === 0 ? 'none' : n * BATCH - 1);
  }
  const seconds = (performance.now() - begun) / 1000;
  await log.close();
  checkFile(file, events.length);
  return events.length / seconds;
}

/** The same rows into the same table through the library alone: one prepared statement, 100 in a transaction. */
function bareInserts(file: string, events: readonly DomainEvent[]): number {
  // Makes the tables.
  void openSqliteLog({ file }).close();
  const database = openSqliteDatabase({ file });
  assertDurable(database);
  database.prepare('INSERT INTO streams (id, name) VALUES (1, ?)').run([streams.odds(1)]);
  const insert = database.prepare(
    'INSERT INTO records (position, stream_id, revision, type, version, data, meta, recorded_at) ' +
      'VALUES (?, 1, ?, ?, ?, ?, ?, ?)',
  );
  const now = Date.now();
  const begun = performance.now();
  for (let from = 0; from < events.length; from += BATCH) {
    database.exec('BEGIN IMMEDIATE');
    for (let n = from; n < from + BATCH; n++) {
      const { type, version, data, meta } = events[n]!;
      insert.run([n + 1, n, type, version, JSON.stringify(data), JSON.stringify(meta), now]);
    }
    database.exec('COMMIT');
  }
  const seconds = (performance.now() - begun) / 1000;
  database.close();
  checkFile(file, events.length);
  return events.length / seconds;
}

function assertDurable(database: SqliteDatabase): void {
  const [journal, synchronous] = [readPragma(database, 'journal_mode'), readPragma(database, 'synchronous')];
  if (journal !== 'wal' || Number(synchronous) !== 2) throw new Error(`${journal}, synchronous=${synchronous}`);
}

function checkFile(file: string, expected: number): void {
  const database = openSqliteDatabase({ file });
  const [count] = database.prepare('SELECT count(*) FROM records').raw().get() as [number];
  database.close();
  if (count !== expected) throw new Error(`${file} holds ${count} records, not ${expected}`);
}
