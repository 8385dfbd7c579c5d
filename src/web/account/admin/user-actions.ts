import type { Role, User } from '../../../accounts/users/user-service.ts';
import type { UserActName } from '../../../domain/accounts/staff-events.ts';
import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { fieldText } from '../form-values.ts';
import { notFound } from '../page-errors.ts';
import type { PageRoute, SignedInRequest } from '../page-route.ts';
import type { AdminParts, StaffActOnUser } from './admin-parts.ts';
import { readFormFields } from './form-field-reader.ts';
import { idFromPath, staffPost } from './staff-page-frame.ts';
import { userPage } from './user-pages.ts';

/** The result of an action, as shown to the member of staff. */
interface ActionResult {
  readonly text: string;
  readonly details?: StaffActOnUser['details'];
}

interface UserAction {
  /** The last part of the path. */
  readonly name: string;
  /** The name of the action in its event. */
  readonly act: UserActName;
  readonly access: 'staff' | 'admin';
  readonly to?: string;
  run(visit: SignedInRequest, user: User): Promise<ActionResult>;
}

const ROLES: readonly string[] = ['support', 'admin'] satisfies readonly Role[];
const MAX_REQUESTS_PER_MINUTE = 100_000;

/**
 * What staff can do with a user. `UserService` decides which actions are forbidden on oneself, and notes each as a
 * security event.
 */
export function userActionRoutes(parts: AdminParts): readonly PageRoute[] {
  const { staff } = parts.users;

  const acts: readonly UserAction[] = [
    {
      name: 'revoke-sessions',
      act: 'user_sessions_revoked',
      access: 'staff',
      async run({ session, client }, { id }) {
        await staff.revokeSessions(session.user, id, client);
        return { text: 'All sessions have ended.' };
      },
    },
    {
      name: 'password-reset',
      act: 'user_password_reset_mailed',
      access: 'staff',
      async run({ session, client }, { id }) {
        await staff.mailPasswordReset(session.user, id, client);
        return { text: 'The link to reset the password is on its way.' };
      },
    },
    {
      name: 'resend-verification',
      act: 'user_verification_mailed',
      access: 'staff',
      async run({ session, client }, { id }) {
        await staff.resendVerification(session.user, id, client);
        return { text: 'The link to verify the address is on its way.' };
      },
    },
    {
      name: 'delete',
      act: 'user_deleted',
      access: 'admin',
      to: '/admin/users',
      async run({ session, client }, { id }) {
        await staff.delete(session.user, id, client);
        return { text: `User ${id} is deleted.` };
      },
    },
    {
      name: 'staff',
      act: 'user_staff_changed',
      access: 'admin',
      async run({ session, client, form }, { id }) {
        const check = readFormFields(form);
        const isStaff = check.flag('staff');
        check.throwIfInvalid();
        await staff.setStaff(session.user, id, isStaff!, client);
        const text = isStaff ? 'The user belongs to the staff.' : 'The user no longer belongs to the staff.';
        return { text, details: { isStaff: isStaff! } };
      },
    },
    {
      name: 'role',
      act: 'user_role_changed',
      access: 'admin',
      async run({ session, client, form }, { id }) {
        const role = roleOf(form);
        await staff.setRole(session.user, id, role, client);
        return { text: `The role is ${role}.`, details: { role } };
      },
    },
    {
      name: 'rate-limit',
      act: 'user_rate_limited',
      access: 'admin',
      async run({ session, client, form }, { id }) {
        const check = readFormFields(form);
        if (!form.has('requests_per_minute'))
          check.addError('requests_per_minute', 'This is needed; empty: the plan’s.');
        const limit = check.numberOrNull('requests_per_minute', 1, MAX_REQUESTS_PER_MINUTE);
        check.throwIfInvalid();
        await staff.setRateLimit(session.user, id, limit!, client);
        return { text: 'The limit is set.', details: { requestsPerMinute: limit! } };
      },
    },
    {
      name: 'toggle',
      act: 'user_switched',
      access: 'admin',
      async run({ session, client, form }, { id }) {
        const check = readFormFields(form);
        const isActive = check.flag('active');
        check.throwIfInvalid();
        await staff.setActive(session.user, id, isActive!, client);
        const text = isActive ? 'The user is active again.' : 'The user is suspended.';
        return { text, details: { isActive: isActive! } };
      },
    },
  ];

  return acts.map(({ name, act, access, to, run }) =>
    staffPost(parts, {
      path: `/admin/users/{id}/${name}`,
      access,
      notesItself: true,
      async run(visit) {
        const id = idFromPath(visit, 'id');
        const user = await staff.find(id);
        if (!user) throw notFound();
        const { text, details = {} } = await run(visit, user);
        return { to: to ?? `/admin/users/${id}`, text, userId: id, fact: { act, subject: String(id), details } };
      },
      refused: (visit, refusal) => userPage(parts, visit, refusal),
    }),
  );
}

function roleOf(form: URLSearchParams): Role {
  const role = fieldText(form, 'role');
  if (ROLES.includes(role)) return role as Role;
  const message = 'A role is support or admin.';
  throw new RefusedError(422, message, { fields: { role: message } });
}
