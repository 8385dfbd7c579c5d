import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenBelow32768 } from '../../api/http/listening.ts';
import { type Answer, failed, missing, type Seen, unknownParameter } from './stripe-answers.ts';
import { cardsDouble } from './stripe-cards-double.ts';

/**
 * A DOUBLE of Stripe's HTTP API, on loopback: no part of Stripe, and no money. It speaks the protocol of the few
 * routes that are used, as Stripe documents it: form bodies, bearer keys, error objects, customers and their cards
 * (`stripe-cards-double.ts`), PaymentIntents that are confirmed off-session, and idempotency keys, whose first status and body are given again to whoever sends
 * the same parameters, errors of the execution included, and refused to other parameters.
 */
export async function serveStripeDouble({ secretKey = 'sk_test_double', now = Date.now } = {}) {
  const cards = cardsDouble();
  const intents: Intent[] = [];
  const remembered = new Map<string, { readonly body: string; readonly answer: Answer }>();
  const requests: Seen[] = [];
  /** What happens to the next requests that make a payment, one after the other. */
  const faults: Fault[] = [];

  function answerTo(seen: Seen): Answer {
    const { method, path, query, body } = seen;
    if (path === PATH && method === 'GET') return list(query);
    if (path === PATH && method === 'POST') return create(body);
    return (
      cards.answerTo(seen) ??
      failed(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` })
    );
  }

  /** The newest first, in pages. */
  function list(query: URLSearchParams): Answer {
    const since = Number(query.get('created[gte]') ?? 0);
    const of = intents.filter((one) => one.customer === query.get('customer') && one.created >= since).reverse();
    const after = query.get('starting_after');
    const from = after === null ? 0 : of.findIndex(({ id }) => id === after) + 1;
    const limit = Number(query.get('limit') ?? 10);
    const data = of.slice(from, from + limit);
    return { status: 200, value: { object: 'list', url: PATH, has_more: from + limit < of.length, data } };
  }

  function create(form: URLSearchParams): Answer {
    const unexpected = unknownParameter(form, PAYMENT_PARAMETERS);
    if (unexpected) return unexpected;
    const text = (name: string) => form.get(name) ?? undefined;
    const [name = '', methodId = ''] = [text('customer'), text('payment_method')];
    if (!cards.hasCustomer(name)) return missing('customer', 'customer', name);
    if (cards.ownerOf(methodId) !== name) {
      const message = `The customer does not have a payment method with the ID ${methodId}. The payment method must be attached to the customer.`;
      return failed(400, { type: 'invalid_request_error', param: 'payment_method', message });
    }
    const amount = Number(text('amount'));
    if (!(amount >= 50)) {
      const message = 'Amount must be no less than $0.50 usd';
      return failed(400, { type: 'invalid_request_error', code: 'amount_too_small', param: 'amount', message });
    }
    const metadata: Record<string, string> = {};
    for (const [field, value] of form) {
      const key = /^metadata\[(\w+)\]$/.exec(field)?.[1];
      if (key) metadata[key] = value;
    }
    const intent: Intent = {
      id: `pi_${intents.length + 1}`,
      object: 'payment_intent',
      amount,
      currency: text('currency')!,
      customer: name,
      payment_method: methodId,
      description: text('description') ?? null,
      confirmed_off_session: text('confirm') === 'true' && text('off_session') === 'true',
      metadata,
      created: Math.floor(now() / 1000),
      status: 'succeeded',
      last_payment_error: null,
    };
    intents.push(intent);
    const decline = DECLINES[methodId];
    if (decline === undefined) {
      intent.status = methodId === 'pm_slow' ? 'processing' : 'succeeded';
      return { status: 200, value: intent };
    }
    intent.status = 'requires_payment_method';
    intent.last_payment_error = decline;
    return failed(402, { type: 'card_error', ...decline, payment_intent: structuredClone(intent) });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://stripe.double');
    const raw = Buffer.concat(chunks).toString('utf8');
    const key = request.headers['idempotency-key'] as string | undefined;
    const seen = {
      method: request.method!,
      path: url.pathname,
      query: url.searchParams,
      body: new URLSearchParams(raw),
      idempotencyKey: key,
    };
    requests.push(seen);
    const send = ({ status, value }: Answer, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${requests.length}`, ...headers })
        .end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return void send(
        failed(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****' }),
      );
    }
    const isPost = request.method === 'POST';
    const fault = isPost && url.pathname === PATH ? faults.shift() : undefined;
    if (fault === 'unreachable') return void request.socket.destroy();
    const before = isPost && key !== undefined ? remembered.get(key) : undefined;
    if (before && before.body !== raw) {
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
      return void send(failed(400, { type: 'idempotency_error', message }));
    }
    const answer = before?.answer ?? (fault === 'breaks' ? BROKEN : structuredClone(answerTo(seen)));
    // What fails validation was not executed: it is not remembered.
    if (isPost && key !== undefined && answer.status !== 400) remembered.set(key, { body: raw, answer });
    if (fault === 'answer is lost') return void request.socket.destroy();
    send(answer, before ? { 'idempotent-replayed': 'true' } : {});
  }

  const server = createServer((request, response) => void handle(request, response));
  await listenBelow32768(server);
  const { port } = server.address() as AddressInfo;

  return {
    secretKey,
    api: { protocol: 'http' as const, host: '127.0.0.1', port },
    intents,
    requests,
    faults,
    cards,
    /** What came in. */
    taken: () => intents.filter(({ status }) => status === 'succeeded').reduce((sum, { amount }) => sum + amount, 0),
    addCustomer: cards.addCustomer,
    setDefault: cards.setDefault,
    /** Idempotency keys are pruned once they are 24 hours old. */
    forgetKeys: () => remembered.clear(),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
export type StripeDouble = Awaited<ReturnType<typeof serveStripeDouble>>;

/**
 * The header of a notice, as Stripe signs it: HMAC-SHA-256 of the time, a dot and the body, under the endpoint's secret.
 * @param time milliseconds
 */
export function stripeSignature(body: string, secret: string, time = Date.now()): string {
  const seconds = Math.floor(time / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/** A notice of an invoice, with the members that Stripe's have and some of the many others. */
export function invoiceEvent(type: string, invoice: Readonly<Record<string, unknown>>, id = 'evt_1'): string {
  const object = {
    object: 'invoice',
    amount_due: 5000,
    currency: 'usd',
    hosted_invoice_url: `https://invoice.example/${invoice['id']}`,
    ...invoice,
  };
  return JSON.stringify({ id, object: 'event', type, created: Math.floor(Date.now() / 1000), data: { object } });
}

/** `unreachable`: the request never arrives. `answer is lost`: it is executed. `breaks`: a fault at Stripe. */
export type Fault = 'unreachable' | 'answer is lost' | 'breaks' | 'none';

interface Intent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
  readonly payment_method: string;
  readonly description: string | null;
  /** Not one of Stripe's: whether it was confirmed at once, with nobody there. */
  readonly confirmed_off_session: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created: number;
  status: string;
  last_payment_error: object | null;
}

const PATH = '/v1/payment_intents';
/** Of version 2026-10-28.endive, those that matter here: it has no `payment_method_types` any more. */
const PAYMENT_PARAMETERS = [
  'amount',
  'currency',
  'customer',
  'payment_method',
  'allowed_payment_method_types',
  'confirm',
  'off_session',
  'description',
  'metadata',
];
const BROKEN: Answer = failed(500, { type: 'api_error', message: 'An unknown error occurred.' });

/** By payment method. */
const DECLINES: Readonly<Record<string, { code: string; decline_code?: string; message: string }>> = {
  pm_empty: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
  pm_expired: { code: 'expired_card', message: 'Your card has expired.' },
  pm_holder: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
};
