import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appendsOf,
  type Entered,
  enterCall,
  enterCharge,
  enterEvent,
  newEntered,
} from '../../src/accounts/credits/ledger-appends.ts';
import { recoverCharges } from '../../src/accounts/credits/recover-charges.ts';
import { callsOf, chargesOf } from '../../src/domain/accounts/call-columns.ts';
import { accountEvent, accountStreams } from '../../src/domain/accounts/events.ts';
import type { CallsAnswered, CreditsCharged } from '../../src/domain/accounts/facts.ts';
import type { EventLog, StreamAppend } from '../../src/log/event-log.ts';
import { createMemoryLog } from '../../src/log/memory-log.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import { anyCharge } from './calls.ts';

const ACCOUNTS = [1, 2, 3];
const anyHappening = fc.record({
  kind: fc.constantFrom('charge' as const, 'charge' as const, 'expiry' as const, 'call' as const),
  accountId: fc.constantFrom(...ACCOUNTS),
  charge: anyCharge,
  unlimited: fc.boolean(),
});
type Happening = typeof anyHappening extends fc.Arbitrary<infer One> ? One : never;
const anyGroups = fc.array(fc.array(anyHappening, { maxLength: 12 }), { maxLength: 4 });

const expiry = ({ accountId, charge }: Happening) =>
  accountEvent('CreditsExpired', { accountId, at: charge.at, grant: charge.requestId, credits: charge.credits });

function enter(happenings: readonly Happening[]): Entered {
  const entered = newEntered();
  for (const one of happenings) {
    const { kind, accountId, charge, unlimited } = one;
    if (kind === 'charge') enterCharge(entered, accountId, charge, unlimited);
    else if (kind === 'expiry') enterEvent(entered, expiry(one));
    else enterCall(entered, accountId, charge);
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
      return chargesOf(charges).map((charge) => ({ charge, unlimited: unlimited === true }));
    });

describe('what comes into the log together', () => {
  it('is, for each account, what happened to it, in that order', () => {
    fc.assert(
      fc.property(anyGroups, (groups) => {
        const appends = appendsOf(groups.map(enter), { id: 'j', number: 1 });
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
          const calls = answered.flatMap(({ events }) => callsOf((events[0]!.data as CallsAnswered).calls));
          expect(calls.map(({ requestId, at }) => ({ requestId, at }))).toEqual(
            own.filter(({ kind }) => kind === 'call').map(({ charge: { requestId, at } }) => ({ requestId, at })),
          );
        }
      }),
    );
  });

  it('is the same when its charges come from a journal', async () => {
    await fc.assert(
      fc.asyncProperty(anyGroups, async (groups) => {
        const charges = groups
          .map((group) => group.filter(({ kind }) => kind === 'charge'))
          .filter(({ length }) => length > 0);
        const entries = charges.map((group, i) => ({ id: 'j', number: i + 1, charges: enter(group).charges! }));
        const appended: StreamAppend[] = [];
        const log = createMemoryLog();
        const noting: Pick<EventLog, 'readStream' | 'appendAll'> = {
          readStream: log.readStream,
          appendAll(appends) {
            appended.push(...appends);
            return log.appendAll(appends);
          },
        };
        const count = await recoverCharges(noting, createMemoryStore(), JSON.parse(JSON.stringify(entries)));
        expect(count).toBe(charges.flat().length);
        for (const accountId of ACCOUNTS) {
          expect(ledgerIn(appended, accountId)).toEqual(ledgerIn(appendsOf(charges.map(enter), undefined), accountId));
        }
      }),
    );
  });
});
