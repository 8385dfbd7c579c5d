import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { decideTopUp } from '../../../commands/credit-decisions.ts';
import type { Credits } from '../../../src/accounts/credits/credits.ts';
import { createLocalCredits } from '../../../src/accounts/credits/local-credits.ts';
import { type Journal, openJournal } from '../../../src/accounts/journal/journal-files.ts';
import { type ChargesEntry, createJournaledSink } from '../../../src/accounts/journal/journaled-sink.ts';
import { readJournal } from '../../../src/accounts/journal/read-journal.ts';
import { recoverCharges } from '../../../src/accounts/journal/recover-charges.ts';
import { accountStreams, type LedgerRecord } from '../../../src/domain/accounts/account-events.ts';
import { applyLedgerRecord, newLedger } from '../../../src/domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../../src/domain/accounts/credit-terms.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { journalFiles } from '../../../src/platform/data-folder/folder-paths.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { cases } from '../../support/cases.ts';
import { chargesIn } from '../recorded-calls.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const ACCOUNTS = [1, 2];

type Step =
  | { readonly kind: 'charge'; readonly account: number; readonly credits: number }
  | { readonly kind: 'buy'; readonly account: number }
  | { readonly kind: 'note' | 'turn' | 'pass' | 'crash' | 'crash in recovery' }
  | { readonly kind: 'log' | 'journal'; readonly works: boolean };
const account = fc.constantFrom(...ACCOUNTS);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('charge' as const), account, credits: fc.constantFrom(0.5, 1, 2) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('buy' as const), account }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('turn' as const, 'pass' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('note' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('crash' as const, 'crash in recovery' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('log' as const, 'journal' as const), works: fc.boolean() }),
  },
);

/** A server's accounts, whose disk may fail, and which may die and come again. */
function newWorld(folder: string) {
  const files = journalFiles(folder);
  const log = createMemoryLog({ now: () => NOON });
  const store = createMemoryStore();
  const works = { log: true, journal: true };
  /** Request ids whose client may have the answer. */
  const paid = new Set<string>();
  let lives = 0;
  let calls = 0;
  /** Calls that have no answer yet. */
  let underWay = 0;
  let timers: (() => void)[] = [];
  let book: Credits;
  let journal: Journal<ChargesEntry>;

  async function start(): Promise<void> {
    const life = ++lives;
    timers = [];
    const fail = () => Promise.reject(new Error('the disk is full'));
    // What a life that is over still has under way does not happen.
    const never = () => new Promise<never>(() => {});
    const isDead = () => life !== lives;
    const own = openJournal<ChargesEntry>(files, 1500);
    journal = own;
    const mortalLog: EventLog = {
      ...log,
      appendAll: (all) => (isDead() ? never() : works.log ? log.appendAll(all) : fail()),
    };
    const mortalJournal: Journal<ChargesEntry> = {
      ...own,
      write: (entry) => (isDead() ? never() : works.journal ? own.write(entry) : fail()),
    };
    const later = (callback: () => void, milliseconds: number) =>
      void (milliseconds === 0 ? setImmediate(callback) : timers.push(callback));
    book = createLocalCredits({
      log: mortalLog,
      sink: createJournaledSink({ log: mortalLog, journal: mortalJournal, later, onTrouble: () => {} }),
      writerId: `life-${life}`,
      store,
      now: () => NOON,
      steadyNow: () => performance.now(),
      later,
      onError: () => {},
    });
  }

  const terms = (accountId: number): AccountTerms => ({
    accountId,
    createdAt: NOON,
    plan: 'payg',
    initialCredits: 3,
    monthlyCredits: 0,
    creditsExpireHours: null,
    dailyCap: null,
    order: null,
  });
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 5; n++) await new Promise((resolve) => setTimeout(resolve));
  };

  return {
    log,
    paid,
    start,
    turns,
    answered: () => expect.poll(() => underWay).toBe(0),
    async charge(accountId: number, credits: number): Promise<void> {
      const requestId = `r${++calls}`;
      try {
        const hold = await book.reserve(terms(accountId), credits);
        const call = { at: new Date(NOON).toISOString(), keyId: 1, operation: null, requestId, status: 200 };
        const written = hold.charge({ ...call, milliseconds: 1 }, credits);
        underWay++;
        void Promise.resolve(written)
          .then(
            () => paid.add(requestId),
            () => {},
          )
          .finally(() => underWay--);
      } catch {
        // No credits, or an account that cannot be read now.
      }
    },
    async buy(accountId: number): Promise<void> {
      const topUp = { accountId, credits: 5, packId: 1, payment: `p${++calls}`, priceCents: 1, currency: 'usd' };
      try {
        await book.ledger(terms(accountId));
        underWay++;
        book
          .record(terms(accountId), (ledger) => decideTopUp(ledger, topUp, NOON))
          .catch(() => {})
          .finally(() => underWay--);
      } catch {
        // An account that cannot be read now.
      }
    },
    note(): void {
      const at = new Date(NOON).toISOString();
      book.note(1, { at, keyId: 1, operation: null, requestId: 'free', status: 404, milliseconds: 1 });
    },
    async pass(): Promise<void> {
      for (const callback of timers.splice(0)) callback();
      await turns();
    },
    set(what: 'log' | 'journal', value: boolean): void {
      works[what] = value;
    },
    /** Ends as it should, on a disk that works. */
    async stop(): Promise<void> {
      works.log = true;
      works.journal = true;
      await book.flush();
      journal.close();
      expect(readJournal(files).entries).toEqual([]);
    },
    /** Dies, and comes again on a disk that works. */
    async crash(twice: boolean): Promise<void> {
      lives++;
      journal.close();
      works.log = true;
      works.journal = true;
      const held = files.map((file) => (existsSync(file) ? readFileSync(file) : undefined));
      await recoverCharges(log, store, files);
      if (twice) {
        // As if it had been cut off before it dropped them.
        for (const [i, bytes] of held.entries()) if (bytes) writeFileSync(files[i]!, bytes);
        expect(await recoverCharges(log, store, files)).toBe(0);
      }
      await start();
    },
  };
}

