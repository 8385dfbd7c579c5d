import { RefusedError } from '../../domain/primitives/domain-errors.ts';
import { isUniqueViolation } from '../../platform/sql/dialects.ts';
import type { QuerySteps } from '../../platform/sql/query-runner.ts';
import { countAttemptIfAllowed, proofLimits, tooManyAttemptsError } from './attempt-limits.ts';
import { signInSteps } from './password-sign-in.ts';
import { cleanName, normalizeEmail } from './profile-rules.ts';
import { insertUser } from './registration.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import { findUserBy, type PresentRow, removeUnverified } from './user-queries.ts';
import type { Client, GithubProfile, SignInOutcome, UserService } from './user-service.ts';
import { verifyUser } from './verify-user.ts';

const LINKED_TO_ANOTHER = 'This GitHub account is linked to another user.';
const NEEDS_PASSWORD = 'Set a password first: without it and without GitHub you could not sign in.';

/** @param isOpen whether an unknown person becomes a user */
export function createGithubSignIn(
  context: UserContext,
  { isOpen }: { readonly isOpen: boolean },
): Pick<UserService, 'signInByGithub' | 'linkGithub' | 'unlinkGithub'> {
  const { database } = context;

  function* link(userId: number, githubId: string, client: Client): QuerySteps<void> {
    yield database.updateTable('users').set({ github_id: githubId }).where('id', '=', userId);
    yield* recordSecurityEvent(context, { type: 'github_linked', userId, client });
  }

  /** The user with this address, created if missing; undefined: none, and registration is closed. */
  function* findOrCreateByAddress(
    { id, name }: GithubProfile,
    email: string,
    client: Client,
  ): QuerySteps<PresentRow | undefined> {
    const known = yield* findUserBy(context, 'email', email);
    if (known && known.verified_at !== null) {
      yield* link(known.id, id, client);
      return yield* findUserBy(context, 'id', known.id);
    }
    // A user suspended before the address was verified stays suspended.
    if (known?.suspended_at) return known;
    if (!isOpen) return undefined;
    // The person who registered with the address may not be the person that GitHub knows.
    if (known) yield* removeUnverified(context, known.id);
    const userId = yield* insertUser(context, email, cleanName(name));
    yield* verifyUser(
      context,
      { id: userId, email, suspended_at: null },
      { plan: 'free', passwordHash: null, githubId: id },
    );
    for (const type of ['registered', 'email_verified', 'github_linked'] as const) {
      yield* recordSecurityEvent(context, { type, userId, client });
    }
    return yield* findUserBy(context, 'id', userId);
  }

  return {
    async signInByGithub(person, client, browser = {}) {
      const email = person.verifiedEmail === null ? undefined : normalizeEmail(person.verifiedEmail);
      const token = context.newToken();
      const limits = proofLimits(context, client.ip);
      return context.transactExclusive(function* (): QuerySteps<SignInOutcome> {
        const waitMs = yield* countAttemptIfAllowed(context, limits);
        if (waitMs > 0) throw tooManyAttemptsError(waitMs);
        const linked = yield* findUserBy(context, 'github_id', person.id);
        const user = linked ?? (email === undefined ? undefined : yield* findOrCreateByAddress(person, email, client));
        if (!user) return { outcome: 'wrong' };
        return yield* signInSteps(context, user, { token, isRemembered: false, client, ends: browser.session });
      });
    },
    async linkGithub({ user }, githubId, client) {
      try {
        await context.transactExclusive(function* () {
          const linked = yield* findUserBy(context, 'github_id', githubId);
          if (linked && linked.id !== user.id) throw new RefusedError(409, LINKED_TO_ANOTHER);
          if (!linked) yield* link(user.id, githubId, client);
        });
      } catch (error) {
        throw isUniqueViolation(error) ? new RefusedError(409, LINKED_TO_ANOTHER) : error;
      }
    },
    async unlinkGithub({ user }, client) {
      await context.transactExclusive(function* () {
        const row = yield* findUserBy(context, 'id', user.id);
        if (!row || row.github_id === null) return;
        if (row.password_hash === null) throw new RefusedError(422, NEEDS_PASSWORD);
        yield database.updateTable('users').set({ github_id: null }).where('id', '=', user.id);
        yield* recordSecurityEvent(context, { type: 'github_unlinked', userId: user.id, client });
      });
    },
  };
}
