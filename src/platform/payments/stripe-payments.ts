import Stripe from 'stripe';
import { boundedFetch } from './bounded-fetch.ts';
import { type ChargeOutcome, InvalidNotice, type InvoiceNotice, type Payments } from './payments.ts';
import { createStripeCards, findDefaultMethod, idOf } from './stripe-cards.ts';

export interface StripeSettings {
  readonly secretKey: string;
  /** The signing secret of the webhook endpoint; undefined: notices of invoices are not accepted. */
  readonly webhookSecret: string | undefined;
  /** For the page's card form; undefined: there is no card form. */
  readonly publishableKey?: string | undefined;
  /** Stripe's address, for tests; default: the real one. */
  readonly api?: { readonly protocol: 'http' | 'https'; readonly host: string; readonly port: number };
}

const TIMEOUT_MS = 20_000;
/** The client repeats interrupted requests with the same idempotency key. */
const RETRIES = 2;
/** The metadata key that identifies a charge. */
const CHARGE_METADATA_KEY = 'ledgerline_charge';
/** The largest expected difference between Stripe's clock and ours, in seconds. */
const CLOCKS_APART = 600;

/** Payments by Stripe, with the payment method on file, while the customer is not present. */
export function createStripePayments({ secretKey, webhookSecret, publishableKey, api }: StripeSettings): Payments {
  const client = new Stripe(secretKey, {
    ...api,
    telemetry: false,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    httpClient: Stripe.createFetchHttpClient(boundedFetch),
  });
  const mode = secretKey.includes('_live_') ? 'live' : 'in test mode, no money moves';
  const noInvoices = webhookSecret === undefined ? '; invoices are not heard of (STRIPE_WEBHOOK_SECRET is unset)' : '';
  const noCardForm = publishableKey === undefined ? '; the page takes no cards (STRIPE_PUBLISHABLE_KEY is unset)' : '';

  return {
    provider: 'stripe',
    description: `payments: Stripe, ${mode}${noInvoices}${noCardForm}`,
    ...createStripeCards(client, publishableKey ?? null),

    methodOf: async ({ customer, paymentMethod }) => paymentMethod ?? (await findDefaultMethod(client, customer)),

    async charge(charge) {
      const { customer, paymentMethod, amountCents, currency, description, idempotencyKey, accountId } = charge;
      const intent: Stripe.PaymentIntentCreateParams = {
        amount: amountCents,
        currency,
        customer,
        payment_method: paymentMethod,
        allowed_payment_method_types: ['card'],
        confirm: true,
        off_session: true,
        description,
        metadata: { [CHARGE_METADATA_KEY]: idempotencyKey, ledgerline_account: String(accountId) },
      };
      try {
        return outcomeOf(await client.paymentIntents.create(intent, { idempotencyKey }));
      } catch (error) {
        return outcomeOfError(error);
      }
    },

    async find({ customer, idempotencyKey }, since) {
      const created = { gte: Math.floor(since / 1000) - CLOCKS_APART };
      for await (const intent of client.paymentIntents.list({ customer, created, limit: 100 })) {
        if (intent.metadata[CHARGE_METADATA_KEY] === idempotencyKey) return outcomeOf(intent);
      }
      return null;
    },

    ...(webhookSecret === undefined
      ? {}
      : {
          notices: {
            read: (body, signature) =>
              toInvoiceNotice(verifySignature(client, Buffer.from(body), signature, webhookSecret)),
          },
        }),
  };
}

/** @throws Error while the payment is not final at Stripe */
function outcomeOf({ id, status, last_payment_error: error }: Stripe.PaymentIntent): ChargeOutcome {
  switch (status) {
    case 'succeeded':
      return { outcome: 'paid', payment: id };
    case 'processing':
    case 'requires_capture':
      throw new Error(`the payment ${id} is ${status}`);
    default:
      return { outcome: 'declined', reason: error?.decline_code ?? error?.code ?? status };
  }
}

/**
 * For these errors certainly no money was taken. After any other error (a broken connection, an error at Stripe, a
 * retry that met a rate limit) it may have been.
 */
function outcomeOfError(error: unknown): ChargeOutcome {
  const { errors } = Stripe;
  if (error instanceof errors.StripeCardError) {
    // Including `authentication_required`: the bank wants the cardholder, who is not present.
    return { outcome: 'declined', reason: error.decline_code || error.code || 'card_error' };
  }
  // The key was used for another charge, which may have been made.
  if (error instanceof errors.StripeIdempotencyError) throw error;
  if (error instanceof errors.StripeInvalidRequestError) {
    const isOfFile = error.param === 'payment_method' || error.param === 'customer';
    return { outcome: isOfFile ? 'payment_method_required' : 'refused', reason: error.message };
  }
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError) {
    return { outcome: 'refused', reason: error.message };
  }
  throw error;
}

function verifySignature(client: Stripe, body: Buffer, signature: string | undefined, secret: string): Stripe.Event {
  try {
    return client.webhooks.constructEvent(body, signature ?? '', secret);
  } catch (error) {
    throw new InvalidNotice((error as Error).message.split('\n')[0]);
  }
}

function toInvoiceNotice(event: Stripe.Event): InvoiceNotice | null {
  if (event.type !== 'invoice.payment_failed' && event.type !== 'invoice.paid') return null;
  const { id, customer, hosted_invoice_url: url, amount_due: due } = event.data.object;
  const name = idOf(customer);
  // An invoice of 0 is paid by nobody, so it does not clear a declined one.
  if (id === undefined || name === null || due === 0) return null;
  return {
    kind: event.type === 'invoice.paid' ? 'paid' : 'declined',
    invoice: id,
    customer: name,
    hostedInvoiceUrl: url ?? null,
  };
}
