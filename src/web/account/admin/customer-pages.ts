import type { Customer, Invoice } from '../../../accounts/billing/model/billing-services.ts';
import type { LedgerLine } from '../../../accounts/credits/ledger-reader.ts';
import type { User } from '../../../accounts/users/user-service.ts';
import type { CreditBalance } from '../../../api/calls/services/account-services.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { type Html, html } from '../../layout/html.ts';
import { tableOrEmpty } from '../../layout/states.ts';
import { postButton, postForm, selectField, submitButton, textField } from '../form-fields.ts';
import { fieldText, paginationNav, readBefore, rowCountText } from '../form-values.ts';
import { creditsText, formatMoney, timeTag } from '../formats.ts';
import { notFound } from '../page-errors.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { readFormFields } from './form-field-reader.ts';
import {
  badge,
  definitionList,
  idFromPath,
  mayChange,
  readPageNumber,
  searchForm,
  staffActorOf,
  staffGet,
  staffPage,
  staffPost,
  typedValueOr,
  WRONG_PAGE,
} from './staff-page-frame.ts';

type CustomerPageParts = Pick<AdminParts, 'users' | 'billing' | 'balanceOf' | 'ledgerEnd' | 'invoicesOf'>;

/** Ledger entries on the page. */
const LEDGER_SHOWN = 50;

