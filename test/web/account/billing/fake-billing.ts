import type {
  BillingOverview,
  CustomerBilling,
  Invoice,
} from '../../../../src/accounts/billing/model/billing-services.ts';
import { renderReceiptPdf } from '../../../../src/accounts/billing/receipt-pdf.ts';
import { invalidField, type RefusedError } from '../../../../src/domain/primitives/domain-errors.ts';
import { DEFAULT_PACKS } from '../../../../src/platform/settings/plans-and-packs.ts';

export const OVERVIEW: BillingOverview = {
  plan: { slug: 'free', name: 'Free Tier' },
  ends: null,
  growth: { priceCents: 4900, currency: 'usd', monthlyCredits: 50_000 },
  growthToday: { priceCents: 980, credits: 10_000 },
  card: null,
  autoRecharge: { enabled: false, threshold: null, packId: null, monthlyCapCents: null, notice: null },
  waitingPercent: null,
  paymentFailed: false,
  packs: DEFAULT_PACKS,
  testMode: true,
};

export const invoice = (more: Partial<Invoice> = {}): Invoice => ({
  id: 3,
  number: 'LL-2026-000003',
  accountId: 1,
  at: '2026-11-25T23:30:00.000Z',
  status: 'paid',
  line: '25,000 credits (Medium)',
  priceCents: 4000,
  discountCents: 1000,
  totalCents: 3000,
  currency: 'usd',
  customerName: 'Ada',
  customerEmail: 'ada@example.org',
  card: 'Test card ok',
  isTest: true,
  ...more,
});

/** What stands behind the pages, for their tests: it notes what it is asked for and refuses what the test says. */
export function fakeBilling() {
  const state = {
    overview: OVERVIEW,
    invoices: [] as Invoice[],
    /** The next change is refused so. */
    refusal: undefined as RefusedError | undefined,
    portal: null as string | null,
    setup: { client_secret: 'development', publishable_key: null as string | null },
    asked: [] as unknown[][],
  };
  async function noted<T>(answer: T, ...asked: unknown[]): Promise<T> {
    const { refusal } = state;
    state.refusal = undefined;
    if (refusal) throw refusal;
    state.asked.push(asked);
    return answer;
  }
  const paid = (accountId: number, id: number) =>
    state.invoices.find((one) => one.accountId === accountId && one.id === id && one.status === 'paid');

  const billing: CustomerBilling = {
    overview: async () => state.overview,
    invoices: async (accountId) => state.invoices.filter((one) => one.accountId === accountId),
    invoice: async (accountId, id) => state.invoices.find((one) => one.accountId === accountId && one.id === id),
    async receipt(accountId, id) {
      const found = paid(accountId, id);
      return found && { number: found.number, pdf: await renderReceiptPdf(found, { compress: false }) };
    },
    async subscribe(act, plan) {
      if (!['free', 'payg', 'growth'].includes(plan)) throw invalidField('plan', 'There is no such plan.');
      await noted(undefined, 'subscribe', act, plan);
    },
    cancel: (act) => noted(undefined, 'cancel', act),
    async topUp(act, packId) {
      if (!DEFAULT_PACKS.some(({ id }) => id === packId)) throw invalidField('pack_id', 'There is no such pack.');
      await noted(undefined, 'topUp', act, packId);
    },
    setAutoRecharge: (act, given) => noted(undefined, 'setAutoRecharge', act, given),
    redeemCoupon: (act, code) => noted('It brought 500 credits.', 'redeemCoupon', act, code),
    rewardDocsVisit: (act) => noted(100, 'rewardDocsVisit', act),
    setupIntent: (act) => noted(state.setup, 'setupIntent', act),
    setPaymentMethod: (act, method) => noted(undefined, 'setPaymentMethod', act, method),
    removePaymentMethod: (act) => noted(undefined, 'removePaymentMethod', act),
    portal: (act, returnTo) => noted(state.portal, 'portal', act, returnTo),
    closeAccount: async () => {},
  };
  return { billing, state };
}
export type FakeBilling = ReturnType<typeof fakeBilling>;
