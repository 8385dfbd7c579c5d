import type { BillingRequest } from '../../../src/accounts/billing/model/billing-services.ts';
import type { AnsweredCall } from '../../../src/domain/accounts/account-event-data.ts';
import type { LedgerRecord } from '../../../src/domain/accounts/account-events.ts';
import { applyLedgerRecord, newLedger } from '../../../src/domain/accounts/credit-ledger.ts';
import { formatTime } from '../../../src/domain/primitives/time.ts';
import type { Shop } from './payments/shop.ts';

/** What the owner of the shop's account does. */
export const requestOf = ({ accountId }: Pick<Shop, 'accountId'>, idempotencyKey?: string): BillingRequest => ({
  accountId,
  userId: 7,
  requestId: 'request-1',
  ...(idempotencyKey !== undefined && { idempotencyKey }),
});

let calls = 0;
export const callAt = (time: number): AnsweredCall => ({
  at: formatTime(time),
  keyId: 1,
  operation: 'test',
  requestId: `call-${++calls}`,
  status: 200,
  milliseconds: 0,
});

export const readLedgerOf = async ({ log, accountId }: Pick<Shop, 'log' | 'accountId'>): Promise<LedgerRecord[]> =>
  (await log.readStream(`account-${accountId}`)) as LedgerRecord[];

/** The balance that the log tells of, folded from its start. */
export const foldLedgerOf = async (shop: Pick<Shop, 'log' | 'accountId'>) =>
  (await readLedgerOf(shop)).reduce(applyLedgerRecord, newLedger());

/** What was granted, by the names of the grants; in their order. */
export const grantsOf = async (
  shop: Pick<Shop, 'log' | 'accountId'>,
): Promise<readonly (readonly [string, number])[]> =>
  (await readLedgerOf(shop)).flatMap((record) =>
    record.type === 'CreditsGranted' || record.type === 'CreditsToppedUp'
      ? [[record.data.grant, record.data.credits] as const]
      : [],
  );
