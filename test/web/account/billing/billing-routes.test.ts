import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { invalidField, RefusedError } from '../../../../src/domain/primitives/domain-errors.ts';
import { linesOf } from '../../../accounts/billing/payments/pdf-text.ts';
import { invoice, OVERVIEW } from './fake-billing.ts';
import { type ServedBilling, serveBilling } from './serve-billing.ts';

let served: ServedBilling;
beforeEach(async () => {
  served = await serveBilling();
});
afterEach(() => served.close());

const ACT = { accountId: 1, userId: 11, requestId: 'request-1' };
const leadsBack = (answer: Response) =>
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/billing']);
/** Tags with this name, as they stand in the page. */
const fieldsOf = (page: string, name: string): string[] =>
  [...page.matchAll(new RegExp(`<(?:input|select)[^>]* name="${name}"[^>]*>`, 'g'))].map(([tag]) => tag);
const optionOf = (page: string, value: string) => new RegExp(`<option value="${value}"[^>]*>`).exec(page)?.[0];

describe('POST', () => {
  it.each([
    ['/billing/subscribe', { plan: 'growth', idempotency_key: 'k-1' }, 'subscribe', 'growth', 'k-1'],
    ['/billing/topup', { pack_id: '2', idempotency_key: 'k-2' }, 'topUp', 2, 'k-2'],
    ['/billing/topup', { pack_id: ' 2 ' }, 'topUp', 2, undefined],
  ])('%s with %j takes the money under the form`s key', async (path, fields, what, given, idempotencyKey) => {
    leadsBack(await served.post(path, fields as Record<string, string>));

    expect(served.state.asked).toEqual([[what, { ...ACT, idempotencyKey }, given]]);
  });

  it.each([
    ['/billing/cancel', {}, 'cancel', []],
    ['/billing/payment-method', { payment_method: 'ok' }, 'setPaymentMethod', ['ok']],
    ['/billing/payment-method/remove', {}, 'removePaymentMethod', []],
    ['/billing/coupon', { code: ' SPRING ' }, 'redeemCoupon', ['SPRING']],
    ['/billing/auto-recharge', {}, 'setAutoRecharge', [{ enabled: false }]],
    [
      '/billing/auto-recharge',
      { enabled: 'on', threshold: '500', pack_id: '1', monthly_cap: '120.5' },
      'setAutoRecharge',
      [{ enabled: true, threshold: 500, packId: 1, monthlyCapCents: 12_050 }],
    ],
  ])('%s with %j does it and leads back', async (path, fields, what, given) => {
    leadsBack(await served.post(path, fields as Record<string, string>));

    expect(served.state.asked).toEqual([[what, ACT, ...given]]);
  });

  it('/billing/coupon says once what it has brought', async () => {
    const answer = await served.post('/billing/coupon', { code: 'SPRING' });
    const flash = answer.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('flash='))!
      .split(';')[0]!;

    const next = await served.ask('/billing', { headers: { cookie: `session=ada; ${flash}` } });
    expect(await next.text()).toContain('<p class="flash done" role="status">It brought 500 credits.</p>');
  });

  it.each(['/billing/payment-method', '/billing/payment-method/remove'])('%s is noted', async (path) => {
    await served.post(path, { payment_method: 'ok' });

    expect(served.noted).toMatchObject([{ type: 'payment_method_changed', userId: 11 }]);
  });

  it('/billing/setup-intent gives what the card form needs', async () => {
    const answer = await served.post('/billing/setup-intent');

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ client_secret: 'development', publishable_key: null });
  });

  it('/billing/setup-intent says in JSON why not', async () => {
    served.state.refusal = new RefusedError(402, 'Not now.');
    const answer = await served.post('/billing/setup-intent');

    expect(answer.status).toBe(402);
    expect(await answer.json()).toEqual({ error: { message: 'Not now.' } });
  });

  it.each(['subscribe', 'cancel', 'topup', 'payment-method', 'setup-intent', 'auto-recharge', 'coupon'])(
    '/billing/%s without the form`s token is refused, and nothing is done',
    async (name) => {
      const body = new URLSearchParams({ plan: 'growth', pack_id: '1', payment_method: 'ok', code: 'SPRING' });
      const answer = await served.ask(`/billing/${name}`, { method: 'POST', body });

      expect(answer.status).toBe(403);
      expect(served.state.asked).toEqual([]);
    },
  );

  it.each(['/billing/topup', '/billing/payment-method/remove'])(
    '%s without a session leads to sign-in',
    async (path) => {
      const answer = await served.ask(path, { as: 'nobody', method: 'POST', body: new URLSearchParams() });

      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login']);
      expect(served.state.asked).toEqual([]);
    },
  );
});

