import { parseMoney } from '../../../accounts/billing/format-money.ts';
import type { BillingRequest, CustomerBilling } from '../../../accounts/billing/model/billing-services.ts';
import type { SecurityLog } from '../../../accounts/users/security-log.ts';
import type { CreditBalance } from '../../../api/calls/services/account-services.ts';
import { invalidField, RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { FREE_OF_CHARGE, type Pack, type Plan } from '../../../platform/settings/plans-and-packs.ts';
import { fieldText, parseWholeNumber, readBefore } from '../form-values.ts';
import { notFound } from '../page-errors.ts';
import { errorFlash, jsonResponse, pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import { billingPage } from './billing-page.ts';
import { CARD_ASSETS, type CardEntry, STRIPE_HOSTS, STRIPE_SCRIPT } from './card-entry.ts';

interface BillingRoutesParts {
  readonly billing: CustomerBilling;
  readonly balanceOf: (accountId: number) => Promise<CreditBalance | undefined>;
  /** How users enter a card. */
  readonly cardEntry: CardEntry;
  readonly security: Pick<SecurityLog, 'note'>;
  /** In force now, by slug. */
  readonly plans: () => Readonly<Record<string, Plan>>;
  readonly packs: readonly Pack[];
  /** Milliseconds. */
  readonly now: () => number;
  readonly baseUrl: () => string;
  readonly randomBytes: (size: number) => Uint8Array;
}

const PATH = '/billing';
const INVOICES_PER_PAGE = 50;
const NO_PORTAL: Readonly<Record<CardEntry, string>> = {
  development: 'There is no billing portal: this server takes no real money.',
  none: 'There is no billing portal for this account.',
  stripe: 'There is no billing portal for this account yet: put a card on file first.',
};

/** The pages on which the owner of an account manages payments and loads receipts. */
export function billingRoutes(parts: BillingRoutesParts): readonly PageRoute[] {
  const { billing, balanceOf, cardEntry, security, plans, packs, now, baseUrl, randomBytes } = parts;

  async function draw(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    const { accountId } = visit.session.user;
    const part = { before: readBefore(visit.query), limit: INVOICES_PER_PAGE + 1 };
    const [overview, found, balance] = await Promise.all([
      billing.overview(accountId),
      billing.invoices(accountId, part),
      balanceOf(accountId),
    ]);
    const [invoices, hasMoreInvoices] = [found.slice(0, INVOICES_PER_PAGE), found.length > INVOICES_PER_PAGE];
    const newKey = () => Buffer.from(randomBytes(18)).toString('base64url');
    const ofPlan = { plan: plans()[overview.plan.slug], now: now() };
    const ofCharges = { invoices, hasMoreInvoices, cardEntry, newKey };
    const content = billingPage({ visit, overview, balance, ...ofPlan, ...ofCharges, refusal });
    if (cardEntry !== 'stripe') return pageResponse('Billing', content);
    return pageResponse('Billing', content, { hosts: STRIPE_HOSTS, scripts: [STRIPE_SCRIPT, CARD_ASSETS.script.path] });
  }

  const posting = (path: string, run: (visit: SignedInRequest) => Promise<PageResponse>): PageRoute => ({
    method: 'POST',
    path,
    access: 'signed-in',
    run,
    refused: draw,
  });

  const noteCardChange = ({ session, client }: SignedInRequest) =>
    security.note({ type: 'payment_method_changed', userId: session.user.id, client });

  return [
    { method: 'GET', path: PATH, access: 'signed-in', run: (visit) => draw(visit) },

    posting(`${PATH}/subscribe`, async (visit) => {
      await billing.subscribe(paymentActOf(visit), fieldText(visit.form, 'plan'));
      return redirect(PATH, successFlash('Your choice of plan is in force, as it stands below.'));
    }),

    posting(`${PATH}/cancel`, async (visit) => {
      await billing.cancel(billingActOf(visit));
      return redirect(PATH, successFlash('The plan is cancelled. Below stands until when you have it.'));
    }),

    posting(`${PATH}/topup`, async (visit) => {
      await billing.topUp(paymentActOf(visit), readPackId(visit.form));
      return redirect(PATH, successFlash('The pack is paid, its credits are there.'));
    }),

    posting(`${PATH}/payment-method`, async (visit) => {
      await billing.setPaymentMethod(billingActOf(visit), fieldText(visit.form, 'payment_method'));
      await noteCardChange(visit);
      return redirect(PATH, successFlash('The card is on file.'));
    }),

    posting(`${PATH}/payment-method/remove`, async (visit) => {
      await billing.removePaymentMethod(billingActOf(visit));
      await noteCardChange(visit);
      return redirect(PATH, successFlash('No card is on file any more, and auto-recharge is off.'));
    }),

    {
      method: 'POST',
      path: `${PATH}/setup-intent`,
      access: 'signed-in',
      run: async (visit) => jsonResponse(await billing.setupIntent(billingActOf(visit))),
      // A script requests this, so it gets JSON and no page.
      refused: async (_, { status, message }) => jsonResponse({ error: { message } }, status),
    },

    posting(`${PATH}/auto-recharge`, async (visit) => {
      const given = readAutoRecharge(visit.form, packs);
      await billing.setAutoRecharge(billingActOf(visit), given);
      return redirect(PATH, successFlash(given.enabled ? 'Auto-recharge is on.' : 'Auto-recharge is off.'));
    }),

    posting(`${PATH}/coupon`, async (visit) =>
      redirect(PATH, successFlash(await billing.redeemCoupon(billingActOf(visit), fieldText(visit.form, 'code')))),
    ),

    {
      method: 'GET',
      path: `${PATH}/invoices/{invoice_id}/receipt`,
      access: 'signed-in',
      async run({ params, session }) {
        const id = parseWholeNumber(params['invoice_id'] ?? '');
        const receipt = id === undefined ? undefined : await billing.receipt(session.user.accountId, id);
        if (!receipt) throw notFound();
        return { kind: 'file', type: 'application/pdf', name: `${receipt.number}.pdf`, body: receipt.pdf };
      },
    },

    {
      method: 'GET',
      path: `${PATH}/portal`,
      access: 'signed-in',
      async run(visit) {
        // The call opens a session at the provider, which a HEAD request does not need.
        if (visit.isHead) return redirect(PATH);
        const url = await billing.portal(billingActOf(visit), `${baseUrl()}${PATH}`);
        return url === null ? redirect(PATH, errorFlash(NO_PORTAL[cardEntry])) : redirect(url);
      },
    },
  ];
}

const billingActOf = ({ session: { user }, requestId }: SignedInRequest): BillingRequest => ({
  accountId: user.accountId,
  userId: user.id,
  requestId,
});

/**
 * For a form that takes money.
 * @throws RefusedError if the idempotency key is malformed
 */
function paymentActOf(visit: SignedInRequest): BillingRequest {
  const idempotencyKey = fieldText(visit.form, 'idempotency_key') || undefined;
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,200}$/.test(idempotencyKey)) {
    throw invalidField('idempotency_key', 'This form was changed on its way. Load the page again.');
  }
  return { ...billingActOf(visit), idempotencyKey };
}

