import type { Charge, ChargeOutcome, Payments } from '../../../../src/platform/payments/payments.ts';

/** A provider that outlives the server: it knows each key it was ever given, and how much it has taken. */
export function createMemoryProvider() {
  const made = new Map<string, ChargeOutcome>();
  const asked: Charge[] = [];
  let taken = 0;

  const payments: Payments = {
    provider: 'stripe',
    description: 'payments: a bank in memory',
    methodOf: async ({ paymentMethod }) => paymentMethod,
    async charge(charge) {
      asked.push(charge);
      const before = made.get(charge.idempotencyKey);
      if (before) return before;
      const outcome: ChargeOutcome =
        charge.paymentMethod === 'pm_ok'
          ? { outcome: 'paid', payment: `payment-${made.size + 1}` }
          : { outcome: 'declined', reason: 'empty' };
      made.set(charge.idempotencyKey, outcome);
      if (outcome.outcome === 'paid') taken += charge.amountCents;
      return outcome;
    },
    find: async ({ idempotencyKey }) => made.get(idempotencyKey) ?? null,
    customerOf: async (accountId, known) => known ?? `cus_${accountId}`,
    setupIntent: async (customer) => ({ client_secret: `${customer}_secret`, publishable_key: 'pk_test_bank' }),
    putOnFile: async (customer, paymentMethod) =>
      paymentMethod.startsWith('pm_')
        ? { outcome: 'on_file', onFile: { customer, paymentMethod }, label: `Card ${paymentMethod}` }
        : { outcome: 'unknown_payment_method', reason: 'it is no payment method of the bank' },
    takeOffFile: async () => {},
    portal: async (customer) => `https://bank.example/${customer}`,
  };
  return {
    payments,
    asked,
    taken: () => taken,
    /** As providers do after a day. */
    forget: () => made.clear(),
  };
}
export type MemoryProvider = ReturnType<typeof createMemoryProvider>;
