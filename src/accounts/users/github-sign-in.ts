import { RefusedError } from '../../domain/primitives/domain-errors.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { isUniqueViolation } from '../../platform/sql/dialects.ts';
import type { QuerySteps } from '../../platform/sql/query-runner.ts';
import { countAttemptIfAllowed, proofLimits, tooManyAttemptsError } from './attempt-limits.ts';
import { addJob, type JobQueue } from './job-queue.ts';
import { SIGN_IN_AGAIN } from './own-account.ts';
import { signInSteps } from './password-sign-in.ts';
import { cleanName, normalizeEmail } from './profile-rules.ts';
import { insertUser } from './registration.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import { findUserBy, type PresentRow, removeUnverified } from './user-queries.ts';
import type { Client, GithubProfile, GithubSignInOutcome, UserService } from './user-service.ts';
import { isSessionConfirmed } from './user-sessions.ts';
import { verifyUser } from './verify-user.ts';

const LINKED_TO_ANOTHER = 'This GitHub account is linked to another user.';
const UNLINK_FIRST = 'Another GitHub account is linked to you. Unlink that one first.';
const NEEDS_PASSWORD = 'Set a password first: without it and without GitHub you could not sign in.';

/** @param isOpen whether an unknown person becomes a user */
export function createGithubSignIn(
  context: UserContext,
  { jobs, isOpen }: { readonly jobs: JobQueue; readonly isOpen: () => boolean },
): Pick<UserService, 'signInByGithub' | 'linkGithub' | 'unlinkGithub'> {
  const { database, now } = context;

  function* link({ id: userId, email }: PresentRow, githubId: string, client: Client): QuerySteps<void> {
    const linked = { github_id: githubId, github_linked_at: toIsoTime(now()) };
    yield database.updateTable('users').set(linked).where('id', '=', userId);
    yield* recordSecurityEvent(context, { type: 'github_linked', userId, client });
    yield* addJob(context, { kind: 'github_linked', email }, userId);
  }

  /** The user with this address, created if missing; undefined: none, and registration is closed. */
  function* findOrCreateByAddress(
    { id, name }: GithubProfile,
    email: string,
    client: Client,
  ): QuerySteps<PresentRow | 'other_github' | undefined> {
    const known = yield* findUserBy(context, 'email', email);
    if (known && known.verified_at !== null) {
      if (known.github_id !== null) {
        // The address may have another owner at GitHub by now.
        yield* recordSecurityEvent(context, { type: 'github_refused', userId: known.id, client });
        yield* addJob(context, { kind: 'github_refused', email }, known.id);
        return 'other_github';
      }
      yield* link(known, id, client);
      return yield* findUserBy(context, 'id', known.id);
    }
    // A user suspended before the address was verified stays suspended.
    if (known?.suspended_at) return known;
    if (!isOpen()) return undefined;
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
      const outcome = await context.transactExclusive(function* (): QuerySteps<GithubSignInOutcome> {
        const waitMs = yield* countAttemptIfAllowed(context, limits);
        if (waitMs > 0) throw tooManyAttemptsError(waitMs);
        const linked = yield* findUserBy(context, 'github_id', person.id);
        const user = linked ?? (email === undefined ? undefined : yield* findOrCreateByAddress(person, email, client));
        if (!user) return { outcome: 'wrong' };
        if (user === 'other_github') return { outcome: user };
        return yield* signInSteps(context, user, { token, isRemembered: false, client, ends: browser.session });
      });
      jobs.runSoon();
      return outcome;
    },
    async linkGithub({ id, user }, githubId, client) {
      try {
        await context.transactExclusive(function* () {
          const linked = yield* findUserBy(context, 'github_id', githubId);
          if (linked && linked.id !== user.id) throw new RefusedError(409, LINKED_TO_ANOTHER);
          if (linked) return;
          if (!(yield* isSessionConfirmed(context, id))) throw new RefusedError(403, SIGN_IN_AGAIN);
          const row = yield* findUserBy(context, 'id', user.id);
          if (!row) return;
          if (row.github_id !== null) throw new RefusedError(409, UNLINK_FIRST);
          yield* link(row, githubId, client);
        });
        jobs.runSoon();
      } catch (error) {
        throw isUniqueViolation(error) ? new RefusedError(409, LINKED_TO_ANOTHER) : error;
      }
    },
    async unlinkGithub({ user }, client) {
      await context.transactExclusive(function* () {
        const row = yield* findUserBy(context, 'id', user.id);
        if (!row || row.github_id === null) return;
        if (row.password_hash === null) throw new RefusedError(422, NEEDS_PASSWORD);
        yield* unlinkGithubSteps(context, user.id, client);
      });
      jobs.runSoon();
    },
  };
}

/** @returns false if it was not linked */
export function* unlinkGithubSteps(context: UserContext, userId: number, client: Client): QuerySteps<boolean> {
  const user = yield* findUserBy(context, 'id', userId);
  if (!user || user.github_id === null) return false;
  const unlinked = { github_id: null, github_linked_at: null };
  yield context.database.updateTable('users').set(unlinked).where('id', '=', userId);
  yield* recordSecurityEvent(context, { type: 'github_unlinked', userId, client });
  yield* addJob(context, { kind: 'github_unlinked', email: user.email }, userId);
  return true;
}
