import type { Selectable } from 'kysely';
import { invalidField, RefusedError } from '../../domain/primitives/domain-errors.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import {
  countAttempt,
  countAttemptFromIp,
  lockNamesOf,
  readWait,
  registrationLimit,
  tooManyAttemptsError,
} from './attempt-limits.ts';
import { describeClient } from './describe-client.ts';
import { openEmailChange } from './email-change.ts';
import { addJob, type JobQueue } from './job-queue.ts';
import { findPasswordProblem, normalizePassword } from './password-rules.ts';
import { findNameProblem, normalizeEmail } from './profile-rules.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import { expiryTime, findUserBy, hashBrowser, searchText, VERIFICATION_MS } from './user-queries.ts';
import type { Client, UserService } from './user-service.ts';
import type { RegistrationTable } from './user-tables.ts';
import { requestablePlan, verifyUser } from './verify-user.ts';

export const WRONG_EMAIL = 'Write an e-mail address, such as name@example.com.';

const WRONG_REGISTRATION_PASSWORD = 'This is not the password that was chosen at this registration.';

type Registration = Pick<Selectable<RegistrationTable>, 'id' | 'password_hash'>;
/** Registrations with one address that wait for their link to be opened, beside those whose link works. */
const MAX_REGISTRATIONS = 20;

interface RegistrationParts {
  readonly jobs: JobQueue;
  readonly isOpen: () => boolean;
}