/** @throws RefusedError */
function readPackId(form: URLSearchParams): number {
  const id = parseWholeNumber(fieldText(form, 'pack_id'));
  if (id === undefined) throw invalidField('pack_id', 'Choose a pack.');
  return id;
}

type AutoRecharge =
  | { readonly enabled: false }
  | { readonly enabled: true; readonly threshold: number; readonly packId: number; readonly monthlyCapCents: number };

/**
 * Refuses values that are no numbers; the billing service checks the bounds.
 * @throws RefusedError
 */
function readAutoRecharge(form: URLSearchParams, packs: readonly Pack[]): AutoRecharge {
  const enabled = fieldText(form, 'enabled');
  if (enabled === '') return { enabled: false };
  if (enabled !== 'on') throw invalidField('enabled', 'Auto-recharge is `on`, or the field is absent.');
  const threshold = parseWholeNumber(fieldText(form, 'threshold'));
  const packId = parseWholeNumber(fieldText(form, 'pack_id'));
  const { currency } = packs.find(({ id }) => id === packId) ?? FREE_OF_CHARGE;
  const monthlyCapCents = parseMoney(fieldText(form, 'monthly_cap'), currency);
  if (threshold !== undefined && packId !== undefined && monthlyCapCents !== undefined) {
    return { enabled: true, threshold, packId, monthlyCapCents };
  }
  throw new RefusedError(422, 'Auto-recharge needs a threshold, a pack and a monthly cap.', {
    fields: {
      ...(threshold === undefined && { threshold: 'A whole number of credits.' }),
      ...(packId === undefined && { pack_id: 'Choose a pack.' }),
      ...(monthlyCapCents === undefined && { monthly_cap: 'An amount of money, such as 120 or 120.50.' }),
    },
  });
}
