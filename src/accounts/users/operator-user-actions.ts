import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import type { QuerySteps } from '../../platform/sql/query-runner.ts';
import { findPasswordProblem, normalizePassword } from './password-rules.ts';
import { findNameProblem, normalizeEmail } from './profile-rules.ts';
import { insertUser, WRONG_EMAIL } from './registration.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import { setStaffSteps } from './staff-user-actions.ts';
import type { UserContext } from './user-context.ts';
import { createMailLinks } from './user-mails.ts';
import { findUserBy, isPresent, type PresentRow, searchText, toUser, upsertReset } from './user-queries.ts';
import type { OperatorUserActions } from './user-service.ts';
import { verifyUser } from './verify-user.ts';

/** Users managed by operators' commands. Operators name addresses that need no verification. */
export function createOperatorUserActions(context: UserContext, baseUrl: () => string): OperatorUserActions {
  const { database, passwords } = context;

  /** Finds a user by address; undefined also if the text is not an address. */
  function* findByEmail(text: string): QuerySteps<PresentRow | undefined> {
    const email = normalizeEmail(text);
    return email === undefined ? undefined : yield* findUserBy(context, 'email', email);
  }

  const resetUrl = (token: string): string => createMailLinks(baseUrl()).reset(token);

  return {
    async create({ email: text, name: givenName, staff, password }) {
      const email = normalizeEmail(text);
      if (email === undefined) throw invalidField('email', WRONG_EMAIL);
      const name = givenName?.trim() || null;
      const wrongName = name === null ? undefined : findNameProblem(name);
      if (wrongName !== undefined) throw invalidField('name', wrongName);
      const problem = password === undefined ? undefined : await findPasswordProblem(password, email);
      if (problem !== undefined) throw invalidField('password', problem);
      const passwordHash = password === undefined ? null : await passwords.hash(normalizePassword(password));
      const token = context.newToken();
      const user = await context.transactExclusive(function* () {
        const known = yield* findUserBy(context, 'email', email);
        if (known && known.verified_at !== null) throw new RefusedError(409, `there is a user with ${email} already`);
        const id = known ? known.id : yield* insertUser(context, email, name);
        yield* verifyUser(
          context,
          { id, email, suspended_at: known?.suspended_at ?? null },
          { plan: 'free', passwordHash },
        );
        // Anybody may have registered with this address, so replace the name.
        yield database
          .updateTable('users')
          .set({ name, search_text: searchText(email, name) })
          .where('id', '=', id);
        if (staff) yield* setStaffSteps(context, id, true, 'admin');
        if (staff) yield* recordSecurityEvent(context, { type: 'staff_changed', userId: id });
        if (passwordHash === null) yield upsertReset(context, id, token);
        return (yield* findUserBy(context, 'id', id))!;
      });
      return { user: toUser(user), ...(passwordHash === null && { resetUrl: resetUrl(token) }) };
    },
    async hasStaff() {
      const found = await context.all(
        database.selectFrom('users').select('id').where('is_staff', '=', 1).where('email', 'is not', null).limit(1),
      );
      return found.length > 0;
    },
    async adopt({ email, name, passwordHash, sessionTokenHashes }) {
      const at = toIsoTime(context.now());
      await context.transactExclusive(function* () {
        const id = yield* insertUser(context, email, name);
        yield* verifyUser(context, { id, email, suspended_at: null }, { plan: 'free', passwordHash });
        yield* setStaffSteps(context, id, true, 'admin');
        yield* recordSecurityEvent(context, { type: 'staff_changed', userId: id });
        const session = { user_id: id, ip: '', user_agent: '', created_at: at, last_used_at: at, is_remembered: 1 };
        for (const token_hash of sessionTokenHashes)
          yield database.insertInto('sessions').values({ ...session, token_hash, confirmed_at: at });
      });
    },
    async list() {
      const rows = await context.all(
        database.selectFrom('users').selectAll().where('email', 'is not', null).orderBy('id'),
      );
      return rows.filter(isPresent).map(toUser);
    },
    async setStaff(email, isStaff) {
      const user = await context.transactExclusive(function* () {
        const found = yield* findByEmail(email);
        if (!found) return undefined;
        if (isStaff && found.verified_at === null) throw new RefusedError(422, `${found.email} is not verified yet`);
        yield* setStaffSteps(context, found.id, isStaff, 'admin');
        yield* recordSecurityEvent(context, { type: 'staff_changed', userId: found.id });
        return yield* findUserBy(context, 'id', found.id);
      });
      return user && toUser(user);
    },
    async reset(email) {
      const token = context.newToken();
      const user = await context.transactExclusive(function* () {
        const found = yield* findByEmail(email);
        if (found) yield upsertReset(context, found.id, token);
        return found;
      });
      return user && { user: toUser(user), resetUrl: resetUrl(token) };
    },
  };
}
