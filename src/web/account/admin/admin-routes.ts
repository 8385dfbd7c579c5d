import { html } from '../../layout/html.ts';
import type { PageResponse, PageRoute, SignedInRequest } from '../page-route.ts';
import type { AdminParts } from './admin-parts.ts';
import { couponRoutes } from './coupon-pages.ts';
import { customerActionRoutes, customerListRoute, customerPage } from './customer-pages.ts';
import { dataRoutes } from './data-page.ts';
import { healthSection } from './health-section.ts';
import { planRoutes } from './plan-pages.ts';
import { securityRoute } from './security-page.ts';
import { settingsRoutes } from './settings-page.ts';
import { SECTIONS, staffGet, staffPage } from './staff-page-frame.ts';
import { userActionRoutes } from './user-actions.ts';
import { userListRoute, userPage } from './user-pages.ts';

export type { AdminParts, StaffActOnUser } from './admin-parts.ts';

/** The staff pages: users, customers, coupons, plans, settings, data, the security log. */
export const adminRoutes = (parts: AdminParts): readonly PageRoute[] => [
  staffGet('/admin', (visit) => homePage(parts, visit)),
  userListRoute(parts),
  staffGet('/admin/users/{id}', (visit) => userPage(parts, visit)),
  ...userActionRoutes(parts),
  ...couponRoutes(parts),
  ...planRoutes(parts),
  ...settingsRoutes(parts),
  customerListRoute(parts),
  staffGet('/admin/customers/{account_id}', (visit) => customerPage(parts, visit)),
  ...customerActionRoutes(parts),
  ...dataRoutes(parts),
  securityRoute(parts),
];

const SECTION_TEXTS: Readonly<Record<(typeof SECTIONS)[number][0], string>> = {
  '/admin/users': 'People, their sessions, roles and limits.',
  '/admin/customers': 'Accounts: balance, ledger, invoices, plan.',
  '/admin/coupons': 'Codes that give credits or lower a charge.',
  '/admin/plans': 'What each plan gives, and its price.',
  '/admin/settings': 'The daily cap of the free tier.',
  '/admin/data': 'What waits, what is double, and what was done about it.',
  '/admin/security': 'What users and staff did, newest first.',
};

const sections = html`<div class="cards">${SECTIONS.map(
  ([path, text]) =>
    html`<section class="card" aria-labelledby="to-${path.slice('/admin/'.length)}"><h2 id="to-${path.slice('/admin/'.length)}"><a href="${path}">${text}</a></h2><p>${SECTION_TEXTS[path]}</p></section>`,
)}</div>`;

async function homePage(
  { health, leagues, backup, recent }: AdminParts,
  visit: SignedInRequest,
): Promise<PageResponse> {
  const { timezone } = visit.session.user;
  const view = {
    ...{ health: await health(), leagues: await leagues(), backup: backup?.() },
    ...{ recent: recent(), timezone },
  };
  return staffPage(visit, 'Staff', html`${healthSection(view)}${sections}`);
}
