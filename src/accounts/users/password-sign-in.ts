import type { QuerySteps } from '../../platform/sql/query-runner.ts';
import {
  type AttemptLimit,
  countAttempt,
  knownBrowserLimit,
  lockNamesOf,
  proofLimits,
  readWait,
  signInLimits,
  tooManyAttemptsError,
} from './attempt-limits.ts';
import { addJob, type JobQueue } from './job-queue.ts';
import { normalizePassword } from './password-rules.ts';
import { normalizeEmail } from './profile-rules.ts';
import { recordKeylessEvent, recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import { findRegistrationOf, findUserBy, hashBrowser, type PresentRow, toUser } from './user-queries.ts';
import type {
  BrowserState,
  Client,
  Credentials,
  Session,
  SignedInUser,
  SignInOutcome,
  UserService,
} from './user-service.ts';
import { startSession } from './user-sessions.ts';

/** The user that a sign-in may belong to, as read before the password was checked. */
interface Candidate {
  readonly user: PresentRow;
  /** For an unverified user: the hash of this browser's registration, else of the newest. */
  readonly hash: string | undefined;
}

/** What a browser has sent. */
interface Attempt {
  readonly given: Credentials;
  /** Normalized, or as typed if it is not an address. */
  readonly address: string;
  readonly client: Client;
  readonly browser: BrowserState;
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

  /** A browser that has had a session of the user counts for itself: others cannot lock it out. */
  function limitsOf(found: Candidate | undefined, { address, client, browser }: Attempt): readonly AttemptLimit[] {
    const { known } = browser;
    return found && known?.userIds.includes(found.user.id)
      ? [knownBrowserLimit(context, known.name, address)]
      : signInLimits(context, address, client.ip);
  }

  /** Reads the user again: a password that was changed meanwhile is not accepted. */
  function* judge(
    found: Candidate | undefined,
    isRight: boolean,
    attempt: Attempt,
    token: string,
  ): QuerySteps<Outcome> {
    const { client, browser } = attempt;
    const limits = limitsOf(found, attempt);
    const proofs = proofLimits(context, client.ip);
    // The right password is throttled too. Otherwise a person who tries many would learn which one is right.
    const waitMs = yield* readWait(context, [...limits, ...proofs]);
    if (waitMs > 0) return { outcome: 'throttled', waitMs };
    const now = found && (yield* candidate(found.user.email, client));
    if (!isRight || !now || now.user.id !== found.user.id || now.hash !== found.hash) {
      yield* countAttempt(context, limits);
      yield* recordSecurityEvent(context, { type: 'sign_in_failed', userId: found?.user.id, client });
      return WRONG;
    }
    yield* countAttempt(context, proofs);
    const { user } = now;
    if (user.verified_at === null) {
      const browser = hashBrowser(context, client);
      yield* addJob(context, { kind: 'verification', email: user.email, browser }, user.id);
      return { outcome: 'unverified' };
    }
    const isRemembered = attempt.given.remember;
    return yield* signInSteps(context, user, { token, isRemembered, client, ends: browser.session });
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
    async signIn(given, client, browser = {}) {
      const email = normalizeEmail(given.email);
      const attempt: Attempt = { given, address: email ?? given.email.trim().toLowerCase(), client, browser };
      const refuse = async (waitMs: number): Promise<never> => {
        await recordKeylessEvent(context, { type: 'sign_in_throttled', client });
        throw tooManyAttemptsError(waitMs);
      };
      const found = email === undefined ? undefined : await context.read(() => candidate(email, client));
      const limits = [...limitsOf(found, attempt), ...proofLimits(context, client.ip)];
      // Check the limits before spending time on a hash.
      const waitMs = await context.read(() => readWait(context, limits));
      if (waitMs > 0) return refuse(waitMs);
      const password = normalizePassword(given.password);
      const isRight = await passwords.verify(found?.hash, password, client.ip);
      const token = context.newToken();
      const outcome = await context.transactShared(lockNamesOf(limits), () => judge(found, isRight, attempt, token));
      if (outcome.outcome === 'throttled') return refuse(outcome.waitMs);
      if (outcome.outcome === 'unverified') jobs.runSoon();
      if (outcome.outcome === 'signed_in') await renew(found!, password).catch(onError);
      return outcome;
    },
  };
}

interface NewSessionRequest {
  readonly token: string;
  readonly isRemembered: boolean;
  readonly client: Client;
  /** The session that the browser has had until now. */
  readonly ends?: Session | undefined;
}

/** Starts a session for a verified user, unless the user is suspended. */
export function* signInSteps(
  context: UserContext,
  row: PresentRow,
  { token, isRemembered, client, ends }: NewSessionRequest,
): QuerySteps<SignInOutcome> {
  const { database } = context;
  if (row.suspended_at !== null) {
    yield* recordSecurityEvent(context, { type: 'sign_in_failed', userId: row.id, client });
    return { outcome: 'suspended' };
  }
  if (ends) yield database.deleteFrom('sessions').where('id', '=', ends.id).where('user_id', '=', ends.user.id);
  const begun = yield* startSession(context, toUser(row) as SignedInUser, token, isRemembered, client);
  yield* recordSecurityEvent(context, { type: 'signed_in', userId: row.id, client });
  const { leads_to: leadsTo } = row;
  if (leadsTo === null) return { outcome: 'signed_in', ...begun };
  yield database.updateTable('users').set({ leads_to: null }).where('id', '=', row.id);
  return { outcome: 'signed_in', leadsTo, ...begun };
}
