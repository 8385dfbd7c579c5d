import { wrongField } from '../../domain/refused-act.ts';
import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import { takeFromIp } from './attempts.ts';
import { emailAddress } from './email-address.ts';
import { addErrand, type Errands } from './errands.ts';
import { resetsBy } from './links.ts';
import { normalPassword, passwordProblem } from './password-rules.ts';
import type { People } from './people.ts';
import type { PeopleContext } from './people-context.ts';
import { endSessions } from './session-rows.ts';
import { noteEvent } from './sql-security-log.ts';
import type { Client } from './user.ts';
import { newestRegistrations, userBy } from './user-rows.ts';
import { verifyUser } from './verified-users.ts';

/** A password that was forgotten. */
export function createResetting(
  context: PeopleContext,
  { errands }: { readonly errands: Errands },
): Pick<People, 'forgotPassword' | 'isResetValid' | 'resetPassword'> {
  const { database, passwords } = context;

  function* reset(token: string, hash: string, client: Client): Steps<boolean> {
    const [found] = yield* rowsOf(resetsBy(context, token));
    const user = found && (yield* userBy(context, 'id', found.user_id));
    if (!user) return false;
    yield database.deleteFrom('password_resets').where('user_id', '=', user.id);
    yield* setPassword(context, user.id, hash);
    if (user.verified_at === null) {
      // The link went to the address: it is his.
      const [newest] = yield* rowsOf(newestRegistrations(context, user.id));
      yield* verifyUser(context, user, { plan: newest?.plan ?? 'free', passwordHash: hash });
      yield* noteEvent(context, { type: 'email_verified', userId: user.id, client });
    }
    yield* endSessions(context, user.id);
    yield* noteEvent(context, { type: 'password_reset', userId: user.id, client });
    yield* addErrand(context, { kind: 'password_changed', email: user.email }, user.id);
    return true;
  }

  return {
    async forgotPassword(email, client) {
      await takeFromIp(context, 'forgot', client.ip);
      const address = emailAddress(email);
      if (address === undefined) return;
      await context.beside([], () => addErrand(context, { kind: 'reset', email: address, client }, null));
      errands.soon();
    },
    isResetValid: async (token) => (await context.all(resetsBy(context, token))).length > 0,
    async resetPassword(token, password, client) {
      const [found] = await context.all(resetsBy(context, token));
      const user = found && (await context.read(() => userBy(context, 'id', found.user_id)));
      if (!user) return false;
      const problem = await passwordProblem(password, user.email);
      if (problem !== undefined) throw wrongField('password', problem);
      const hash = await passwords.hash(normalPassword(password));
      const isDone = await context.change(() => reset(token, hash, client));
      errands.soon();
      return isDone;
    },
  };
}

/** Links to set another one are worth nothing any more. */
export function* setPassword({ database }: PeopleContext, userId: number, hash: string): Steps<void> {
  yield database.updateTable('users').set({ password_hash: hash }).where('id', '=', userId);
  yield database.deleteFrom('password_resets').where('user_id', '=', userId);
}
