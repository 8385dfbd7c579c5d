import { expect, it } from 'vitest';
import { createPaymentProcessor } from '../../../src/accounts/billing/payments/payment-processor.ts';
import { createLocalCredits } from '../../../src/accounts/credits/local-credits.ts';
import type { AccountTerms } from '../../../src/domain/accounts/credit-terms.ts';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { createRecordingLogger } from '../../accounts/billing/payments/recording-billing-logger.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const GROWTH: AccountTerms = {
  accountId: 1,
  plan: 'growth',
  createdAt: NOW,
  initialCredits: 0,
  monthlyCredits: 50_000,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
};

it('fault 2: credits do not expire behind a closed gate, whatever the clock says, also of a call that began then', async () => {
  const clock = { time: NOW };
  const gate = { isOpen: true, assertOpen() {} };
  const log = createMemoryLog({ now: () => NOW });
  const credits = createLocalCredits({
    log,
    store: createMemoryStore(),
    writerId: 'w',
    gate,
    now: () => clock.time,
    steadyNow: () => 0,
    later: (callback) => setImmediate(callback),
    onError(error) {
      throw error;
    },
  });
  expect((await credits.balance(GROWTH)).total_remaining).toBe(50_000);
  await credits.flush();
  gate.isOpen = false;
  clock.time = NOW + 1000 * DAY;
  expect(await credits.remaining(GROWTH, clock.time)).toBe(50_000);
  expect((await credits.balance(GROWTH)).total_remaining).toBe(50_000);
  gate.isOpen = true;
  clock.time = NOW;
  expect(await credits.remaining(GROWTH, NOW + 1000 * DAY)).toBe(50_000);
  await credits.flush();
  expect((await log.readStream('account-1')).map(({ type }) => type)).toEqual(['CreditsGranted']);
});

it('payments that were left open wait behind a closed gate: their credits could not be entered', async () => {
  const gate = { isOpen: false, assertOpen() {} };
  const timers: (() => void)[] = [];
  let looks = 0;
  const registry = {
    async openPayments() {
      looks++;
      return [];
    },
  };
  const payments = createPaymentProcessor({
    registry: registry as never,
    payments: {} as never,
    credits: {} as never,
    termsOf: undefined as never,
    personOf: undefined as never,
    mail: undefined as never,
    baseUrl: () => '',
    gate,
    now: () => NOW,
    later: (callback) => void timers.push(callback),
    log: createRecordingLogger().log,
  });
  await payments.resume();
  expect([looks, timers.length]).toEqual([0, 1]);
  gate.isOpen = true;
  timers[0]!();
  await payments.resume();
  expect(looks).toBe(2);
});
