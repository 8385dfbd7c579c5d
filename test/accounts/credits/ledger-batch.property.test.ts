import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addCharge,
  addFreeCall,
  addLedgerEvent,
  type LedgerBatch,
  newLedgerBatch,
  toStreamAppends,
} from '../../../src/accounts/credits/ledger-batch.ts';
import { openJournal } from '../../../src/accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../../../src/accounts/journal/journaled-sink.ts';
import { mergeAppends } from '../../../src/accounts/journal/merge-appends.ts';
import { recoverCharges } from '../../../src/accounts/journal/recover-charges.ts';
import type { CallsAnswered, CreditsCharged } from '../../../src/domain/accounts/account-event-data.ts';
import { accountStreams, createAccountEvent } from '../../../src/domain/accounts/account-events.ts';
import type { EventLog, StreamAppend } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { journalFiles } from '../../../src/platform/data-folder/folder-paths.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { anyCharge } from '../journal/any-charge.ts';

const ACCOUNTS = [1, 2, 3];
const anyHappening = fc.record({
  kind: fc.constantFrom('charge' as const, 'charge' as const, 'expiry' as const, 'call' as const),
  accountId: fc.constantFrom(...ACCOUNTS),
  charge: anyCharge,
  unlimited: fc.boolean(),
});
type Happening = typeof anyHappening extends fc.Arbitrary<infer One> ? One : never;
const counted = () => {
  let count = 0;
  return () => `w.${++count}`;
};
const anyGroups = fc.array(fc.array(anyHappening, { maxLength: 12 }), { maxLength: 4 });

const expiry = ({ accountId, charge }: Happening) =>
  createAccountEvent('CreditsExpired', { accountId, at: charge.at, grant: charge.requestId, credits: charge.credits });

function enter(happenings: readonly Happening[]): LedgerBatch {
  const entered = newLedgerBatch();
  for (const one of happenings) {
    const { kind, accountId, charge, unlimited } = one;
    if (kind === 'charge') addCharge(entered, accountId, charge, unlimited);
    else if (kind === 'expiry') addLedgerEvent(entered, expiry(one));
    else addFreeCall(entered, accountId, charge);
  }
  return entered;
}

/** What the log then tells of an account's ledger, entry by entry. */
const ledgerIn = (appends: readonly StreamAppend[], accountId: number) =>
  appends
    .filter(({ stream }) => stream === accountStreams.ledger(accountId))
    .flatMap(({ events }) => events)
    .flatMap(({ type, data }) => {
      if (type !== 'CreditsCharged') return [data];
      const { charges, unlimited } = data as CreditsCharged;
      return charges.map((charge) => ({ charge, unlimited: unlimited === true }));
    });

describe('a batch for the log', () => {
  it('has the events of each account in order', () => {
    fc.assert(
      fc.property(anyGroups, (groups) => {
        const newId = counted();
        const appends = mergeAppends(groups.map((group) => toStreamAppends(enter(group), newId)));
        for (const accountId of ACCOUNTS) {
          const own = groups.flat().filter((one) => one.accountId === accountId);
          expect(ledgerIn(appends, accountId)).toEqual(
            own
              .filter(({ kind }) => kind !== 'call')
              .map((one) =>
                one.kind === 'charge' ? { charge: one.charge, unlimited: one.unlimited } : expiry(one).data,
              ),
          );
          const answered = appends.filter(({ stream }) => stream === accountStreams.calls(accountId));
          const calls = answered.flatMap(({ events }) => events.flatMap(({ data }) => (data as CallsAnswered).calls));
          expect(calls.map(({ requestId, at }) => ({ requestId, at }))).toEqual(
            own.filter(({ kind }) => kind === 'call').map(({ charge: { requestId, at } }) => ({ requestId, at })),
          );
        }
      }),
    );
  });

  it('is the same when its charges come from a journal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerline-journal-'));
    await fc.assert(
      fc.asyncProperty(anyGroups, async (groups) => {
        const charges = groups
          .map((group) => group.filter(({ kind }) => kind === 'charge'))
          .filter(({ length }) => length > 0);
        const newId = counted();
        const entered = charges.map((group) => toStreamAppends(enter(group), newId));
        const journal = openJournal<ChargesEntry>(journalFiles(folder));
        for (const [i, appends] of entered.entries()) await journal.write({ number: i + 1, appends });
        journal.close();
        const appended: StreamAppend[] = [];
        const log = createMemoryLog();
        const noting: Pick<EventLog, 'readStream' | 'appendAll'> = {
          readStream: log.readStream,
          appendAll(appends) {
            appended.push(...appends);
            return log.appendAll(appends);
          },
        };
        const count = await recoverCharges(noting, createMemoryStore(), journalFiles(folder));
        expect(count).toBe(charges.flat().length);
        for (const accountId of ACCOUNTS) {
          expect(ledgerIn(appended, accountId)).toEqual(ledgerIn(mergeAppends(entered), accountId));
        }
      }),
      { numRuns: 50 },
    );
    rmSync(folder, { recursive: true });
  });
});