describe('what is refused', () => {
  it.each([
    ['/billing/subscribe', { plan: 'enterprise' }, 'plan', 'There is no such plan.'],
    ['/billing/topup', { pack_id: '99' }, 'pack_id', 'There is no such pack.'],
    ['/billing/topup', { pack_id: 'two' }, 'pack_id', 'Choose a pack.'],
    ['/billing/topup', {}, 'pack_id', 'Choose a pack.'],
  ])('%s with %j is 422 on the page, at its field', async (path, fields, name, message) => {
    const answer = await served.post(path, fields as Record<string, string>);
    const page = await answer.text();

    expect(answer.status).toBe(422);
    expect(page).toContain('<h1>Billing</h1>');
    expect(page).toContain(`role="alert">${message}</p>`);
    const wrong = fieldsOf(page, name).filter((tag) => tag.includes('aria-invalid="true"'));
    expect(wrong).toHaveLength(1);
    const described = /aria-describedby="([^"]+)"/.exec(wrong[0]!)![1]!.split(' ')[0];
    expect(page).toContain(`id="${described}">${message}`);
    expect(served.state.asked).toEqual([]);
  });

  it('names every field of auto-recharge that is wrong, and keeps what was typed', async () => {
    const typed = { enabled: 'on', threshold: 'few', pack_id: '2', monthly_cap: '1,5' };
    const answer = await served.post('/billing/auto-recharge', typed);
    const page = await answer.text();

    expect(answer.status).toBe(422);
    const wrong = [...page.matchAll(/name="(\w+)"[^>]*aria-invalid="true"/g)].map(([, name]) => name);
    expect(wrong).toEqual(['threshold', 'monthly_cap']);
    expect(fieldsOf(page, 'threshold')[0]).toContain('value="few"');
    expect(fieldsOf(page, 'monthly_cap')[0]).toContain('value="1,5"');
    expect(fieldsOf(page, 'enabled')[0]).toContain(' checked');
    expect(page).toContain('<option value="2" selected>');
  });

  it('does not take another word than on for auto-recharge', async () => {
    expect((await served.post('/billing/auto-recharge', { enabled: 'yes' })).status).toBe(422);
    expect(served.state.asked).toEqual([]);
  });

  it.each(['with blanks in it', 'ä', 'x'.repeat(201)])('does not take %j for an idempotency key', async (key) => {
    expect((await served.post('/billing/topup', { pack_id: '1', idempotency_key: key })).status).toBe(422);
    expect(served.state.asked).toEqual([]);
  });

  it('shows a declined card as 402 on the page, whose forms hold new keys', async () => {
    served.state.refusal = new RefusedError(402, 'The card was declined.');
    const before = fieldsOf(await served.read(), 'idempotency_key');

    const answer = await served.post('/billing/topup', { pack_id: '3', idempotency_key: 'k-1' });
    const page = await answer.text();

    expect(answer.status).toBe(402);
    expect(page).toContain('role="alert">The card was declined.</p>');
    expect(page).toContain('<option value="3" selected>');
    const keys = [...before, ...fieldsOf(page, 'idempotency_key')];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('keeps the key of a purchase whose end is not known, so that asking again is no other purchase', async () => {
    served.state.refusal = new RefusedError(409, 'It is not known yet.');
    const answer = await served.post('/billing/topup', { pack_id: '3', idempotency_key: 'k-1' });

    expect(answer.status).toBe(409);
    const keys = fieldsOf(await answer.text(), 'idempotency_key');
    expect(keys.filter((tag) => tag.includes('value="k-1"'))).toHaveLength(1);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('keeps a coupon`s code, and says when to come again', async () => {
    served.state.refusal = new RefusedError(429, 'Too many codes.', { retryAfter: 60 });
    const throttled = await served.post('/billing/coupon', { code: '"><b>' });
    expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await throttled.text()).not.toContain('<b>');

    served.state.refusal = invalidField('code', 'This coupon cannot be redeemed.');
    const unknown = await served.post('/billing/coupon', { code: 'NOPE' });
    expect(unknown.status).toBe(422);
    expect(fieldsOf(await unknown.text(), 'code')[0]).toMatch(/value="NOPE".*aria-invalid="true"/);
  });

  it('shows the wrong field of the form that was posted, and of no other with such a field', async () => {
    const page = await (await served.post('/billing/topup', { pack_id: '99' })).text();

    expect(fieldsOf(page, 'pack_id').map((tag) => tag.includes('aria-invalid'))).toEqual([true, false]);
  });
});

describe('GET /billing', () => {
  it('says what growth costs, in a month and today, and what stands on file', async () => {
    const page = await served.read();

    expect(page).toContain('Your plan is <strong>Free Tier</strong>.');
    expect(page).toContain('$49.00 a month and brings 50,000 credits');
    expect(page).toContain('Begun today it costs $9.80 and brings 10,000 credits');
    expect(page).toContain('No card is on file.');
    expect(page).toContain('Medium: 25,000 credits, $40.00');
    expect(page).toContain('TEST: no money moves');
    expect(page).toContain('Nothing has been charged yet.');
    expect(page).not.toContain('Cancel Growth');
  });

  it.each([
    ['', 'free'],
    ['?plan=growth', 'growth'],
    ['?plan=payg', 'payg'],
    ['?plan=enterprise', 'free'],
    ['?plan=%22%3E%3Cb%3E', 'free'],
  ])('with the query %j has the plan %s chosen', async (query, plan) => {
    const page = await served.read(`/billing${query}`);

    const chosen = ['free', 'payg', 'growth'].filter((slug) => optionOf(page, slug)?.includes('selected'));
    expect(chosen).toEqual([plan]);
    expect(page).not.toContain('<b>');
  });

  it('has the balance first, then what the plan holds and what comes next, and the invoices last', async () => {
    const page = await served.read();
    const headings = [...page.matchAll(/<h2[^>]*>([^<]*)<\/h2>/g)].map(([, heading]) => heading);
    expect(headings.slice(0, 3)).toEqual(['Balance', 'What the plan holds', 'What comes next']);
    expect(headings.at(-1)).toBe('Invoices');
    expect(page).toContain('<strong class="stat">28,749.5 credits</strong> left.');
    expect(page).toContain('<dt>Of these in 24 hours</dt><dd>at most 250</dd>');
    expect(page).toContain('<dt>API keys</dt><dd>3</dd>');
    expect(page).toContain('Nothing is charged, and no credits come, without a choice of yours below.');
  });

  it('says what growth will charge and bring at the next month, less a coupon, and when it ends', async () => {
    served.state.overview = { ...OVERVIEW, plan: { slug: 'growth', name: 'Growth' }, waitingPercent: 20 };
    const going = await served.read();
    expect(going).toMatch(
      /1 December 2026 UTC<\/time>: \$49\.00 less 20% for the month, which brings 50,000 credits\./,
    );
    served.state.overview = { ...served.state.overview, ends: { at: '2026-12-01T00:00:00.000Z', plan: 'free' } };
    const ending = await served.read();
    expect(ending).toMatch(/1 December 2026 UTC<\/time>: the plan ends, and nothing is charged\./);
    expect(ending).not.toContain('for the month, which brings');
  });

  it('says when a pack is bought, and for how much in a month at most', async () => {
    const [pack] = OVERVIEW.packs;
    const autoRecharge = { enabled: true, threshold: 500, packId: pack!.id, monthlyCapCents: 12_000, notice: null };
    served.state.overview = { ...OVERVIEW, autoRecharge };
    expect(await served.read()).toContain(
      'When fewer than 500 credits are left: 5,000 credits for $10.00, at most $120.00 a month.',
    );
  });

  it('says so where the plan is none that the server knows', async () => {
    served.state.overview = { ...OVERVIEW, plan: { slug: 'former', name: 'Former' } };
    expect(await served.read()).toContain('What this plan holds is not known any more.');
  });

  it('chooses none of the plans for an account on another one', async () => {
    served.state.overview = { ...OVERVIEW, plan: { slug: 'enterprise', name: 'Enterprise' } };

    expect(await served.read()).toContain('<option value="" selected>Choose a plan</option>');
  });

  it('offers to cancel growth, and to keep it where it ends, with the day', async () => {
    const growth = { slug: 'growth', name: 'Growth' };
    served.state.overview = { ...OVERVIEW, plan: growth };
    expect(await served.read()).toContain('Cancel Growth');

    served.state.overview = { ...OVERVIEW, plan: growth, ends: { at: '2026-12-01T00:00:00.000Z', plan: 'free' } };
    const page = await served.read();
    expect(page).toContain('<time datetime="2026-12-01T00:00:00.000Z">1 December 2026 UTC</time>');
    expect(page).toContain('Keep Growth');
    expect(page).not.toContain('Cancel Growth');
  });

  it('shows the card, what is set, and what happened', async () => {
    served.state.overview = {
      ...OVERVIEW,
      card: { label: 'Test card ok' },
      waitingPercent: 20,
      paymentFailed: true,
      autoRecharge: {
        enabled: true,
        threshold: 500,
        packId: 2,
        monthlyCapCents: 9000,
        notice: 'Turned off: <declined>.',
      },
    };
    const page = await served.read();

    expect(page).toContain('On file: <strong>Test card ok</strong>.');
    expect(page).toContain('Remove the card');
    expect(page).toContain('A coupon takes 20% off the next charge.');
    expect(page).toContain('Two invoices in a row were declined');
    expect(page).toContain('Turned off: &lt;declined&gt;.');
    expect(fieldsOf(page, 'enabled')[0]).toContain(' checked');
    expect(fieldsOf(page, 'threshold')[0]).toContain('value="500"');
    expect(fieldsOf(page, 'monthly_cap')[0]).toContain('value="90.00"');
  });

  it('lists the invoices of the account alone, in the user`s time, with the receipts of paid ones', async () => {
    served.state.invoices = [
      invoice(),
      invoice({ id: 2, number: 'LL-2026-000002', status: 'declined', discountCents: 0 }),
      invoice({ id: 9, number: 'LL-2026-000009', accountId: 2 }),
    ];
    const page = await served.read();

    expect(page).toContain('<time datetime="2026-11-25T23:30:00.000Z">25 Nov 2026, 18:30 EST</time>');
    expect(page).toContain('-$10.00');
    expect([...page.matchAll(/LL-2026-\d{6}(?=<)/g)].map(([number]) => number)).toEqual([
      'LL-2026-000003',
      'LL-2026-000002',
    ]);
    expect([...page.matchAll(/href="(\/billing\/invoices[^"]*)"/g)].map(([, to]) => to)).toEqual([
      '/billing/invoices/3/receipt',
    ]);
  });

  it('holds a key of its own in each form that takes money, and another one each time', async () => {
    const keys = [
      ...fieldsOf(await served.read(), 'idempotency_key'),
      ...fieldsOf(await served.read(), 'idempotency_key'),
    ];

    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(4);
  });

  it('with the development adapter offers its cards, and loads nothing from elsewhere', async () => {
    const answer = await served.ask('/billing');
    const page = await answer.text();

    expect(optionOf(page, 'ok')).toBeDefined();
    expect(optionOf(page, 'declined')).toBeDefined();
    expect(page).not.toContain('stripe');
    expect(answer.headers.get('content-security-policy')).not.toContain('https:');
  });
});

