import type { Invoice } from '../../../accounts/billing/customer-billing.ts';
import type { LedgerLine } from '../../../accounts/credits/ledger-entries.ts';
import type { CreditBalance } from '../../../api/calls/account-services.ts';
import { type Html, html } from '../../layout/html.ts';
import { form, postButton, selectField, submit, textField } from '../fields.ts';
import { creditsText, moneyText, timeTag } from '../formats.ts';
import { notFound } from '../not-found.ts';
import type { Refusal, SignedInVisit, SiteAnswer } from '../visit.ts';
import type { AdminParts } from './admin-parts.ts';
import { badge, facts, idOf, mayChange, staffPage, table, typedOr } from './staff-pages.ts';

export type CustomerPageParts = Pick<AdminParts, 'people' | 'billing' | 'balanceOf' | 'ledgerEnd' | 'invoicesOf'>;

/** How many entries of the ledger are shown. */
const LEDGER_SHOWN = 50;

/** All that staff see of an account, and do with it. */
export async function customerPage(
  { people, billing, balanceOf, ledgerEnd, invoicesOf }: CustomerPageParts,
  visit: SignedInVisit,
  refusal?: Refusal,
): Promise<SiteAnswer> {
  const accountId = idOf(visit, 'account_id');
  const customer = await billing.customer(accountId);
  if (!customer) throw notFound();
  const [user, balance, ledger, invoices, plans] = await Promise.all([
    people.staff.ofAccount(accountId),
    balanceOf(accountId),
    ledgerEnd(accountId, LEDGER_SHOWN),
    invoicesOf(accountId),
    billing.plans(),
  ]);
  const { timezone } = visit.session.user;
  const path = `/admin/customers/${accountId}`;
  return staffPage(
    visit,
    `Customer ${accountId}`,
    html`<section aria-labelledby="about"><h2 id="about">About</h2>
${facts([
  ['E-mail', customer.email ?? '–'],
  ['User', user ? html`<a href="/admin/users/${user.id}">${user.email}</a>` : 'none'],
  ['Plan', customer.plan],
  ['Since', timeTag(customer.createdAt, timezone)],
])}
${postButton(visit, `${path}/resend-verification`, 'Mail the link to verify the address again')}</section>
<section aria-labelledby="balance"><h2 id="balance">Balance</h2>
${balance && balanceFacts(balance)}</section>
${
  mayChange(visit) &&
  entitlements(
    visit,
    path,
    plans.map(({ slug }) => slug),
    refusal,
  )
}
<section aria-labelledby="ledger"><h2 id="ledger">Ledger</h2>
${ledger.length > 0 && html`<p class="facts">The newest ${ledger.length} entries, newest first.</p>`}
${table(
  'Ledger',
  ['Time', 'Entry', 'Credits', 'About', 'Request'],
  ledger.map((line) => ledgerRow(line, timezone)),
  'There are no entries.',
)}</section>
<section aria-labelledby="invoices"><h2 id="invoices">Invoices</h2>
${table(
  'Invoices',
  ['Number', 'Date', 'For', 'Price', 'Discount', 'Total', 'State'],
  invoices.map((invoice) => invoiceRow(invoice, timezone)),
  'There are none.',
)}</section>`,
    refusal,
  );
}

const balanceFacts = (balance: CreditBalance): Html =>
  facts([
    ['Left', creditsOrAll(balance.total_remaining)],
    ['Of the plan', creditsOrAll(balance.credit_limit)],
    ['Bought and given', creditsText(balance.bonus_credits)],
    ['Used', creditsText(balance.credits_used)],
  ]);

const creditsOrAll = (credits: number | null): string => (credits === null ? 'no limit' : creditsText(credits));

function entitlements(
  visit: SignedInVisit,
  path: string,
  slugs: readonly string[],
  refusal: Refusal | undefined,
): Html {
  const field = (name: string) => ({
    ...{ name, value: typedOr(visit, refusal, name, '') },
    error: refusal?.fields[name],
  });
  return html`<section aria-labelledby="entitlements"><h2 id="entitlements">Plan and credits</h2>
${form(
  visit,
  `${path}/entitlements`,
  html`${selectField({
    ...field('plan'),
    label: 'Put on the plan',
    options: [['', 'leave it'], ...slugs.map((slug) => [slug, slug] as const)],
  })}
${textField({ ...field('credits'), label: 'Credits to give', inputmode: 'numeric', hint: '1 to 1,000,000, which never expire; empty: none.' })}
${textField({ ...field('reason'), label: 'Reason', maxlength: 500, hint: 'Needed with credits. It stands in the log for good: no names or addresses.' })}
${submit('Change')}`,
)}</section>`;
}

const ledgerRow = ({ at, type, credits, about, requestId }: LedgerLine, timezone: string): Html =>
  html`<tr><td>${timeTag(at, timezone)}</td><td>${type}</td><td>${creditsText(credits)}</td><td>${about}</td><td>${requestId}</td></tr>`;

function invoiceRow(invoice: Invoice, timezone: string): Html {
  const { number, at, line, priceCents, discountCents, totalCents, currency, status } = invoice;
  const money = (cents: number) => moneyText(cents, currency);
  return html`<tr><td>${number}</td><td>${timeTag(at, timezone)}</td><td>${line}</td><td>${money(priceCents)}</td><td>${money(discountCents)}</td><td>${money(totalCents)}</td><td>${badge(status)}</td></tr>`;
}
