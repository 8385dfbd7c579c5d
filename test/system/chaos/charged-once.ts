import { expect } from 'vitest';
import type { ChargedCall } from '../../../src/domain/accounts/account-event-data.ts';
import { accountStreams } from '../../../src/domain/accounts/account-events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { chargesIn } from '../../accounts/recorded-calls.ts';
import { sumOf } from '../kill/charges-log.ts';
import { type Called, call } from './calling.ts';

export interface Books {
  /** Of all accounts. */
  readonly charges: number;
  readonly credits: number;
  /** Calls that nobody has answered and that were charged. */
  readonly unanswered: number;
}

/**
 * Each answer costs what it says, once; what was refused cost nothing; all tries of one Idempotency-Key cost once; what
 * is left is what was granted less all that.
 * @param granted by account
 */
export async function expectChargedOnce(
  log: Pick<EventLog, 'readStream'>,
  url: string,
  calls: readonly Called[],
  granted: ReadonlyMap<number, number>,
): Promise<Books> {
  const charges = new Map<string, ChargedCall>();
  let credits = 0;
  for (const [account, grant] of granted) {
    const ledger = await log.readStream(accountStreams.ledger(account));
    const refunds = ledger.flatMap(({ type, data }) =>
      type === 'CreditsRefunded' ? [data as unknown as { requestId: string; credits: number }] : [],
    );
    const refunded = new Set(refunds.map(({ requestId }) => requestId));
    const own = chargesIn(ledger).filter(({ requestId }) => !refunded.has(requestId));
    const twice = own.filter(({ requestId }) => charges.has(requestId) || !charges.set(requestId, undefined as never));
    expect(twice, 'charged twice').toEqual([]);
    for (const charge of own) charges.set(charge.requestId, charge);
    credits += sumOf(own);
    const { caller } = calls.find((one) => one.caller.account === account)!;
    const { body } = await call(url, caller, `balance-${account}-${Date.now()}`, { path: '/api/agent/credits' });
    const left = (JSON.parse(body) as { total_remaining: number }).total_remaining;
    expect(left, `balance of ${account}`).toBe(grant - sumOf(own));
  }
  const wrong = calls.filter(({ requestId, credits: told }) => {
    const charged = charges.get(requestId)?.credits ?? 0;
    return told !== undefined && told !== charged;
  });
  expect(
    wrong.map(({ requestId, status, credits: told }) => [requestId, status, told, charges.get(requestId)?.credits]),
    'answers that say another price than the ledger',
  ).toEqual([]);
  expectOnceEach(calls, charges);
  const unanswered = calls.filter(({ requestId, credits: told }) => told === undefined && charges.has(requestId));
  return { charges: charges.size, credits, unanswered: unanswered.length };
}

/** Of each Idempotency-Key: one receipt, one charge. */
function expectOnceEach(calls: readonly Called[], charges: ReadonlyMap<string, ChargedCall>): void {
  const byKey = new Map<string, Called[]>();
  for (const one of calls) {
    const { idempotencyKey } = one.asked;
    if (idempotencyKey === undefined) continue;
    byKey.set(idempotencyKey, [...(byKey.get(idempotencyKey) ?? []), one]);
  }
  for (const [key, tries] of byKey) {
    const charged = tries.filter(({ requestId }) => charges.has(requestId));
    expect(charged.length, `charges of ${key}: ${charged.map(({ requestId }) => requestId)}`).toBeLessThanOrEqual(1);
    const answers = new Set(tries.filter(({ status }) => status === 200).map(({ body }) => body));
    expect(answers.size, `answers of ${key}: ${[...answers].join('\n')}`).toBeLessThanOrEqual(1);
  }
}
