import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideTopUp } from '../../../commands/credit-decisions.ts';
import { usage } from '../../../projections/accounts/usage.ts';
import { loadLedger, readLedgerRecords } from '../../../src/accounts/credits/ledger-reader.ts';
import { createLocalCredits } from '../../../src/accounts/credits/local-credits.ts';
import {
  accountStreams,
  createAccountEvent,
  type LedgerEvent,
  type LedgerRecord,
} from '../../../src/domain/accounts/account-events.ts';
import { applyLedgerEvent, applyLedgerRecord, newLedger } from '../../../src/domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../../src/domain/accounts/credit-terms.ts';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import {
  type LastRecordNumbers,
  makeRecordId,
  registerRecordId,
} from '../../../src/domain/event-sourcing/record-id.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { auditedCalls } from '../../../src/server/cli/audit-calls.ts';
import { createFaultyCredits } from '../../support/faulty/faulty-credits.ts';
import { AnswerLost, createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { anyCharge } from '../journal/any-charge.ts';
import { chargesIn } from '../recorded-calls.ts';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const terms: AccountTerms = {
  accountId: 1,
  createdAt: NOON,
  plan: 'payg',
  initialCredits: 100,
  monthlyCredits: 0,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
};
const at = new Date(NOON).toISOString();
const call = (requestId: string) => ({ at, keyId: 1, operation: null, requestId, status: 200, milliseconds: 1 });
const stream = accountStreams.ledger(1);

/** A log of which some answers are lost, with one process upon it. */
function farWorld(seed: number, lost: number) {
  const log = createMemoryLog({ now: () => NOON });
  const store = createMemoryStore();
  const far = createFaultyNetwork({ seed, lost });
  const appendAll: EventLog['appendAll'] = (appends) => far.call('append', () => log.appendAll(appends));
  const book = createLocalCredits({
    log: { ...log, appendAll },
    store,
    writerId: 'w',
    now: () => NOON,
    steadyNow: () => performance.now(),
    later: (callback) => void setImmediate(callback),
    isUnclear: (error) => error instanceof AnswerLost,
    onError: () => {},
    onTrouble: () => {},
  });
  return { log, store, book };
}

it('a charge whose append lost its answer is repeated, and counts once', async () => {
  let repeated = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(fc.constantFrom(0.5, 1, 2), { minLength: 1, maxLength: 20 }),
      async (seed, all) => {
        const { log, store, book } = farWorld(seed, 0.3);
        const paid = new Map<string, number>();
        const unpaid = new Map<string, number>();
        for (const [n, credits] of all.entries()) {
          const requestId = `r${n}`;
          const charge = async () => (await book.reserve(terms, credits)).charge(call(requestId), credits);
          await charge().then(
            () => paid.set(requestId, credits),
            () => unpaid.set(requestId, credits),
          );
          if (n % 5 === 0) {
            const topUp = { accountId: 1, credits: 1, packId: 1, payment: `p${n}`, priceCents: 1, currency: 'usd' };
            await book.record(terms, (ledger) => decideTopUp(ledger, topUp, NOON)).catch(() => {});
          }
        }
        await book.flush();
        const stored = (await log.readStream(stream)) as readonly LedgerRecord[];
        const counted: LedgerRecord[] = [];
        for await (const record of readLedgerRecords(log, 1)) counted.push(record);
        repeated += stored.length - counted.length;
        const charged = chargesIn(counted);
        const ids = charged.map(({ requestId }) => requestId);
        // Each that was answered once; others at most once, since nobody knows of them.
        expect(ids.length).toBe(new Set(ids).size);
        for (const requestId of paid.keys()) expect(ids).toContain(requestId);
        const sum = charged.reduce((total, { credits }) => total + credits, 0);
        const bought = counted.filter(({ type }) => type === 'CreditsToppedUp').length;
        const { balance } = await loadLedger(log, store, 1);
        expect(balance).toBe((counted.some(({ type }) => type === 'CreditsGranted') ? 100 : 0) + bought - sum);
        // The process itself knows no other balance than the log.
        expect(await book.remaining(terms)).toBe((await loadLedger(log, store, 1)).balance);
      },
    ),
    { numRuns: 100 },
  );
  expect(repeated).toBeGreaterThan(0);
});

it('a pack requested again after a lost answer of remote credits is added once', async () => {
  let lost = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const { log, book } = farWorld(seed, 0);
    const credits = createFaultyCredits(book, createFaultyNetwork({ seed, lost: 0.4 }));
    const topUp = { accountId: 1, credits: 5, packId: 1, payment: 'p', priceCents: 1, currency: 'usd' };
    const buy = async (): Promise<void> => {
      try {
        await credits.record(terms, (ledger) => decideTopUp(ledger, topUp, NOON));
      } catch (error) {
        expect(error).toBeInstanceOf(AnswerLost);
        lost++;
        await buy();
      }
    };
    await buy();
    expect(await book.remaining(terms)).toBe(105);
    expect((await log.readStream(stream)).map(({ type }) => type)).toEqual(['CreditsGranted', 'CreditsToppedUp']);
  }
  expect(lost).toBeGreaterThan(0);
});

