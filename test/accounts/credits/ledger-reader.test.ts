import { expect, it } from 'vitest';
import { readNewestLedgerLines } from '../../../src/accounts/credits/ledger-reader.ts';
import { createAccountEvent } from '../../../src/domain/accounts/account-events.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';

const AT = '2026-03-01T12:00:00Z';
const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}Z`;
const call = (second: number) => ({
  at: at(second),
  keyId: 1,
  operation: 'get_odds',
  requestId: `r${second}`,
  status: 200,
  milliseconds: 5,
  credits: 2,
});
const granted = createAccountEvent('CreditsGranted', {
  accountId: 7,
  at: AT,
  grant: 'initial.free',
  kind: 'initial',
  credits: 1000,
  expiresAt: null,
});
const charged = (...seconds: readonly number[]) =>
  createAccountEvent('CreditsCharged', { accountId: 7, charges: seconds.map(call) });

it('given charges in shared records, then each is a line, newest first, up to the limit', async () => {
  const log = createMemoryLog();
  await log.append('account-7', [granted, charged(1, 2), charged(3, 4, 5)], 'any');
  const lines = await readNewestLedgerLines({ log }, 7, 4);
  expect(lines.map(({ at: time, credits, about, requestId }) => [time, credits, about, requestId])).toEqual(
    [5, 4, 3, 2].map((second) => [at(second), -2, 'get_odds', `r${second}`]),
  );
  const all = await readNewestLedgerLines({ log }, 7, 50);
  expect(all).toHaveLength(6);
  expect(all.at(-1)).toMatchObject({ type: 'grant', credits: 1000, about: 'initial.free' });
});

it('given a record that was appended twice, then it is returned once, with as many others as requested', async () => {
  const log = createMemoryLog();
  const named = { ...charged(3), meta: { ...charged(3).meta, id: 'writer.1' } };
  await log.append('account-7', [granted, charged(1), charged(2), named, named], 'any');
  const lines = await readNewestLedgerLines({ log }, 7, 3);
  expect(lines.map(({ requestId }) => requestId)).toEqual(['r3', 'r2', 'r1']);
});

it('given no ledger, then there is none', async () => {
  expect(await readNewestLedgerLines({ log: createMemoryLog() }, 7, 50)).toEqual([]);
});