/** Everything that staff see of an account, and the forms to change it. */
export async function customerPage(
  { users, billing, balanceOf, ledgerEnd, invoicesOf }: CustomerPageParts,
  visit: SignedInRequest,
  refusal?: Refusal,
): Promise<PageResponse> {
  const accountId = idFromPath(visit, 'account_id');
  const customer = await billing.customer(accountId);
  if (!customer) throw notFound();
  const [user, balance, ledger, invoices, plans] = await Promise.all([
    users.staff.ofAccount(accountId),
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
${definitionList([
  ['E-mail', customer.email ?? '–'],
  ['User', user ? html`<a href="/admin/users/${user.id}">${user.email}</a>` : 'none'],
  ['Plan', customer.plan],
  ['Since', timeTag(customer.createdAt, timezone)],
])}
${postButton(visit, `${path}/resend-verification`, 'Mail the link to verify the address again', 'quiet')}</section>
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
${tableOrEmpty(
  'Ledger',
  ['Time', 'Entry', 'Credits', 'About', 'Request'],
  ledger.map((line) => ledgerRow(line, timezone)),
  'There are no entries.',
)}</section>
<section aria-labelledby="invoices"><h2 id="invoices">Invoices</h2>
${tableOrEmpty(
  'Invoices',
  ['Number', 'Date', 'For', 'Price', 'Discount', 'Total', 'State'],
  invoices.map((invoice) => invoiceRow(invoice, timezone)),
  'There are none.',
)}</section>`,
    refusal,
  );
}

const balanceFacts = (balance: CreditBalance): Html =>
  definitionList([
    ['Left', creditsOrAll(balance.total_remaining)],
    ['Of the plan', creditsOrAll(balance.credit_limit)],
    ['Bought and given', creditsText(balance.bonus_credits)],
    ['Used', creditsText(balance.credits_used)],
  ]);

const creditsOrAll = (credits: number | null): string => (credits === null ? 'no limit' : creditsText(credits));

function entitlements(
  visit: SignedInRequest,
  path: string,
  slugs: readonly string[],
  refusal: Refusal | undefined,
): Html {
  const field = (name: string) => ({
    name,
    value: typedValueOr(visit, refusal, name, ''),
    error: refusal?.fields[name],
  });
  return html`<section aria-labelledby="entitlements"><h2 id="entitlements">Plan and credits</h2>
${postForm(
  visit,
  `${path}/entitlements`,
  html`${selectField({
    ...field('plan'),
    label: 'Put on the plan',
    options: [['', 'leave it'], ...slugs.map((slug) => [slug, slug] as const)],
  })}
${textField({ ...field('credits'), label: 'Credits to give', inputmode: 'numeric', hint: '1 to 1,000,000, which never expire; empty: none.' })}
${textField({ ...field('reason'), label: 'Reason', maxlength: 500, hint: 'Needed with credits. It stands in the log for good: no names or addresses.' })}
${submitButton('Change')}`,
)}</section>`;
}

const ledgerRow = ({ at, type, credits, about, requestId }: LedgerLine, timezone: string): Html =>
  html`<tr><td>${timeTag(at, timezone)}</td><td>${type}</td><td>${creditsText(credits)}</td><td>${about}</td><td>${requestId}</td></tr>`;

function invoiceRow(invoice: Invoice, timezone: string): Html {
  const { number, at, line, priceCents, discountCents, totalCents, currency, status } = invoice;
  const money = (cents: number) => formatMoney(cents, currency);
  return html`<tr><td>${number}</td><td>${timeTag(at, timezone)}</td><td>${line}</td><td>${money(priceCents)}</td><td>${money(discountCents)}</td><td>${money(totalCents)}</td><td>${badge(status)}</td></tr>`;
}

const CUSTOMERS_PATH = '/admin/customers';

export const customerListRoute = ({ billing }: Pick<AdminParts, 'billing'>): PageRoute =>
  staffGet(CUSTOMERS_PATH, async (visit) => {
    const { query, session } = visit;
    const q = fieldText(query, 'q');
    const number = readPageNumber(query);
    const search = searchForm(CUSTOMERS_PATH, 'E-mail or account’s id', q);
    if (number === undefined) return staffPage(visit, 'Customers', search, WRONG_PAGE);
    const { customers, hasMore } = await billing.customers(number, q, readBefore(query));
    const part = { page: number, lowestId: customers.at(-1)?.accountId, hasMore };
    return staffPage(
      visit,
      'Customers',
      html`${search}
<p class="facts">${rowCountText(customers.length, part, ['account', 'accounts'])}</p>
${tableOrEmpty(
  'Customers',
  ['Account', 'E-mail', 'Plan', 'Since'],
  customers.map((customer) => customerRow(customer, session.user.timezone)),
  'There are none.',
)}
${paginationNav(CUSTOMERS_PATH, query, part)}`,
    );
  });

const customerRow = ({ accountId, email, plan, createdAt }: Customer, timezone: string): Html =>
  html`<tr><td><a href="${CUSTOMERS_PATH}/${accountId}">${accountId}</a></td><td>${email}</td><td>${plan}</td><td>${timeTag(createdAt, timezone)}</td></tr>`;

const MAX_CREDITS = 1_000_000;
const MAX_REASON_LENGTH = 500;

/** What staff can do with an account. */
export function customerActionRoutes(parts: AdminParts): readonly PageRoute[] {
  const { users, billing } = parts;
  const refused = (visit: SignedInRequest, refusal: Refusal) => customerPage(parts, visit, refusal);

  async function customerOf(visit: SignedInRequest) {
    const customer = await billing.customer(idFromPath(visit, 'account_id'));
    if (!customer) throw notFound();
    const user = await users.staff.ofAccount(customer.accountId);
    return { customer, user, to: `/admin/customers/${customer.accountId}` };
  }

  return [
    staffPost(parts, {
      path: '/admin/customers/{account_id}/entitlements',
      access: 'admin',
      refused,
      async run(visit) {
        const { customer, user, to } = await customerOf(visit);
        const slugs = (await billing.plans()).map(({ slug }) => slug);
        const given = readEntitlement(visit.form, slugs);
        await billing.entitle(staffActorOf(visit), customer.accountId, given);
        return { to, text: 'The account is changed.', userId: user?.id };
      },
    }),
    staffPost(parts, {
      path: '/admin/customers/{account_id}/resend-verification',
      access: 'staff',
      notesItself: true,
      refused,
      async run(visit) {
        const { customer, user, to } = await customerOf(visit);
        const registered = user ?? (await registeredWith(parts, customer.email));
        if (!registered) throw new RefusedError(422, 'Nobody has registered with the address of this account.');
        const { session, client, path } = visit;
        await users.staff.resendVerification(session.user, registered.id, client, path);
        const fact = { act: 'account_verification_mailed', subject: String(customer.accountId), details: {} } as const;
        return { to, text: 'The link to verify the address is on its way.', fact };
      },
    }),
  ];
}

/**
 * A command can make a key for an address, which creates an account. The person who registers with the address later
 * gets the account only on opening the link.
 */
async function registeredWith({ users: people }: AdminParts, email: string | null): Promise<User | undefined> {
  if (email === null) return undefined;
  const { users } = await people.staff.list(1, email);
  return users.find((user) => user.email.toLowerCase() === email.toLowerCase());
}

function readEntitlement(posted: URLSearchParams, slugs: readonly string[]) {
  const check = readFormFields(posted);
  const plan = fieldText(posted, 'plan');
  if (plan !== '' && !slugs.includes(plan)) check.addError('plan', 'There is no such plan.');
  const credits = check.numberOrNull('credits', 1, MAX_CREDITS);
  const reason = fieldText(posted, 'reason');
  if (credits !== null || reason !== '') check.text('reason', MAX_REASON_LENGTH);
  if (plan === '' && credits === null) check.addError('plan', 'Choose a plan, or give credits.');
  check.throwIfInvalid();
  return {
    ...(plan !== '' && { plan }),
    ...(typeof credits === 'number' && { credits }),
    ...(reason !== '' && { reason }),
  };
}
