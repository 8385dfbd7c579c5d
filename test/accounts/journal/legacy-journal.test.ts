import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { balances } from '../../../projections/accounts/balances.ts';
import { recoverCharges } from '../../../src/accounts/journal/recover-charges.ts';
import type { ChargedCall } from '../../../src/domain/accounts/account-event-data.ts';
import { type ChargeColumns, chargesFromColumns } from '../../../src/domain/accounts/version-2-columns.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { upcast } from '../../../src/domain/upcasters.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { journalFiles } from '../../../src/platform/data-folder/folder-paths.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { chargesIn } from '../recorded-calls.ts';
import { anyCharge } from './any-charge.ts';

/** As version 2 wrote them. */
function columnsOf(charges: readonly ChargedCall[]): ChargeColumns {
  const start = charges[0]?.at ?? '';
  const besides = charges.map(({ budget, chargedAt, bought, capped }) => ({ budget, chargedAt, bought, capped }));
  const columns = {
    at: start,
    after: charges.map(({ at }) => Date.parse(at) - Date.parse(start)),
    keyIds: charges.map(({ keyId }) => keyId),
    operations: charges.map(({ operation }) => operation),
    requestIds: charges.map(({ requestId }) => requestId),
    statuses: charges.map(({ status }) => status),
    milliseconds: charges.map(({ milliseconds }) => milliseconds),
    credits: charges.map(({ credits }) => credits),
    besides,
  };
  return JSON.parse(JSON.stringify(columns));
}

const a: ChargedCall = {
  at: '2026-03-01T12:00:00Z',
  keyId: 7,
  operation: 'get_odds',
  requestId: 'a',
  status: 200,
  milliseconds: 3,
  credits: 2,
};
const b: ChargedCall = {
  at: '2026-03-01T12:00:00.250Z',
  keyId: 8,
  operation: null,
  requestId: 'b',
  status: 200,
  milliseconds: 4,
  credits: 0.5,
  budget: 'score_poll',
  chargedAt: '2026-03-01T12:00:01Z',
  bought: 0.5,
  capped: true,
};
const c: ChargedCall = { ...a, at: '2026-03-01T11:59:59.999Z', keyId: 9, operation: 'get_event', requestId: 'c' };
const d: ChargedCall = { ...a, at: '2026-03-01T12:00:05Z', requestId: 'd', credits: 1 };

describe('calls that earlier versions recorded', () => {
  /** `a` and `b`, as version 2 had them on disk. */
  const columns =
    '{"at":"2026-03-01T12:00:00Z","after":[0,250],"keyIds":[7,8],"operations":["get_odds",null],"requestIds":["a","b"],' +
    '"statuses":[200,200],"milliseconds":[3,4],"credits":[2,0.5],"besides":{"1":{"budget":"score_poll",' +
    '"chargedAt":"2026-03-01T12:00:01Z","bought":0.5,"capped":true}}}';
  const list = JSON.stringify([a, b]);
  const read = (type: string, version: number, data: string) =>
    upcast({ type, version, data: JSON.parse(data) as unknown, meta: { partition: 'account-1' } } as LogRecord);

  it.each([
    ['CreditsCharged', 1, 'charges', list],
    ['CreditsCharged', 2, 'charges', columns],
    ['CreditsCharged', 3, 'charges', list],
    ['CallsAnswered', 1, 'calls', list],
    ['CallsAnswered', 2, 'calls', columns],
    ['CallsAnswered', 3, 'calls', list],
  ])('%s of version %d are a list of calls', (type, version, member, calls) => {
    const { version: now, data } = read(type, version, `{"accountId":1,"${member}":${calls},"unlimited":true}`);
    expect(now).toBe(3);
    const { credits: _a, ...callA } = a;
    const { credits: _b, ...callB } = b;
    const isPaid = member === 'charges' || version !== 2;
    expect(data).toEqual({ accountId: 1, [member]: isPaid ? [a, b] : [callA, callB], unlimited: true });
  });

  it('are read unchanged, whatever the columns contain', () => {
    fc.assert(
      fc.property(fc.array(anyCharge), (charges) => {
        expect(chargesFromColumns(columnsOf(charges))).toEqual(charges);
      }),
    );
  });
});

