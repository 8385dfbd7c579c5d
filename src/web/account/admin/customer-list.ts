import type { Customer } from '../../../accounts/billing/customer-billing.ts';
import { type Html, html } from '../../layout/html.ts';
import { creditsText, timeTag } from '../formats.ts';
import { pagesNav, textOf } from '../values.ts';
import type { SiteRoute } from '../visit.ts';
import type { AdminParts } from './admin-parts.ts';
import { PAGE_SIZE, pageOf, searchForm, staffGet, staffPage, table, WRONG_PAGE } from './staff-pages.ts';

const PATH = '/admin/customers';

export const customerListRoute = ({ billing }: Pick<AdminParts, 'billing'>): SiteRoute =>
  staffGet(PATH, async (visit) => {
    const { query, session } = visit;
    const q = textOf(query, 'q');
    const number = pageOf(query);
    const search = searchForm(PATH, 'E-mail or account’s id', q);
    if (number === undefined) return staffPage(visit, 'Customers', search, WRONG_PAGE);
    const { customers, total } = await billing.customers(number, q);
    return staffPage(
      visit,
      'Customers',
      html`${search}
<p class="facts">${creditsText(total)} ${total === 1 ? 'account' : 'accounts'}</p>
${table(
  'Customers',
  ['Account', 'E-mail', 'Plan', 'Since'],
  customers.map((customer) => customerRow(customer, session.user.timezone)),
  'There are none.',
)}
${pagesNav(PATH, query, number, number * PAGE_SIZE < total)}`,
    );
  });

const customerRow = ({ accountId, email, plan, createdAt }: Customer, timezone: string): Html =>
  html`<tr><td><a href="${PATH}/${accountId}">${accountId}</a></td><td>${email}</td><td>${plan}</td><td>${timeTag(createdAt, timezone)}</td></tr>`;
