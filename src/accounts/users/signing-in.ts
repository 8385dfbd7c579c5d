import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import { countAttempt, locksOf, noteLimit, signInLimits, takeAttempt, tooMany, waitOf } from './attempts.ts';
import { emailAddress } from './email-address.ts';
import { addErrand, type Errands } from './errands.ts';
import { normalPassword } from './password-rules.ts';
import type { Credentials, People, SignIn } from './people.ts';
import type { PeopleContext } from './people-context.ts';
import { beginSession } from './session-rows.ts';
import { noteEvent } from './sql-security-log.ts';
import type { Client, SignedInUser } from './user.ts';
import { newestRegistrations, type PresentRow, toUser, userBy } from './user-rows.ts';

/** Whose password it may be, as it was when it was looked at. */
interface Candidate {
  readonly user: PresentRow;
  /** Of an unverified one, that of the newest registration. */
  readonly hash: string | undefined;
}

type Outcome = SignIn | { readonly outcome: 'throttled'; readonly waitMs: number };

const WRONG = { outcome: 'wrong' } as const;

/** By password. */
export function createSignIn(
  context: PeopleContext,
  { errands, onError }: { readonly errands: Errands; readonly onError: (error: unknown) => void },
): Pick<People, 'signIn'> {
  const { database, passwords } = context;

  function* candidate(email: string): Steps<Candidate | undefined> {
    const user = yield* userBy(context, 'email', email);
    if (!user) return undefined;
    if (user.verified_at !== null) return { user, hash: user.password_hash ?? undefined };
    const [newest] = yield* rowsOf(newestRegistrations(context, user.id));
    return { user, hash: newest?.password_hash };
  }

  /** Judges again whose it is: a password that was changed meanwhile opens nothing. */
  function* judge(
    found: Candidate | undefined,
    isRight: boolean,
    { given, address, client, token }: { given: Credentials; address: string; client: Client; token: string },
  ): Steps<Outcome> {
    const limits = signInLimits(context, address, client.ip);
    // For the right password too: who tries many must not learn which one it is.
    const waitMs = yield* waitOf(context, limits);
    if (waitMs > 0) return { outcome: 'throttled', waitMs };
    const now = found && (yield* candidate(found.user.email));
    if (!isRight || !now || now.user.id !== found.user.id || now.hash !== found.hash) {
      yield* countAttempt(context, limits);
      yield* noteEvent(context, { type: 'sign_in_failed', userId: found?.user.id, client });
      return WRONG;
    }
    const { user } = now;
    if (user.verified_at === null) {
      yield* addErrand(context, { kind: 'verification', email: user.email }, user.id);
      return { outcome: 'unverified' };
    }
    return yield* signInSteps(context, user, { token, isRemembered: given.remember, client });
  }

  /** Where passwords are hashed better by now. */
  async function renew({ user, hash }: Candidate, password: string): Promise<void> {
    if (user.verified_at === null || hash === undefined || !(await passwords.isWeak(hash))) return;
    const better = await passwords.hash(password);
    await context.beside([], function* (): Steps<void> {
      yield database
        .updateTable('users')
        .set({ password_hash: better })
        .where('id', '=', user.id)
        .where('password_hash', '=', hash);
    });
  }

  return {
    async signIn(given, client) {
      const email = emailAddress(given.email);
      const address = email ?? given.email.trim().toLowerCase();
      const limits = signInLimits(context, address, client.ip);
      const refuse = async (waitMs: number): Promise<never> => {
        const once = [noteLimit(context, client.ip)];
        await context.beside(locksOf(once), function* () {
          const wait = yield* takeAttempt(context, once);
          if (wait === 0) yield* noteEvent(context, { type: 'sign_in_throttled', client });
        });
        throw tooMany(waitMs);
      };
      // Before anything is hashed for it.
      const waitMs = await context.read(() => waitOf(context, limits));
      if (waitMs > 0) return refuse(waitMs);
      const found = email === undefined ? undefined : await context.read(() => candidate(email));
      const password = normalPassword(given.password);
      const isRight = await passwords.verify(found?.hash, password);
      const token = context.newToken();
      const outcome = await context.beside(locksOf(limits), () =>
        judge(found, isRight, { given, address, client, token }),
      );
      if (outcome.outcome === 'throttled') return refuse(outcome.waitMs);
      if (outcome.outcome === 'unverified') errands.soon();
      if (outcome.outcome === 'signed_in') await renew(found!, password).catch(onError);
      return outcome;
    },
  };
}

/** A verified user whose it is begins a session, unless suspended. */
export function* signInSteps(
  context: PeopleContext,
  row: PresentRow,
  { token, isRemembered, client }: { readonly token: string; readonly isRemembered: boolean; readonly client: Client },
): Steps<SignIn> {
  const { database } = context;
  if (row.suspended_at !== null) {
    yield* noteEvent(context, { type: 'sign_in_failed', userId: row.id, client });
    return { outcome: 'suspended' };
  }
  const begun = yield* beginSession(context, toUser(row) as SignedInUser, token, isRemembered, client);
  yield* noteEvent(context, { type: 'signed_in', userId: row.id, client });
  const { leads_to: leadsTo } = row;
  if (leadsTo === null) return { outcome: 'signed_in', ...begun };
  yield database.updateTable('users').set({ leads_to: null }).where('id', '=', row.id);
  return { outcome: 'signed_in', leadsTo, ...begun };
}
