import Stripe from 'stripe';
import type { CardOutcome, Cards } from './payments.ts';

/**
 * The cards of Stripe's customers. Stripe gets only the account's number; names and addresses stay here.
 * @param publishableKey null: the page has no card form
 */
export function createStripeCards(client: Stripe, publishableKey: string | null): Cards {
  return {
    async customerOf(accountId, known) {
      if (known !== null && (await findCustomer(client, known)) !== null) return known;
      const { id } = await client.customers.create({
        description: `Ledgerline account ${accountId}`,
        metadata: { ledgerline_account: String(accountId) },
      });
      return id;
    },

    async setupIntent(customer) {
      const intent = await client.setupIntents.create({
        customer,
        allowed_payment_method_types: ['card'],
        usage: 'off_session',
      });
      if (intent.client_secret === null) throw new Error(`the setup ${intent.id} has no client secret`);
      return { client_secret: intent.client_secret, publishable_key: publishableKey };
    },

    async putOnFile(customer, paymentMethod) {
      // Other text could lead to another path of Stripe's API.
      if (!/^pm_\w+$/.test(paymentMethod)) return unknown('it is no payment method of Stripe');
      try {
        const { id, type, card, customer: owner } = await client.paymentMethods.retrieve(paymentMethod);
        if (type !== 'card' || card === undefined) return unknown(`it is no card but ${type}`);
        // The card form's setup may have attached it already.
        const isAttached = idOf(owner) === customer;
        if (!isAttached) await client.paymentMethods.attach(id, { customer });
        await client.customers.update(customer, { invoice_settings: { default_payment_method: id } });
        const label = `${brandOf(card.display_brand ?? card.brand)} ending in ${card.last4}`;
        return { outcome: 'on_file', onFile: { customer, paymentMethod: id }, label };
      } catch (error) {
        return outcomeOfError(error);
      }
    },

    async takeOffFile({ customer, paymentMethod }) {
      const method = paymentMethod ?? (await findDefaultMethod(client, customer));
      if (method === null) return;
      try {
        await client.paymentMethods.detach(method);
      } catch (error) {
        // Stripe does not have this payment method, or it is not attached.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      }
    },

    async portal(customer, returnTo) {
      if ((await findCustomer(client, customer)) === null) return null;
      return (await client.billingPortal.sessions.create({ customer, return_url: returnTo })).url;
    },
  };
}

/** Null: no default, or no such customer. */
export async function findDefaultMethod(client: Stripe, id: string): Promise<string | null> {
  return idOf((await findCustomer(client, id))?.invoice_settings.default_payment_method ?? null);
}

export const idOf = (named: string | { readonly id: string } | null): string | null =>
  typeof named === 'object' ? (named?.id ?? null) : named;

async function findCustomer(client: Stripe, id: string): Promise<Stripe.Customer | null> {
  try {
    const customer = await client.customers.retrieve(id);
    return customer.deleted ? null : customer;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing') return null;
    throw error;
  }
}

const unknown = (reason: string): CardOutcome => ({ outcome: 'unknown_payment_method', reason });

/** For these errors the card is certainly not on file. After any other error it may be. */
function outcomeOfError(error: unknown): CardOutcome {
  const { errors } = Stripe;
  if (error instanceof errors.StripeCardError) {
    return { outcome: 'declined', reason: error.decline_code || error.code || 'card_error' };
  }
  if (error instanceof errors.StripeInvalidRequestError) {
    return error.param === 'customer' ? { outcome: 'refused', reason: error.message } : unknown(error.message);
  }
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError) {
    return { outcome: 'refused', reason: error.message };
  }
  throw error;
}

/** Stripe's names (`display_brand`, else `brand`), and the names for people. */
const BRANDS: Readonly<Record<string, string>> = {
  american_express: 'American Express',
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  diners_club: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  eftpos_australia: 'eftpos',
  interac: 'Interac',
  jcb: 'JCB',
  link: 'Link',
  mastercard: 'Mastercard',
  union_pay: 'UnionPay',
  unionpay: 'UnionPay',
  visa: 'Visa',
};
const brandOf = (name: string): string => BRANDS[name] ?? 'Card';
