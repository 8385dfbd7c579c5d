import { readLedgerRecords } from '../../../../src/accounts/credits/ledger-reader.ts';
import type { CreditsCharged } from '../../../../src/domain/accounts/account-event-data.ts';
import { applyLedgerRecord, newLedger } from '../../../../src/domain/accounts/credit-ledger.ts';
import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import type { World } from '../world.ts';
import { INITIAL_CREDITS, type Known } from './spender.ts';

/** No credit is spent twice: a balance is what came minus what went, at no time below zero, and what was answered is paid. */
export async function checkLedgers(world: World, log: EventLog, known: Known): Promise<void> {
  const charged = new Map<string, { accountId: number; credits: number }>();
  for (const accountId of [1, 2]) {
    const ledger = newLedger();
    let expected = 0;
    const grants = new Set<string>();
    for await (const record of readLedgerRecords(log, accountId)) {
      applyLedgerRecord(ledger, record);
      if (record.type === 'CreditsGranted') expected += INITIAL_CREDITS;
      if (record.type === 'CreditsToppedUp') {
        const { payment, credits } = record.data as { payment: string; credits: number };
        world.check(!grants.has(payment), () => `payment ${payment} was entered twice`);
        grants.add(payment);
        expected += credits;
      }
      if (record.type === 'CreditsCharged') {
        for (const { requestId, credits } of (record.data as CreditsCharged).charges) {
          world.check(!charged.has(requestId), () => `${requestId} was charged twice`);
          charged.set(requestId, { accountId, credits });
          expected -= credits;
        }
      }
      world.check(ledger.balance >= 0, () => `account ${accountId} is at ${ledger.balance}`);
      world.check(ledger.balance === expected, () => `account ${accountId} is at ${ledger.balance}, not ${expected}`);
    }
    for (const [payment, buyer] of known.bought) {
      world.check(buyer !== accountId || grants.has(payment), () => `payment ${payment} is lost`);
    }
  }
  for (const [requestId, { accountId, credits }] of known.charged) {
    const entered = charged.get(requestId);
    world.check(
      entered?.accountId === accountId && entered.credits === credits,
      () =>
        `${requestId} was answered for ${credits} of account ${accountId}, and is entered as ${JSON.stringify(entered)}`,
    );
  }
}