/** From the form to the opened link. */
export function createRegistration(
  context: UserContext,
  { jobs, isOpen }: RegistrationParts,
): Pick<UserService, 'register' | 'findVerification' | 'verifyEmail' | 'resendVerification'> {
  const { database, digest, now, passwords } = context;

  function* register(email: string, name: string | null, plan: string, passwordHash: string, client: Client) {
    const known = yield* findUserBy(context, 'email', email);
    if (known && known.verified_at !== null) {
      yield* addJob(context, { kind: 'registered', email, registrationId: null }, null);
      return;
    }
    const userId = known ? known.id : yield* insertUser(context, email, name);
    const [registration] = yield* queryRows(
      database
        .insertInto('registrations')
        .values({
          user_id: userId,
          password_hash: passwordHash,
          name,
          plan: requestablePlan(plan),
          made_at: toIsoTime(now()),
          token_hash: null,
          link_made_at: null,
          opened_at: null,
          browser: hashBrowser(context, client),
          asked_from: describeClient(client),
        })
        .returning('id'),
    );
    yield* dropExcessRegistrations(userId);
    yield* recordSecurityEvent(context, { type: 'registered', userId, client });
    yield* addJob(context, { kind: 'registered', email, registrationId: registration!.id }, userId);
  }

  /**
   * Drops the oldest registrations of an unverified user beyond the bound. One whose link still works stays: mails have a
   * limit of their own, so there are few.
   */
  function* dropExcessRegistrations(userId: number): QuerySteps<void> {
    const ofUser = database.selectFrom('registrations').select('id').where('user_id', '=', userId);
    const newest = ofUser.orderBy('id', 'desc').limit(MAX_REGISTRATIONS);
    yield database
      .deleteFrom('registrations')
      .where('user_id', '=', userId)
      .where('id', 'not in', database.selectFrom(newest.as('newest')).select('newest.id'))
      .where(({ or, eb }) =>
        or([eb('link_made_at', 'is', null), eb('link_made_at', '<=', expiryTime(context, VERIFICATION_MS))]),
      );
  }

  /** Opens the link of a registration. */
  function* openRegistration(hash: string, client: Client): QuerySteps<boolean> {
    const [found] = yield* queryRows(database.selectFrom('registrations').selectAll().where('token_hash', '=', hash));
    if (!found || isExpired(found.link_made_at)) return false;
    if (found.opened_at !== null) return true;
    const user = yield* findUserBy(context, 'id', found.user_id);
    if (!user || user.verified_at !== null) return false;
    yield database
      .updateTable('registrations')
      .set({ opened_at: toIsoTime(now()) })
      .where('id', '=', found.id);
    yield* verifyUser(context, user, { plan: found.plan, passwordHash: found.password_hash }, found.id);
    yield database
      .updateTable('users')
      .set({ name: found.name, search_text: searchText(user.email, found.name) })
      .where('id', '=', user.id);
    yield* recordSecurityEvent(context, { type: 'email_verified', userId: user.id, client });
    return true;
  }

  /** Wrong passwords are limited: the link is no licence to try many. @throws RefusedError */
  async function requirePassword(
    { id, password_hash: hash }: Registration,
    given: string,
    { ip }: Client,
  ): Promise<void> {
    const limits = [registrationLimit(context, id)];
    // Check the limit before spending time on a hash.
    const waitBefore = await context.read(() => readWait(context, limits));
    if (waitBefore > 0) throw tooManyAttemptsError(waitBefore);
    const isRight = await passwords.verify(hash, normalizePassword(given), ip);
    const waitMs = await context.transactShared(lockNamesOf(limits), function* () {
      const wait = yield* readWait(context, limits);
      if (wait === 0 && !isRight) yield* countAttempt(context, limits);
      return wait;
    });
    if (waitMs > 0) throw tooManyAttemptsError(waitMs);
    if (!isRight) throw invalidField('password', WRONG_REGISTRATION_PASSWORD);
  }

  const isExpired = (linkMadeAt: string | null): boolean =>
    linkMadeAt === null || linkMadeAt <= expiryTime(context, VERIFICATION_MS);

  async function findLink(hash: string) {
    const [[registration], [change]] = await Promise.all([
      context.all(database.selectFrom('registrations').selectAll().where('token_hash', '=', hash)),
      context.all(database.selectFrom('email_changes').selectAll().where('token_hash', '=', hash)),
    ]);
    const found = registration ?? change;
    return !found || isExpired(found.link_made_at) ? undefined : { registration, found };
  }

  return {
    async register({ email, password, name, plan }, client) {
      if (!isOpen()) throw new RefusedError(404, 'Nobody can register here.');
      const address = normalizeEmail(email);
      const wrong = {
        email: address === undefined ? WRONG_EMAIL : undefined,
        password: await findPasswordProblem(password, address),
        name: name.trim() === '' ? undefined : findNameProblem(name),
      };
      const fields = Object.fromEntries(Object.entries(wrong).filter(([, message]) => message !== undefined));
      if (address === undefined || Object.keys(fields).length > 0) {
        throw new RefusedError(422, Object.values(fields)[0]!, { fields: fields as Record<string, string> });
      }
      await countAttemptFromIp(context, 'register', client.ip);
      const hash = await passwords.hash(normalizePassword(password), client.ip);
      await context.transactExclusive(() => register(address, name.trim() || null, plan, hash, client));
      jobs.runSoon();
    },
    async findVerification(token) {
      const link = await findLink(digest('link', token));
      if (!link) return undefined;
      if (link.found.opened_at !== null) return 'verified';
      return link.registration ? 'registration' : 'new_address';
    },
    async verifyEmail(token, password, client) {
      const hash = digest('link', token);
      // Check without a lock first, so that guessed tokens neither wait for others nor make others wait.
      const link = await findLink(hash);
      if (!link) return false;
      if (link.registration && link.found.opened_at === null)
        await requirePassword(link.registration, password, client);
      const isRight = await context.transactExclusive(() =>
        link.registration ? openRegistration(hash, client) : openEmailChange(context, hash, client),
      );
      jobs.runSoon();
      return isRight;
    },
    async resendVerification(email, client) {
      await countAttemptFromIp(context, 'resend', client.ip);
      const address = normalizeEmail(email);
      if (address === undefined) return;
      const browser = hashBrowser(context, client);
      await context.transactShared([], () => addJob(context, { kind: 'verification', email: address, browser }, null));
      jobs.runSoon();
    },
  };
}

/** Creates a user with an unverified address. @returns the id */
export function* insertUser({ database, now }: UserContext, email: string, name: string | null): QuerySteps<number> {
  const [user] = yield* queryRows(
    database
      .insertInto('users')
      .values({
        email,
        name,
        timezone: 'UTC',
        is_staff: 0,
        role: 'support',
        created_at: toIsoTime(now()),
        search_text: searchText(email, name),
      })
      .returning('id'),
  );
  return user!.id;
}
