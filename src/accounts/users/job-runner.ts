import { toIsoTime } from '../../platform/clock/iso-time.ts';
import type { Mail, Outbox } from '../../platform/mail/mail.ts';
import { type QuerySteps, queryRows } from '../../platform/sql/query-runner.ts';
import type { KeyRegistry } from '../keys/key-registry.ts';
import { countAttemptIfAllowed, type LimitedMail, mailLimit } from './attempt-limits.ts';
import { inBatches, ROWS_AT_ONCE } from './change-in-batches.ts';
import type { Job } from './job-queue.ts';
import { type AccessTools, describeRemainingAccess, readRemainingAccess } from './remaining-access.ts';
import { recordSecurityEvent } from './sql-security-log.ts';
import type { UserContext } from './user-context.ts';
import {
  alreadyRegisteredMail,
  createMailLinks,
  emailChangedMail,
  emailChangingMail,
  githubLinkedMail,
  githubRefusedMail,
  githubUnlinkedMail,
  type MailLinks,
  newAddressMail,
  passwordChangedMail,
  resetMail,
  verificationMail,
} from './user-mails.ts';
import { findRegistrationOf, findUserBy, isEmailTaken, upsertReset } from './user-queries.ts';

export interface JobRunnerTools extends AccessTools {
  readonly outbox: Outbox;
  /** The server's public URL, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly keys: Pick<KeyRegistry, 'list' | 'listMatching' | 'find' | 'revoke'>;
  readonly endBets: (accountId: number) => Promise<void>;
  readonly endMyBooks: (accountId: number) => Promise<void>;
  readonly endSealKeys: (accountId: number) => Promise<void>;
  readonly endWebhooks: (accountId: number) => Promise<void>;
  readonly endBilling: (accountId: number) => Promise<void>;
}

type JobOfKind<Name extends Job['kind']> = Extract<Job, { kind: Name }>;

/** Does a job. A job repeated after a crash may send its mail twice; then only the newer link works. */
export function createJobRunner(context: UserContext, tools: JobRunnerTools): (job: Job) => Promise<void> {
  const { outbox, baseUrl } = tools;

  /** Sends the mail that the steps return. @param steps get a new token and the links */
  async function mailOf(steps: (token: string, links: MailLinks) => QuerySteps<Mail | undefined>): Promise<void> {
    const token = context.newToken();
    const links = createMailLinks(baseUrl());
    const mail = await context.transactExclusive(() => steps(token, links));
    if (mail) await outbox.add(mail);
  }

  /** What a new password of this user does not end, for a mail. */
  async function accessOf(email: string): Promise<readonly string[]> {
    const user = await context.read(() => findUserBy(context, 'email', email));
    return user ? describeRemainingAccess(await readRemainingAccess(context, tools, user)) : [];
  }

  async function resetMailOf(job: JobOfKind<'reset'>): Promise<void> {
    const access = await accessOf(job.email);
    await mailOf((token, links) => requestReset(context, job, { token, links, access }));
  }

  return async (job) => {
    switch (job.kind) {
      case 'registered':
        return mailOf((token, links) => registrationMail(context, job, token, links));
      case 'verification':
        return mailOf((token, links) => repeatVerification(context, job, token, links));
      case 'reset':
        return resetMailOf(job);
      case 'new_address':
        return mailOf((token, links) => verifyNewAddress(context, job, token, links));
      case 'password_changed':
        return outbox.add(passwordChangedMail(job.email, createMailLinks(baseUrl()), await accessOf(job.email)));
      case 'email_changing':
        return mailOf((token, links) => announceEmailChange(context, job, token, links));
      case 'email_changed':
        return mailOf((token, links) => reportEmailChange(context, job, token, links));
      case 'github_linked':
        return outbox.add(githubLinkedMail(job.email, createMailLinks(baseUrl())));
      case 'github_unlinked':
        return outbox.add(githubUnlinkedMail(job.email, createMailLinks(baseUrl())));
      case 'github_refused':
        return mailOf((_, links) => reportRefusedGithub(context, job.email, links));
      case 'erase_clients':
        return eraseClients(context, job);
      case 'end_account':
        return endAccount(context, tools, job.accountId);
    }
  };
}

/** Whether the limits allow another mail of this kind to the address. */
function* countMailIfAllowed(context: UserContext, kind: LimitedMail, email: string): QuerySteps<boolean> {
  return (yield* countAttemptIfAllowed(context, [mailLimit(context, kind, email)])) === 0;
}

function* registrationMail(
  context: UserContext,
  { email, registrationId }: JobOfKind<'registered'>,
  token: string,
  links: MailLinks,
): QuerySteps<Mail | undefined> {
  const user = yield* findUserBy(context, 'email', email);
  if (user && user.verified_at !== null) {
    const may = yield* countMailIfAllowed(context, 'already registered', email);
    return may ? alreadyRegisteredMail(email, links) : undefined;
  }
  if (!user || registrationId === null) return undefined;
  return yield* renewVerification(context, { email, registrationId, token, links });
}

function* repeatVerification(
  context: UserContext,
  { email, browser = null, isOrdered = false }: JobOfKind<'verification'>,
  token: string,
  links: MailLinks,
): QuerySteps<Mail | undefined> {
  const user = yield* findUserBy(context, 'email', email);
  if (!user || user.verified_at !== null) return undefined;
  const registration = yield* findRegistrationOf(context, user.id, browser);
  if (!registration) return undefined;
  return yield* renewVerification(context, { email, registrationId: registration.id, token, links, isOrdered });
}

interface NewLink {
  readonly email: string;
  readonly registrationId: number;
  readonly token: string;
  readonly links: MailLinks;
  readonly isOrdered?: boolean;
}

/** Replaces the link of a registration. The old link stays valid if no new mail may be sent. */
function* renewVerification(
  context: UserContext,
  { email, registrationId, token, links, isOrdered = false }: NewLink,
): QuerySteps<Mail | undefined> {
  if (!isOrdered && !(yield* countMailIfAllowed(context, 'verification', email))) return undefined;
  const { database, digest, now } = context;
  const [renewed] = yield* queryRows(
    database
      .updateTable('registrations')
      .set({ token_hash: digest('link', token), link_made_at: toIsoTime(now()) })
      .where('id', '=', registrationId)
      .where('opened_at', 'is', null)
      .returning(['made_at', 'asked_from']),
  );
  if (!renewed) return undefined;
  const { made_at: at, asked_from: from } = renewed;
  const asked = `at ${at.slice(0, 16).replace('T', ' ')} UTC${from === null ? '' : ` with ${from}`}`;
  return verificationMail(email, links, token, asked);
}

function* requestReset(
  context: UserContext,
  { email, client, isOrdered = false }: JobOfKind<'reset'>,
  { token, links, access }: { readonly token: string; readonly links: MailLinks; readonly access: readonly string[] },
): QuerySteps<Mail | undefined> {
  const user = yield* findUserBy(context, 'email', email);
  if (!user) return undefined;
  if (!isOrdered) {
    if (!(yield* countMailIfAllowed(context, 'reset', email))) return undefined;
    yield* recordSecurityEvent(context, { type: 'password_reset_requested', userId: user.id, client });
  }
  yield upsertReset(context, user.id, token);
  return resetMail(email, links, token, access);
}

function* verifyNewAddress(
  context: UserContext,
  { changeId }: JobOfKind<'new_address'>,
  token: string,
  links: MailLinks,
): QuerySteps<Mail | undefined> {
  const { database, digest, now } = context;
  const [change] = yield* queryRows(database.selectFrom('email_changes').selectAll().where('id', '=', changeId));
  if (!change || change.opened_at !== null) return undefined;
  const { email, user_id: userId } = change;
  if (yield* isEmailTaken(context, email, userId)) {
    const may = yield* countMailIfAllowed(context, 'already registered', email);
    return may ? alreadyRegisteredMail(email, links) : undefined;
  }
  if (!(yield* countMailIfAllowed(context, 'new address', email))) return undefined;
  yield database
    .updateTable('email_changes')
    .set({ token_hash: digest('link', token), link_made_at: toIsoTime(now()) })
    .where('id', '=', changeId);
  return newAddressMail(email, links, token);
}

/** Tells the old address, with a link that stops the change. Nothing if it has been stopped, or has happened. */
function* announceEmailChange(
  { database, digest }: UserContext,
  { email, newEmail, changeId }: JobOfKind<'email_changing'>,
  token: string,
  links: MailLinks,
): QuerySteps<Mail | undefined> {
  if (changeId === undefined) return undefined;
  const [pending] = yield* queryRows(
    database
      .updateTable('email_changes')
      .set({ undo_token_hash: digest('link', token) })
      .where('id', '=', changeId)
      .where('opened_at', 'is', null)
      .returning('id'),
  );
  return pending && emailChangingMail(email, links, newEmail, token);
}

function* reportEmailChange(
  { database, digest }: UserContext,
  { email, newEmail, takebackId = null }: JobOfKind<'email_changed'>,
  token: string,
  links: MailLinks,
): QuerySteps<Mail> {
  const [takeback] = yield* queryRows(
    database
      .updateTable('email_takebacks')
      .set({ changed_token_hash: digest('link', token) })
      .where('id', '=', takebackId)
      .returning('id'),
  );
  return emailChangedMail(email, links, newEmail, takeback && token);
}

function* reportRefusedGithub(context: UserContext, email: string, links: MailLinks): QuerySteps<Mail | undefined> {
  const may = yield* countMailIfAllowed(context, 'refused github', email);
  return may ? githubRefusedMail(email, links) : undefined;
}

function eraseClients(context: UserContext, { userId, upTo }: JobOfKind<'erase_clients'>): Promise<void> {
  const events = context.database.selectFrom('security_events').select('id').limit(ROWS_AT_ONCE);
  const isClient = events
    .where('user_id', '=', userId)
    .where('id', '<=', upTo)
    .where(({ or, eb }) => or([eb('ip', 'is not', null), eb('user_agent', 'is not', null)]));
  return inBatches(context, () =>
    context.database
      .updateTable('security_events')
      .set({ ip: null, user_agent: null })
      .where('id', 'in', isClient)
      .returning('id'),
  );
}

async function endAccount({ now }: UserContext, tools: JobRunnerTools, accountId: number): Promise<void> {
  const at = toIsoTime(now());
  for (const { id, revokedAt } of await tools.keys.list(accountId)) {
    if (revokedAt === null) await tools.keys.revoke(id, at, accountId);
  }
  for (const { id } of await tools.links.list(accountId)) await tools.links.remove(id, accountId);
  await tools.endBets(accountId);
  await tools.endMyBooks(accountId);
  await tools.endSealKeys(accountId);
  await tools.endWebhooks(accountId);
  await tools.endBilling(accountId);
}