describe('a ledger with repeated records', () => {
  const granted = (grant: string, credits: number) =>
    createAccountEvent('CreditsGranted', { accountId: 1, at, grant, kind: 'initial', credits, expiresAt: null });
  const anyEvent: fc.Arbitrary<LedgerEvent> = fc.oneof(
    anyCharge.map((charge) =>
      createAccountEvent('CreditsCharged', { accountId: 1, charges: [{ ...charge, bought: 0 }] }),
    ),
    fc.nat(3).map((n) => granted(`g${n}`, 50)),
    fc.nat(3).map((n) => createAccountEvent('CreditsExpired', { accountId: 1, at, grant: `g${n}`, credits: 2 })),
    fc.nat(3).map((n) =>
      createAccountEvent('CreditsToppedUp', {
        accountId: 1,
        at,
        grant: `pack.${n}`,
        credits: 5,
        packId: 1,
        payment: `${n}`,
        priceCents: 1,
        currency: 'usd',
      }),
    ),
    fc.nat(3).map((n) =>
      createAccountEvent('CreditsRefunded', {
        accountId: 1,
        at,
        credits: 1,
        bought: 0,
        requestId: `r${n}`,
        reason: '',
      }),
    ),
  );
  const recorded = (events: readonly LedgerEvent[]) =>
    events.map((event, revision) => ({ ...event, stream, revision, position: 1n, recordedAt: at }) as LedgerRecord);
  const fold = (events: readonly LedgerEvent[]) => {
    const ledger = newLedger();
    for (const record of recorded(events)) applyLedgerRecord(ledger, record);
    return { ...ledger, revision: 0 };
  };

  it('counts a record that its writer appended again once, with those of other writers between', () => {
    const entry = fc.record({ event: anyEvent, writer: fc.constantFrom('w', 'x', 'y'), again: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const numbers = new Map<string, number>();
        const once: LedgerEvent[] = [];
        const twice: LedgerEvent[] = [];
        let late: LedgerEvent[] = [];
        for (const { event, writer, again } of entries) {
          const number = (numbers.get(writer) ?? 0) + 1;
          numbers.set(writer, number);
          const named = { ...event, meta: { ...event.meta, id: makeRecordId(writer, number) } };
          once.push(named);
          twice.push(named, ...late);
          late = Array.from({ length: again }, () => named);
        }
        twice.push(...late);
        expect({ ...fold(twice), written: [] }).toEqual({ ...fold(once), written: [] });
      }),
    );
  });

  it('counts a grant and a refund on which two have decided once', () => {
    const pack = createAccountEvent('CreditsToppedUp', {
      accountId: 1,
      at,
      grant: 'pack.1',
      credits: 5,
      packId: 1,
      payment: '1',
      priceCents: 1,
      currency: 'usd',
    });
    const refund = createAccountEvent('CreditsRefunded', {
      accountId: 1,
      at,
      credits: 1,
      bought: 0,
      requestId: 'r',
      reason: 'why',
    });
    const all = [granted('a', 50), pack, refund];
    expect(fold([...all, ...all])).toEqual(fold(all));
    expect(fold(all).balance).toBe(56);
  });

  it('never expires more of a grant than is left', () => {
    const expired = (credits: number) =>
      createAccountEvent('CreditsExpired', { accountId: 1, at, grant: 'a', credits });
    expect(fold([granted('a', 50), granted('b', 5), expired(48), expired(48), expired(48)]).balance).toBe(5);
  });

  it('remembers so many writers, and each by its last number', () => {
    const written: LastRecordNumbers = [];
    for (let n = 0; n < 64; n++) expect(registerRecordId(written, `w${n}.7`)).toBe(true);
    expect(registerRecordId(written, 'w0.7')).toBe(false);
    expect(registerRecordId(written, 'w0.6')).toBe(false);
    expect(registerRecordId(written, 'w0.8')).toBe(true);
    expect(registerRecordId(written, undefined)).toBe(true);
    // The one that has not written for the longest time goes.
    expect(registerRecordId(written, 'other.1')).toBe(true);
    expect(written).toHaveLength(64);
    expect(registerRecordId(written, 'w0.8')).toBe(false);
  });

  it('is the same where an event is not recorded yet', () => {
    const ledger = newLedger();
    for (const event of [granted('a', 50), granted('a', 50)]) applyLedgerEvent(ledger, event);
    expect(ledger.balance).toBe(50);
  });
});

it('the newest calls are listed once, although their record was appended twice', async () => {
  const log = createMemoryLog({ now: () => NOON });
  const store = createMemoryStore();
  await store.prepare(usage, `v${usage.version}`);
  const { events } = { events: [createAccountEvent('CallsAnswered', { accountId: 1, calls: [call('a'), call('b')] })] };
  const named = events.map((event) => ({ ...event, meta: { ...event.meta, id: 'w.1' } }));
  for (let n = 0; n < 2; n++) await log.append(accountStreams.calls(1), named, 'any');
  const later = createAccountEvent('CallsAnswered', { accountId: 1, calls: [call('c')] });
  await log.append(accountStreams.calls(1), [later], 'any');
  const records = await log.readAll(null, 10);
  const writes = records.map((record) => ({
    key: usage.key(record)!,
    document: usage.apply(undefined, record),
    position: record.position,
  }));
  const checkpoint = records.at(-1)!.position;
  await store.commit([
    {
      projection: usage.name,
      generation: `v${usage.version}`,
      partition: ONE_PARTITION,
      expected: null,
      checkpoint,
      writes,
    },
  ]);
  await store.activate(usage.name, `v${usage.version}`);

  expect(new Set(writes.map(({ key }) => key)).size).toBe(3);
  const told = async (most: number) => (await auditedCalls({ store }, 1, most)).map((one) => one.request_id);
  expect(await told(10)).toEqual(['a', 'b', 'c']);
  expect(await told(1)).toEqual(['c']);
});