it('a charge whose answer may have been sent is in the ledger once, whatever fails, and whenever the server dies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-charges-'));
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 80 }), fc.boolean(), async (steps, dies) => {
      const world = newWorld(folder);
      await world.start();
      for (const step of steps) {
        if (step.kind === 'charge') await world.charge(step.account, step.credits);
        else if (step.kind === 'buy') await world.buy(step.account);
        else if (step.kind === 'log' || step.kind === 'journal') world.set(step.kind, step.works);
        else if (step.kind === 'note') world.note();
        else if (step.kind === 'turn') await world.turns();
        else if (step.kind === 'pass') await world.pass();
        else await world.crash(step.kind === 'crash in recovery');
      }
      await (dies ? world.crash(false) : world.stop());
      const charged: string[] = [];
      for (const accountId of ACCOUNTS) {
        const records = await world.log.readStream(accountStreams.ledger(accountId));
        charged.push(...chargesIn(records).map(({ requestId }) => requestId));
        const ledger = newLedger();
        for (const record of records as readonly LedgerRecord[]) {
          applyLedgerRecord(ledger, record);
          expect(ledger.balance).toBeGreaterThanOrEqual(0);
        }
      }
      expect(charged.length).toBe(new Set(charged).size);
      for (const requestId of world.paid) expect(charged).toContain(requestId);
    }),
    { numRuns: cases(200) },
  );
  rmSync(folder, { recursive: true });
});

describe('while the log refuses everything', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-charges-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** An account of 3 credits, of which one is charged in the log, and one in the journal alone. */
  async function chargedTwice() {
    const world = newWorld(folder);
    await world.start();
    for (const requestId of ['r1', 'r2']) {
      await world.charge(1, 1);
      await expect.poll(() => world.paid).toContain(requestId);
    }
    world.set('log', false);
    expect([...world.paid]).toEqual(['r1', 'r2']);
    return world;
  }
  const chargedIn = async ({ log }: Pick<ReturnType<typeof newWorld>, 'log'>) =>
    chargesIn(await log.readStream(accountStreams.ledger(1))).map(({ requestId }) => requestId);

  it('charges fail as soon as this is known, and the journaled charges reach the log later', async () => {
    const world = await chargedTwice();
    await world.pass();
    expect(await chargedIn(world)).toEqual(['r1']);
    await world.charge(1, 0.5);
    await world.answered();
    expect([...world.paid]).toEqual(['r1', 'r2']);
    world.set('log', true);
    await world.charge(1, 0.5);
    await world.answered();
    expect([...world.paid]).toEqual(['r1', 'r2', 'r4']);
    await world.stop();
    expect(await chargedIn(world)).toEqual(['r1', 'r2', 'r4']);
  });

  it('a failed account is read again including the journaled charges', async () => {
    const world = await chargedTwice();
    await world.buy(1);
    await world.answered();
    world.set('log', true);
    await world.charge(1, 2);
    await world.answered();
    expect([...world.paid]).toEqual(['r1', 'r2']);
    await world.charge(1, 1);
    await world.stop();
    expect(await chargedIn(world)).toEqual(['r1', 'r2', 'r5']);
  });
});