describe('with Stripe', () => {
  let stripe: ServedBilling;
  beforeEach(async () => {
    stripe = await serveBilling('stripe');
  });
  afterEach(() => stripe.close());

  it('the page loads Stripe`s form and ours, and may talk to Stripe alone', async () => {
    const answer = await stripe.ask('/billing');
    const page = await answer.text();

    const scripts = [...page.matchAll(/<script src="([^"]+)"/g)].map(([, src]) => src!);
    expect(scripts).toEqual([
      expect.stringMatching(/^\/site\/assets\/theme-/),
      expect.stringMatching(/^\/site\/assets\/layout-/),
      'https://js.stripe.com/endive/stripe.js',
      expect.stringMatching(/^\/site\/assets\/card-/),
    ]);
    expect((await stripe.ask(scripts[1]!)).headers.get('content-type')).toContain('text/javascript');
    const policy = answer.headers.get('content-security-policy')!;
    expect(new Set(policy.match(/https:[^\s;]*/g))).toEqual(
      new Set(['https://js.stripe.com', 'https://api.stripe.com']),
    );
    expect(policy).not.toContain('unsafe');
    expect(page).toContain('id="card-form"');
    expect(optionOf(page, 'declined')).toBeUndefined();
  });

  it('the page of what was refused may too', async () => {
    const answer = await stripe.post('/billing/topup', { pack_id: '99' });

    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-security-policy')).toContain('https://js.stripe.com');
  });

  it('GET /billing/portal leads to Stripe, and back from there', async () => {
    stripe.state.portal = 'https://billing.stripe.com/p/session/1';
    const answer = await stripe.ask('/billing/portal');

    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://billing.stripe.com/p/session/1']);
    expect(stripe.state.asked).toEqual([['portal', ACT, `${stripe.url}/billing`]]);
  });

  it('HEAD /billing/portal opens nothing there', async () => {
    await stripe.ask('/billing/portal', { method: 'HEAD' });

    expect(stripe.state.asked).toEqual([]);
  });
});

