import { invalidField } from '../../domain/primitives/domain-errors.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import { countAttemptFromIp, forgetFailuresOf } from './attempt-limits.ts';
import { dropPendingEmailChange } from './email-change.ts';
import { addJob, type JobQueue } from './job-queue.ts';
import { findPasswordProblem, normalizePassword } from './password-rules.ts';
import { normalizeEmail } from './profile-rules.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import { findUserBy, selectNewestRegistration, selectReset } from './user-queries.ts';
import type { Client, UserService } from './user-service.ts';
import { endSessions } from './user-sessions.ts';
import { verifyUser } from './verify-user.ts';

/** Resets a forgotten password. */
export function createPasswordReset(
  context: UserContext,
  { jobs }: { readonly jobs: JobQueue },
): Pick<UserService, 'forgotPassword' | 'isResetValid' | 'resetPassword'> {
  const { database, passwords } = context;

  function* reset(token: string, hash: string, client: Client): QuerySteps<boolean> {
    const [found] = yield* queryRows(selectReset(context, token));
    const user = found && (yield* findUserBy(context, 'id', found.user_id));
    if (!user) return false;
    yield database.deleteFrom('password_resets').where('user_id', '=', user.id);
    yield* setPassword(context, user.id, hash);
    if (user.verified_at === null) {
      // The link was mailed to the address, so the address is verified.
      const [newest] = yield* queryRows(selectNewestRegistration(context, user.id));
      yield* verifyUser(context, user, { plan: newest?.plan ?? 'free', passwordHash: hash });
      yield* recordSecurityEvent(context, { type: 'email_verified', userId: user.id, client });
    }
    yield* endSessions(context, user.id);
    yield* forgetFailuresOf(context, user.email, client.ip);
    yield* recordSecurityEvent(context, { type: 'password_reset', userId: user.id, client });
    yield* addJob(context, { kind: 'password_changed', email: user.email }, user.id);
    return true;
  }

  return {
    async forgotPassword(email, client) {
      await countAttemptFromIp(context, 'forgot', client.ip);
      const { ip, userAgent } = client;
      const address = normalizeEmail(email);
      if (address === undefined) return;
      await context.transactShared([], () =>
        addJob(context, { kind: 'reset', email: address, client: { ip, userAgent } }, null),
      );
      jobs.runSoon();
    },
    isResetValid: async (token) => (await context.all(selectReset(context, token))).length > 0,
    async resetPassword(token, password, client) {
      const [found] = await context.all(selectReset(context, token));
      const user = found && (await context.read(() => findUserBy(context, 'id', found.user_id)));
      if (!user) return false;
      const problem = await findPasswordProblem(password, user.email);
      if (problem !== undefined) throw invalidField('password', problem);
      const hash = await passwords.hash(normalizePassword(password), client.ip);
      const isDone = await context.transactExclusive(() => reset(token, hash, client));
      jobs.runSoon();
      return isDone;
    },
  };
}

/** Sets the password. Reset links end, and so does a change of address that was asked for under the old password. */
export function* setPassword(context: UserContext, userId: number, hash: string): QuerySteps<void> {
  const { database } = context;
  yield* dropPendingEmailChange(context, userId);
  yield database.updateTable('users').set({ password_hash: hash }).where('id', '=', userId);
  yield database.deleteFrom('password_resets').where('user_id', '=', userId);
}
