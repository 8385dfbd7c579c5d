import type { User } from '../../../accounts/users/user.ts';
import { type Html, html } from '../../layout/html.ts';
import { creditsText, timeTag } from '../formats.ts';
import { pagesNav, textOf } from '../values.ts';
import type { SiteRoute } from '../visit.ts';
import type { AdminParts } from './admin-parts.ts';
import { badge, PAGE_SIZE, pageOf, searchForm, staffGet, staffPage, table, WRONG_PAGE } from './staff-pages.ts';

export const userListRoute = ({ people }: Pick<AdminParts, 'people'>): SiteRoute =>
  staffGet('/admin/users', async (visit) => {
    const { query, session } = visit;
    const q = textOf(query, 'q');
    const number = pageOf(query);
    const search = searchForm('/admin/users', 'E-mail or name', q);
    if (number === undefined) return staffPage(visit, 'Users', search, WRONG_PAGE);
    const { users, total } = await people.staff.list(number, q);
    return staffPage(
      visit,
      'Users',
      html`${search}
<p class="facts">${creditsText(total)} ${total === 1 ? 'user' : 'users'}</p>
${table(
  'Users',
  ['E-mail', 'Name', 'State', 'Since'],
  users.map((user) => userRow(user, session.user.timezone)),
  'There are none.',
)}
${pagesNav('/admin/users', query, number, number * PAGE_SIZE < total)}`,
    );
  });

const userRow = (user: User, timezone: string): Html =>
  html`<tr><td><a href="/admin/users/${user.id}">${user.email}</a></td><td>${user.name}</td><td>${stateOf(user)}</td><td>${timeTag(user.createdAt, timezone)}</td></tr>`;

/** What is not as it is with most users. */
export const stateOf = ({ isVerified, isActive, isStaff, role }: User): Html =>
  html`${!isVerified && badge('not verified')} ${!isActive && badge('suspended')} ${isStaff && badge(role)}`;
