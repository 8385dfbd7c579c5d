import type { OnFile } from '../../payments/payments.ts';
import type { MemoryAccount, MemoryAccounts } from '../keys/memory-keys.ts';
import {
  type BilledAccount,
  type BillingRegistry,
  CustomerTaken,
  isOpen,
  type KnownInvoice,
  type PackPayment,
  type PaymentHold,
} from './billing-registry.ts';

/**
 * What is known of accounts as customers, in memory: for tests and one process.
 * @param accounts those of the keys
 */
export function createMemoryBilling(accounts: MemoryAccounts): BillingRegistry {
  const customers = new Map<string, OnFile & { readonly accountId: number; readonly provider: string }>();
  const payments = new Map<string, { payment: PackPayment; hold: PaymentHold }>();
  const invoices = new Map<string, KnownInvoice>();
  const nameOf = (...parts: readonly (string | number)[]): string => JSON.stringify(parts);

  return {
    async account(id) {
      return billed(accounts.get(id));
    },
    async accountByEmail(email) {
      return billed([...accounts.values()].find((account) => account.email === email.trim().toLowerCase()));
    },
    async onFile(accountId, provider) {
      const found = customers.get(nameOf(accountId, provider));
      return found && { customer: found.customer, paymentMethod: found.paymentMethod };
    },
    async putOnFile(accountId, provider, { customer, paymentMethod }) {
      const isTaken = [...customers.values()].some(
        (one) => one.provider === provider && one.customer === customer && one.accountId !== accountId,
      );
      if (isTaken) throw new CustomerTaken(`the customer ${customer} is on file of another account`);
      customers.set(nameOf(accountId, provider), { accountId, provider, customer, paymentMethod });
    },
    async accountOfCustomer(provider, customer) {
      const all = [...customers.values()];
      return all.find((one) => one.provider === provider && one.customer === customer)?.accountId;
    },

    async addPayment(given, hold) {
      if (payments.has(given.key)) throw new Error('there is a payment of this key already');
      const begun = { state: 'pending', payment: null, reason: null, updatedAt: given.createdAt } as const;
      const payment = { ...given, ...begun };
      payments.set(given.key, { payment, hold });
      return payment;
    },
    async payment(key) {
      return payments.get(key)?.payment;
    },
    async lastPayment(accountId, clientKey) {
      return [...payments.values()]
        .map(({ payment }) => payment)
        .filter((one) => one.accountId === accountId && one.clientKey === clientKey)
        .sort((a, b) => b.attempt - a.attempt)[0];
    },
    async settlePayment(key, { state, payment, reason, updatedAt }) {
      const found = payments.get(key);
      if (!found) return;
      const told = { ...(payment !== undefined && { payment }), ...(reason !== undefined && { reason }) };
      found.payment = { ...found.payment, state, updatedAt, ...told };
    },
    async openPayments() {
      return [...payments.values()]
        .map(({ payment }) => payment)
        .filter(isOpen)
        .sort((a, b) => (a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt)));
    },
    async claimOpenPayment(key, hold, now) {
      const found = payments.get(key);
      if (!found || !isOpen(found.payment)) return undefined;
      if (found.hold.owner !== hold.owner && found.hold.until > now) return 'held';
      found.hold = hold;
      return found.payment;
    },

    async invoice(provider, id) {
      return invoices.get(nameOf(provider, id));
    },
    async putInvoice(invoice) {
      invoices.set(nameOf(invoice.provider, invoice.id), invoice);
    },
  };
}

const billed = (account: MemoryAccount | undefined): BilledAccount | undefined =>
  account && {
    ...{ id: account.id, plan: account.plan, createdAt: account.createdAt, order: account.order },
    ...(account.exceptions?.isFreeGrantUsed && { isFreeGrantUsed: true as const }),
  };
