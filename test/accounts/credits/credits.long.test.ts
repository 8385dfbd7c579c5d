import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { balances } from '../../../projections/accounts/balances.ts';
import type { LedgerSink } from '../../../src/accounts/credits/ledger-writer.ts';
import { createLocalCredits } from '../../../src/accounts/credits/local-credits.ts';
import { type Journal, openJournal } from '../../../src/accounts/journal/journal-files.ts';
import { type ChargesEntry, createJournaledSink } from '../../../src/accounts/journal/journaled-sink.ts';
import { readJournal } from '../../../src/accounts/journal/read-journal.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { openSqliteLog } from '../../../src/event-log/sqlite/sqlite-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { journalFiles } from '../../../src/platform/data-folder/folder-paths.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { openSqliteStore } from '../../../src/read-models/store/sqlite/sqlite-store.ts';
import { createFaultyCredits } from '../../support/faulty/faulty-credits.ts';
import { createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { type CreditsContract, type CreditsGround, creditsContract } from './credits.contract.ts';
import { keyCapsContract } from './key-caps.contract.ts';

type Ground = CreditsGround & { readonly store: ReadStore; readonly folder?: string };

let writers = 0;
const later = (callback: () => void, milliseconds: number) =>
  void (milliseconds === 0 ? setImmediate(callback) : setTimeout(callback, 1));
function book(log: EventLog, { store }: Ground, now: () => number, sink?: LedgerSink) {
  return createLocalCredits({
    log,
    sink,
    store,
    writerId: `w${++writers}`,
    now,
    steadyNow: () => performance.now(),
    later,
    onError: () => {},
  });
}

async function inMemory(now: () => number): Promise<Ground> {
  const store = createMemoryStore();
  await store.prepare(balances, 'v1');
  return { log: createMemoryLog({ now }), store, close: async () => {} };
}

async function onSqlite(now: () => number): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-credits-'));
  const file = join(folder, 'ledgerline.db');
  const log = openSqliteLog({ file, now });
  const store = openSqliteStore({ file });
  return {
    log,
    store,
    folder,
    async close() {
      await store.close();
      await log.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const on = (ground: (now: () => number) => Promise<Ground>): CreditsContract => ({
  ground,
  open: (log, own, now) => book(log, own as Ground, now),
});

creditsContract('embedded, on a log in memory', on(inMemory));
creditsContract('embedded, on SQLite', on(onSqlite));
keyCapsContract('embedded, on a log in memory', on(inMemory));
keyCapsContract('embedded, on SQLite', on(onSqlite));
let journal: Journal<ChargesEntry> | undefined;
creditsContract('embedded, with a journal, on SQLite', {
  async ground(now) {
    const ground = await onSqlite(now);
    const close = async () => {
      journal?.close();
      journal = undefined;
      await ground.close();
    };
    return { ...ground, close };
  },
  open(log, own, now) {
    const ground = own as Ground;
    journal?.close();
    const files = journalFiles(ground.folder!);
    // What the one before it has left there is in the log, or else it would be gone now.
    expect(readJournal(files).entries).toEqual([]);
    journal = openJournal(files);
    return book(log, ground, now, createJournaledSink({ log, journal, later, onTrouble: () => {} }));
  },
  skip: [
    {
      reason: 'charges are on disk in the journal while the log takes nothing; see journaled-sink.property.test.ts',
      tests: ['fails the calls that it was to charge, and nothing is taken for them', 'fails those that wait'],
    },
  ],
});
creditsContract('far', {
  ground: inMemory,
  open: (log, own, now) => createFaultyCredits(book(log, own as Ground, now), createFaultyNetwork({ seed: 3 })),
});
keyCapsContract('far', {
  ground: inMemory,
  open: (log, own, now) => createFaultyCredits(book(log, own as Ground, now), createFaultyNetwork({ seed: 3 })),
});
