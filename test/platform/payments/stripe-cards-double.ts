import { type Answer, failed, missing, type Seen, unknownParameter } from './stripe-answers.ts';

/**
 * Of the DOUBLE of Stripe's API: customers, SetupIntents, payment methods and sessions of the billing portal. The card
 * form runs in the browser and talks to Stripe itself: here `addCard` stands for what it makes.
 */
export function cardsDouble() {
  const customers = new Map<string, Customer>();
  const methods = new Map<string, Method>();
  let made = 0;
  let hasPortal = true;

  const routes: readonly [string, RegExp, (id: string, body: URLSearchParams) => Answer][] = [
    ['POST', /^\/v1\/customers$/, (_, body) => createCustomer(body)],
    ['GET', /^\/v1\/customers\/(\w+)$/, (id) => withCustomer(id, (customer) => shown(customer))],
    ['POST', /^\/v1\/customers\/(\w+)$/, (id, body) => withCustomer(id, (customer) => update(customer, body))],
    ['POST', /^\/v1\/setup_intents$/, (_, body) => createSetup(body)],
    ['GET', /^\/v1\/payment_methods\/(\w+)$/, (id) => withMethod(id, (method) => ({ status: 200, value: method }))],
    ['POST', /^\/v1\/payment_methods\/(\w+)\/attach$/, (id, body) => withMethod(id, (method) => attach(method, body))],
    ['POST', /^\/v1\/payment_methods\/(\w+)\/detach$/, (id) => withMethod(id, detach)],
    ['POST', /^\/v1\/billing_portal\/sessions$/, (_, body) => createPortal(body)],
  ];

  function withCustomer(id: string, run: (customer: Customer) => Answer): Answer {
    const customer = customers.get(id);
    return customer ? run(customer) : missing('customer', 'id', id);
  }
  function withMethod(id: string, run: (method: Method) => Answer): Answer {
    const method = methods.get(id);
    return method ? run(method) : missing('PaymentMethod', 'payment_method', id, true);
  }

  const shown = ({ id, isDeleted, defaultMethod, ...more }: Customer): Answer => ({
    status: 200,
    value: isDeleted
      ? { id, object: 'customer', deleted: true }
      : { id, object: 'customer', ...more, invoice_settings: { default_payment_method: defaultMethod } },
  });

  function createCustomer(body: URLSearchParams): Answer {
    const unexpected = unknownParameter(body, ['description', 'metadata', 'email', 'name']);
    if (unexpected) return unexpected;
    const customer: Customer = {
      id: `cus_made${++made}`,
      description: body.get('description'),
      metadata: { ledgerline_account: body.get('metadata[ledgerline_account]') ?? '' },
      isDeleted: false,
      defaultMethod: null,
    };
    customers.set(customer.id, customer);
    return shown(customer);
  }

  function update(customer: Customer, body: URLSearchParams): Answer {
    const unexpected = unknownParameter(body, ['invoice_settings']);
    if (unexpected) return unexpected;
    const id = body.get('invoice_settings[default_payment_method]') ?? '';
    if (methods.get(id)?.customer !== customer.id) {
      const message = `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`;
      return failed(400, { type: 'invalid_request_error', param: 'invoice_settings[default_payment_method]', message });
    }
    customer.defaultMethod = id;
    return shown(customer);
  }

  function createSetup(body: URLSearchParams): Answer {
    const unexpected = unknownParameter(body, ['customer', 'allowed_payment_method_types', 'usage']);
    if (unexpected) return unexpected;
    const customer = body.get('customer') ?? '';
    if (!customers.has(customer)) return missing('customer', 'customer', customer);
    const id = `seti_${++made}`;
    const value = {
      id,
      object: 'setup_intent',
      client_secret: `${id}_secret_double`,
      customer,
      allowed_payment_method_types: [body.get('allowed_payment_method_types[0]')],
      usage: body.get('usage'),
      status: 'requires_payment_method',
    };
    return { status: 200, value };
  }

  function attach(method: Method, body: URLSearchParams): Answer {
    const customer = body.get('customer') ?? '';
    if (!customers.has(customer)) return missing('customer', 'customer', customer);
    if (method.id === 'pm_refused') {
      const message = 'Your card was declined.';
      return failed(402, { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline', message });
    }
    if (method.customer !== null) {
      const message = 'The payment method you provided has already been attached to a customer.';
      return failed(400, { type: 'invalid_request_error', message });
    }
    method.customer = customer;
    return { status: 200, value: method };
  }

  function detach(method: Method): Answer {
    if (method.customer === null) {
      const message = 'The payment method you provided is not attached to a customer so detachment is impossible.';
      return failed(400, { type: 'invalid_request_error', message });
    }
    const customer = customers.get(method.customer)!;
    if (customer.defaultMethod === method.id) customer.defaultMethod = null;
    method.customer = null;
    return { status: 200, value: method };
  }

  function createPortal(body: URLSearchParams): Answer {
    const unexpected = unknownParameter(body, ['customer', 'return_url']);
    if (unexpected) return unexpected;
    const customer = body.get('customer') ?? '';
    if (!customers.has(customer)) return missing('customer', 'customer', customer);
    if (!hasPortal) {
      const message =
        'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode.';
      return failed(400, { type: 'invalid_request_error', message });
    }
    const id = `bps_${++made}`;
    const return_url = body.get('return_url');
    const url = `https://billing.stripe.example/p/session/${id}`;
    return { status: 200, value: { id, object: 'billing_portal.session', customer, return_url, url } };
  }

  function addCard(id: string, customer: string | null = null, more: Readonly<Record<string, unknown>> = {}): void {
    const card = { brand: 'visa', display_brand: 'visa', last4: '4242' };
    methods.set(id, { id, object: 'payment_method', type: 'card', card, ...more, customer });
  }

  return {
    /** Undefined: no such route. */
    answerTo({ method, path, body }: Seen): Answer | undefined {
      for (const [its, pattern, run] of routes) {
        const id = method === its ? pattern.exec(path) : null;
        if (id) return run(id[1] ?? '', body);
      }
      return undefined;
    },
    hasCustomer: (id: string) => customers.get(id)?.isDeleted === false,
    ownerOf: (method: string) => methods.get(method)?.customer ?? null,
    defaultOf: (customer: string) => customers.get(customer)?.defaultMethod ?? null,
    addCard,
    addCustomer(id: string, its: readonly string[], defaultMethod: string | null = its[0] ?? null) {
      customers.set(id, { id, description: null, metadata: {}, isDeleted: false, defaultMethod });
      for (const method of its) addCard(method, id);
    },
    setDefault(id: string, method: string) {
      addCard(method, id);
      customers.get(id)!.defaultMethod = method;
    },
    /** In Stripe's dashboard; it then still answers to its id, as one that is deleted. */
    deleteCustomer(id: string) {
      customers.get(id)!.isDeleted = true;
    },
    /** Nobody has saved the settings of the portal. */
    withoutPortal() {
      hasPortal = false;
    },
  };
}

interface Customer {
  readonly id: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  isDeleted: boolean;
  defaultMethod: string | null;
}

interface Method {
  readonly id: string;
  readonly object: 'payment_method';
  readonly type: string;
  readonly card?: { readonly brand: string; readonly display_brand: string | null; readonly last4: string };
  customer: string | null;
}