describe('without a way to put cards in', () => {
  it('the page says so', async () => {
    const none = await serveBilling('none');
    const answer = await none.ask('/billing');

    expect(await answer.text()).toContain('This server cannot take cards on this page');
    expect(answer.headers.get('content-security-policy')).not.toContain('https:');
    await none.close();
  });
});

describe('GET /billing/portal with the development adapter', () => {
  it('leads back with a word on why', async () => {
    const answer = await served.ask('/billing/portal');

    leadsBack(answer);
    const flash = answer.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('flash='))!
      .split(';')[0]!;
    const page = await (await served.ask('/billing', { headers: { cookie: `session=ada; ${flash}` } })).text();
    expect(page).toContain('role="status">There is no billing portal');
  });
});

describe('GET /billing/invoices/{id}/receipt', () => {
  beforeEach(() => {
    served.state.invoices = [
      invoice(),
      invoice({ id: 4, number: 'LL-2026-000004', status: 'open' }),
      invoice({ id: 9, number: 'LL-2026-000009', accountId: 2 }),
    ];
  });

  it('is a PDF to keep', async () => {
    const answer = await served.ask('/billing/invoices/3/receipt');

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="LL-2026-000003.pdf"');
    const lines = linesOf(new Uint8Array(await answer.arrayBuffer()));
    expect(lines).toEqual(expect.arrayContaining(['Receipt LL-2026-000003', 'TEST: no money moved', '$30.00']));
  });

  it.each(['4', '9', '77', 'x', '3.0', '-3', '99999999999999999999'])(
    'is 404 for %s: not paid, another`s or none',
    async (id) => {
      const answer = await served.ask(`/billing/invoices/${id}/receipt`);

      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('text/html');
    },
  );

  it('leads to sign-in and back without a session', async () => {
    const answer = await served.ask('/billing/invoices/3/receipt', { as: 'nobody' });

    expect(answer.headers.get('location')).toBe('/login?next=%2Fbilling%2Finvoices%2F3%2Freceipt');
  });
});
