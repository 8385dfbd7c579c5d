import { Refused, wrongField } from '../../domain/refused-act.ts';
import type { Steps } from '../../platform/sql/query-runner.ts';
import { emailAddress } from './email-address.ts';
import { putReset } from './links.ts';
import { linksOf } from './mails.ts';
import { normalPassword, passwordProblem } from './password-rules.ts';
import type { OperatorsOfPeople } from './people.ts';
import type { PeopleContext } from './people-context.ts';
import { nameProblem } from './people-names.ts';
import { addUser, WRONG_EMAIL } from './registering.ts';
import { noteEvent } from './sql-security-log.ts';
import { staffSteps } from './staff-of-people.ts';
import { isPresent, type PresentRow, searchText, toUser, userBy } from './user-rows.ts';
import { verifyUser } from './verified-users.ts';

/** What operators do by command: whom they name need not prove an address. */
export function createOperatorsOfPeople(context: PeopleContext, baseUrl: () => string): OperatorsOfPeople {
  const { database, passwords } = context;

  /** Of a user who is there, by an address that is one. */
  function* byEmail(text: string): Steps<PresentRow | undefined> {
    const email = emailAddress(text);
    return email === undefined ? undefined : yield* userBy(context, 'email', email);
  }

  const resetUrl = (token: string): string => linksOf(baseUrl()).reset(token);

  return {
    async create({ email: text, name: givenName, staff, password }) {
      const email = emailAddress(text);
      if (email === undefined) throw wrongField('email', WRONG_EMAIL);
      const name = givenName?.trim() || null;
      const wrongName = name === null ? undefined : nameProblem(name);
      if (wrongName !== undefined) throw wrongField('name', wrongName);
      const problem = password === undefined ? undefined : await passwordProblem(password, email);
      if (problem !== undefined) throw wrongField('password', problem);
      const passwordHash = password === undefined ? null : await passwords.hash(normalPassword(password));
      const token = context.newToken();
      const user = await context.change(function* () {
        const known = yield* userBy(context, 'email', email);
        if (known && known.verified_at !== null) throw new Refused(409, `there is a user with ${email} already`);
        const id = known ? known.id : yield* addUser(context, email, name);
        yield* verifyUser(
          context,
          { id, email, suspended_at: known?.suspended_at ?? null },
          { plan: 'free', passwordHash },
        );
        // Of one who has registered before, the name was anybody's.
        yield database
          .updateTable('users')
          .set({ name, search_text: searchText(email, name) })
          .where('id', '=', id);
        if (staff) yield* staffSteps(context, id, true, 'admin');
        if (staff) yield* noteEvent(context, { type: 'staff_changed', userId: id });
        if (passwordHash === null) yield putReset(context, id, token);
        return (yield* userBy(context, 'id', id))!;
      });
      return { user: toUser(user), ...(passwordHash === null && { resetUrl: resetUrl(token) }) };
    },
    async list() {
      const rows = await context.all(
        database.selectFrom('users').selectAll().where('email', 'is not', null).orderBy('id'),
      );
      return rows.filter(isPresent).map(toUser);
    },
    async setStaff(email, isStaff) {
      const user = await context.change(function* () {
        const found = yield* byEmail(email);
        if (!found) return undefined;
        if (isStaff && found.verified_at === null) throw new Refused(422, `${found.email} is not verified yet`);
        yield* staffSteps(context, found.id, isStaff, 'admin');
        yield* noteEvent(context, { type: 'staff_changed', userId: found.id });
        return yield* userBy(context, 'id', found.id);
      });
      return user && toUser(user);
    },
    async reset(email) {
      const token = context.newToken();
      const user = await context.change(function* () {
        const found = yield* byEmail(email);
        if (found) yield putReset(context, found.id, token);
        return found;
      });
      return user && { user: toUser(user), resetUrl: resetUrl(token) };
    },
  };
}
