import type { User } from '../../../accounts/users/user.ts';
import { Refused } from '../../../domain/refused-act.ts';
import { notFound } from '../not-found.ts';
import { textOf } from '../values.ts';
import type { Refusal, SignedInVisit, SiteRoute } from '../visit.ts';
import type { AdminParts } from './admin-parts.ts';
import { customerPage } from './customer-page.ts';
import { checkForm } from './form-check.ts';
import { idOf } from './staff-pages.ts';
import { actOf, staffPost } from './staff-post.ts';

const MOST_CREDITS = 1_000_000;
const MOST_REASON = 500;

/** What staff do with an account. */
export function customerActRoutes(parts: AdminParts): readonly SiteRoute[] {
  const { people, billing } = parts;
  const refused = (visit: SignedInVisit, refusal: Refusal) => customerPage(parts, visit, refusal);

  async function customerOf(visit: SignedInVisit) {
    const customer = await billing.customer(idOf(visit, 'account_id'));
    if (!customer) throw notFound();
    const user = await people.staff.ofAccount(customer.accountId);
    return { customer, user, to: `/admin/customers/${customer.accountId}` };
  }

  return [
    staffPost(parts, {
      ...{ path: '/admin/customers/{account_id}/entitlements', access: 'admin', refused },
      async run(visit) {
        const { customer, user, to } = await customerOf(visit);
        const slugs = (await billing.plans()).map(({ slug }) => slug);
        const given = entitlementOf(visit.form, slugs);
        await billing.entitle(actOf(visit), customer.accountId, given);
        return { to, text: 'The account is changed.', userId: user?.id };
      },
    }),
    staffPost(parts, {
      ...{ path: '/admin/customers/{account_id}/resend-verification', access: 'staff', notesItself: true, refused },
      async run(visit) {
        const { customer, user, to } = await customerOf(visit);
        const registered = user ?? (await registeredWith(parts, customer.email));
        if (!registered) throw new Refused(422, 'Nobody has registered with the address of this account.');
        const { session, client, path } = visit;
        await people.staff.resendVerification(session.user, registered.id, client, path);
        const fact = { act: 'account_verification_mailed', subject: String(customer.accountId), details: {} } as const;
        return { to, text: 'The link to verify the address is on its way.', fact };
      },
    }),
  ];
}

/** A key that a command made for an address has an account, before whoever registers with it opens the link. */
async function registeredWith({ people }: AdminParts, email: string | null): Promise<User | undefined> {
  if (email === null) return undefined;
  const { users } = await people.staff.list(1, email);
  return users.find((user) => user.email.toLowerCase() === email.toLowerCase());
}

function entitlementOf(posted: URLSearchParams, slugs: readonly string[]) {
  const check = checkForm(posted);
  const plan = textOf(posted, 'plan');
  if (plan !== '' && !slugs.includes(plan)) check.wrong('plan', 'There is no such plan.');
  const credits = check.numberOrNone('credits', 1, MOST_CREDITS);
  const reason = textOf(posted, 'reason');
  if (credits !== null || reason !== '') check.text('reason', MOST_REASON);
  if (plan === '' && credits === null) check.wrong('plan', 'Choose a plan, or give credits.');
  check.done();
  return {
    ...(plan !== '' && { plan }),
    ...(typeof credits === 'number' && { credits }),
    ...(reason !== '' && { reason }),
  };
}