describe('a journal of an earlier version', () => {
  /** Entry 1 charges `a`, `b` and `c` to accounts 1, 2 and 3, of which the last has no limit; entry 2 `d` to account 1. */
  const entries = [
    '03a46f910000017b{"id":"run-1","number":1,"charges":{"at":"2026-03-01T12:00:00Z","after":[0,250,-1],"keyIds":[7,8,9],"operations":["get_odds",null,"get_event"],"requestIds":["a","b","c"],"statuses":[200,200,200],"milliseconds":[3,4,5],"credits":[2,0.5,1],"accountIds":[1,2,3],"unlimited":[2],"besides":{"1":{"budget":"score_poll","chargedAt":"2026-03-01T12:00:01Z","bought":0.5,"capped":true}}}}\n',
    '037454ba000000da{"id":"run-1","number":2,"charges":{"at":"2026-03-01T12:00:05Z","after":[0],"keyIds":[7],"operations":["get_odds"],"requestIds":["d"],"statuses":[200],"milliseconds":[3],"credits":[1],"accountIds":[1],"unlimited":[]}}\n',
  ];
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerline-journal-'));
    leave();
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const leave = () => writeFileSync(journalFiles(folder)[0], `${entries.join('')}\0\0\0\0`);

  const newLog = () => createMemoryLog({ upcast });
  const ledgers = async (log: ReturnType<typeof newLog>) =>
    Promise.all(
      [1, 2, 3].map(async (id) => chargesIn(await log.readStream(`account-${id}`)).map(({ requestId }) => requestId)),
    );
  /** As that version wrote `a` to the log, when the first entry was there. */
  const marked = (number: number) => ({
    type: 'CreditsCharged',
    version: 2,
    data: { accountId: 1, charges: columnsOf([a]) },
    meta: { partition: 'account-1', journal: { id: 'run-1', number } },
  });

  it('is written to the log, with each charge unchanged, and deleted', async () => {
    const log = newLog();
    expect(await recoverCharges(log, createMemoryStore(), journalFiles(folder))).toBe(4);
    expect(chargesIn(await log.readStream('account-1'))).toEqual([a, d]);
    expect(chargesIn(await log.readStream('account-2'))).toEqual([b]);
    expect(await log.readStream('account-3')).toMatchObject([
      { data: { charges: [{ ...c, milliseconds: 5, credits: 1 }], unlimited: true } },
    ]);
    expect(journalFiles(folder).some(existsSync)).toBe(false);
  });

  it.each([
    [1, 3],
    [2, 2],
  ])('is brought in behind what a ledger has of it: entry %d', async (number, missing) => {
    const log = newLog();
    await log.append('account-1', [marked(number)], 'any');
    expect(await recoverCharges(log, createMemoryStore(), journalFiles(folder))).toBe(missing);
    expect(await ledgers(log)).toEqual([number === 1 ? ['a', 'd'] : ['a'], ['b'], ['c']]);
  });

  it('is distinguished from a journal of another run', async () => {
    const log = newLog();
    await log.append(
      'account-1',
      [{ ...marked(9), meta: { partition: 'account-1', journal: { id: 'run-0', number: 9 } } as never }],
      'any',
    );
    expect(await recoverCharges(log, createMemoryStore(), journalFiles(folder))).toBe(4);
  });

  it('is recovered once if the recovery was interrupted before the journal was deleted', async () => {
    const log = newLog();
    await recoverCharges(log, createMemoryStore(), journalFiles(folder));
    leave();
    expect(await recoverCharges(log, createMemoryStore(), journalFiles(folder))).toBe(0);
    expect(await ledgers(log)).toEqual([['a', 'd'], ['b'], ['c']]);
  });

  it('is recovered with a balance of that version, which tells which entries it includes', async () => {
    const log = newLog();
    await log.append('account-1', [marked(1)], 'any');
    const store = createMemoryStore();
    const earlier = { ...balances, version: 2 };
    await store.prepare(earlier, 'v2');
    const document = { journal: { id: 'run-1', number: 1 }, revision: 0 };
    const commit = { projection: 'balances', generation: 'v2', expected: null, position: 1n };
    await store.commit([{ ...commit, writes: [{ key: '1', document, position: 1n }] } as never]);
    await store.activate('balances', 'v2');
    expect(await recoverCharges(log, store, journalFiles(folder))).toBe(3);
  });

  it('has the same checksums as before', () => {
    for (const entry of entries) expect(crc32(entry.slice(16)).toString(16).padStart(8, '0')).toBe(entry.slice(0, 8));
  });
});
