import type { CustomerBilling } from '../../../accounts/billing/customer-billing.ts';
import type { SecurityLog } from '../../../accounts/users/security-log.ts';
import { done, failed, jsonAnswer, page, redirect } from '../answers.ts';
import { notFound } from '../not-found.ts';
import { textOf, wholeNumber } from '../values.ts';
import type { Refusal, SignedInVisit, SiteAnswer, SiteRoute } from '../visit.ts';
import { actOf, autoRechargeOf, moneyActOf, packIdOf } from './billing-forms.ts';
import { billingPage } from './billing-page.ts';
import { CARD_ASSETS, type CardEntry, STRIPE_HOSTS, STRIPE_SCRIPT } from './card-entry.ts';

export interface BillingRoutesParts {
  readonly billing: CustomerBilling;
  /** How somebody puts a card in. */
  readonly cardEntry: CardEntry;
  readonly security: Pick<SecurityLog, 'note'>;
  readonly baseUrl: () => string;
  readonly randomBytes: (size: number) => Uint8Array;
}

const HERE = '/billing';
const NO_PORTAL: Readonly<Record<CardEntry, string>> = {
  development: 'There is no billing portal: this server takes no real money.',
  none: 'There is no billing portal for this account.',
  stripe: 'There is no billing portal for this account yet: put a card on file first.',
};

/** What the owner of an account does with its money, and the receipts. */
export function billingRoutes(parts: BillingRoutesParts): readonly SiteRoute[] {
  const { billing, cardEntry, security, baseUrl, randomBytes } = parts;

  async function draw(visit: SignedInVisit, refusal?: Refusal): Promise<SiteAnswer> {
    const { accountId } = visit.session.user;
    const [overview, invoices] = await Promise.all([billing.overview(accountId), billing.invoices(accountId)]);
    const newKey = () => Buffer.from(randomBytes(18)).toString('base64url');
    const content = billingPage({ visit, overview, invoices, cardEntry, newKey, refusal });
    if (cardEntry !== 'stripe') return page('Billing', content);
    return page('Billing', content, { hosts: STRIPE_HOSTS, scripts: [STRIPE_SCRIPT, CARD_ASSETS.script.path] });
  }

  const posting = (path: string, run: (visit: SignedInVisit) => Promise<SiteAnswer>): SiteRoute => ({
    method: 'POST',
    path,
    access: 'signed-in',
    run,
    refused: draw,
  });

  const noteCardChange = ({ session, client }: SignedInVisit) =>
    security.note({ type: 'payment_method_changed', userId: session.user.id, client });

  return [
    { method: 'GET', path: HERE, access: 'signed-in', run: (visit) => draw(visit) },

    posting(`${HERE}/subscribe`, async (visit) => {
      await billing.subscribe(moneyActOf(visit), textOf(visit.form, 'plan'));
      return redirect(HERE, done('Your choice of plan is in force, as it stands below.'));
    }),

    posting(`${HERE}/cancel`, async (visit) => {
      await billing.cancel(actOf(visit));
      return redirect(HERE, done('The plan is cancelled. Below stands until when you have it.'));
    }),

    posting(`${HERE}/topup`, async (visit) => {
      await billing.topUp(moneyActOf(visit), packIdOf(visit.form));
      return redirect(HERE, done('The pack is paid, its credits are there.'));
    }),

    posting(`${HERE}/payment-method`, async (visit) => {
      await billing.setPaymentMethod(actOf(visit), textOf(visit.form, 'payment_method'));
      await noteCardChange(visit);
      return redirect(HERE, done('The card is on file.'));
    }),

    posting(`${HERE}/payment-method/remove`, async (visit) => {
      await billing.removePaymentMethod(actOf(visit));
      await noteCardChange(visit);
      return redirect(HERE, done('No card is on file any more, and auto-recharge is off.'));
    }),

    {
      method: 'POST',
      path: `${HERE}/setup-intent`,
      access: 'signed-in',
      run: async (visit) => jsonAnswer(await billing.setupIntent(actOf(visit))),
      // A script asks for it: it has no use for a page.
      refused: async (_, { status, message }) => jsonAnswer({ error: { message } }, status),
    },

    posting(`${HERE}/auto-recharge`, async (visit) => {
      const given = autoRechargeOf(visit.form);
      await billing.setAutoRecharge(actOf(visit), given);
      return redirect(HERE, done(given.enabled ? 'Auto-recharge is on.' : 'Auto-recharge is off.'));
    }),

    posting(`${HERE}/coupon`, async (visit) =>
      redirect(HERE, done(await billing.redeemCoupon(actOf(visit), textOf(visit.form, 'code')))),
    ),

    {
      method: 'GET',
      path: `${HERE}/invoices/{invoice_id}/receipt`,
      access: 'signed-in',
      async run({ params, session }) {
        const id = wholeNumber(params['invoice_id'] ?? '');
        const receipt = id === undefined ? undefined : await billing.receipt(session.user.accountId, id);
        if (!receipt) throw notFound();
        return { kind: 'file', type: 'application/pdf', name: `${receipt.number}.pdf`, body: receipt.pdf };
      },
    },

    {
      method: 'GET',
      path: `${HERE}/portal`,
      access: 'signed-in',
      async run(visit) {
        // Asking opens a session at the provider: whoever asks for the head alone wants none.
        if (visit.isHead) return redirect(HERE);
        const url = await billing.portal(actOf(visit), `${baseUrl()}${HERE}`);
        return url === null ? redirect(HERE, failed(NO_PORTAL[cardEntry])) : redirect(url);
      },
    },
  ];
}
