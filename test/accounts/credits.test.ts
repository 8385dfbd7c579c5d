import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { balances } from '../../projections/balances.ts';
import { createCreditBook } from '../../src/accounts/credits/credit-book.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { openSqliteLog } from '../../src/log/sqlite-log.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import type { ReadStore } from '../../src/store/read-store.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { createFar } from '../far/far.ts';
import { farCredits } from '../far/far-credits.ts';
import { type CreditsContract, type CreditsGround, creditsContract } from './credits.contract.ts';

type Ground = CreditsGround & { readonly store: ReadStore };

let writers = 0;
function book(log: EventLog, { store }: Ground, now: () => number) {
  return createCreditBook({
    log,
    store,
    writerId: `w${++writers}`,
    now,
    steadyNow: () => performance.now(),
    later: (callback, milliseconds) => void (milliseconds === 0 ? setImmediate(callback) : setTimeout(callback, 1)),
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
creditsContract('far', {
  ground: inMemory,
  open: (log, own, now) => farCredits(book(log, own as Ground, now), createFar({ seed: 3 })),
});
