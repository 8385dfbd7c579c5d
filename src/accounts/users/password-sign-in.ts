import type { QuerySteps } from '../../platform/sql/query-runner.ts';
import {
  countAttempt,
  countAttemptIfAllowed,
  lockNamesOf,
  readWait,
  signInLimits,
  throttleNoteLimit,
  tooManyAttemptsError,
} from './attempt-limits.ts';
import { addJob, type JobQueue } from './job-queue.ts';
import { normalizePassword } from './password-rules.ts';
import { normalizeEmail } from './profile-rules.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import { findRegistrationOf, findUserBy, hashBrowser, type PresentRow, toUser } from './user-queries.ts';
import type { Client, Credentials, SignedInUser, SignInOutcome, UserService } from './user-service.ts';
import { startSession } from './user-sessions.ts';

/** The user that a sign-in may belong to, as read before the password was checked. */
interface Candidate {
  readonly user: PresentRow;
  /** For an unverified user: the hash of this browser's registration, else of the newest. */
  readonly hash: string | undefined;
}

type Outcome = SignInOutcome | { readonly outcome: 'throttled'; readonly waitMs: number };

const WRONG = { outcome: 'wrong' } as const;

/** Sign-in by password. */
export function createPasswordSignIn(
  context: UserContext,
  { jobs, onError }: { readonly jobs: JobQueue; readonly onError: (error: unknown) => void },
): Pick<UserService, 'signIn'> {
  const { database, passwords } = context;

  function* candidate(email: string, client: Client): QuerySteps<Candidate | undefined> {
    const user = yield* findUserBy(context, 'email', email);
    if (!user) return undefined;
    if (user.verified_at !== null) return { user, hash: user.password_hash ?? undefined };
    const registration = yield* findRegistrationOf(context, user.id, hashBrowser(context, client));
    return { user, hash: registration?.password_hash };
  }

  /** Reads the user again: a password that was changed meanwhile is not accepted. */
  function* judge(
    found: Candidate | undefined,
    isRight: boolean,
    { given, address, client, token }: { given: Credentials; address: string; client: Client; token: string },
  ): QuerySteps<Outcome> {
    const limits = signInLimits(context, address, client.ip);
    // The right password is throttled too. Otherwise a person who tries many would learn which one is right.
    const waitMs = yield* readWait(context, limits);
    if (waitMs > 0) return { outcome: 'throttled', waitMs };
    const now = found && (yield* candidate(found.user.email, client));
    if (!isRight || !now || now.user.id !== found.user.id || now.hash !== found.hash) {
      yield* countAttempt(context, limits);
      yield* recordSecurityEvent(context, { type: 'sign_in_failed', userId: found?.user.id, client });
      return WRONG;
    }
    const { user } = now;
    if (user.verified_at === null) {
      const browser = hashBrowser(context, client);
      yield* addJob(context, { kind: 'verification', email: user.email, browser }, user.id);
      return { outcome: 'unverified' };
    }
    return yield* signInSteps(context, user, { token, isRemembered: given.remember, client });
  }

  /** Hashes the password again if its hash is weaker than the current parameters. */
  async function renew({ user, hash }: Candidate, password: string): Promise<void> {
    if (user.verified_at === null || hash === undefined || !(await passwords.isWeak(hash))) return;
    const better = await passwords.hash(password);
    await context.transactShared([], function* (): QuerySteps<void> {
      yield database
        .updateTable('users')
        .set({ password_hash: better })
        .where('id', '=', user.id)
        .where('password_hash', '=', hash);
    });
  }

  return {
    async signIn(given, client) {
      const email = normalizeEmail(given.email);
      const address = email ?? given.email.trim().toLowerCase();
      const limits = signInLimits(context, address, client.ip);
      const refuse = async (waitMs: number): Promise<never> => {
        const once = [throttleNoteLimit(context, client.ip)];
        await context.transactShared(lockNamesOf(once), function* () {
          const wait = yield* countAttemptIfAllowed(context, once);
          if (wait === 0) yield* recordSecurityEvent(context, { type: 'sign_in_throttled', client });
        });
        throw tooManyAttemptsError(waitMs);
      };
      // Check the limits before spending time on a hash.
      const waitMs = await context.read(() => readWait(context, limits));
      if (waitMs > 0) return refuse(waitMs);
      const found = email === undefined ? undefined : await context.read(() => candidate(email, client));
      const password = normalizePassword(given.password);
      const isRight = await passwords.verify(found?.hash, password);
      const token = context.newToken();
      const outcome = await context.transactShared(lockNamesOf(limits), () =>
        judge(found, isRight, { given, address, client, token }),
      );
      if (outcome.outcome === 'throttled') return refuse(outcome.waitMs);
      if (outcome.outcome === 'unverified') jobs.runSoon();
      if (outcome.outcome === 'signed_in') await renew(found!, password).catch(onError);
      return outcome;
    },
  };
}

/** Starts a session for a verified user, unless the user is suspended. */
export function* signInSteps(
  context: UserContext,
  row: PresentRow,
  { token, isRemembered, client }: { readonly token: string; readonly isRemembered: boolean; readonly client: Client },
): QuerySteps<SignInOutcome> {
  const { database } = context;
  if (row.suspended_at !== null) {
    yield* recordSecurityEvent(context, { type: 'sign_in_failed', userId: row.id, client });
    return { outcome: 'suspended' };
  }
  const begun = yield* startSession(context, toUser(row) as SignedInUser, token, isRemembered, client);
  yield* recordSecurityEvent(context, { type: 'signed_in', userId: row.id, client });
  const { leads_to: leadsTo } = row;
  if (leadsTo === null) return { outcome: 'signed_in', ...begun };
  yield database.updateTable('users').set({ leads_to: null }).where('id', '=', row.id);
  return { outcome: 'signed_in', leadsTo, ...begun };
}
