import type { Mail, Outbox } from '../../platform/mail/mail.ts';
import { rowsOf, type Steps } from '../../platform/sql/query-runner.ts';
import type { KeyRegistry } from '../keys/key-registry.ts';
import { type LimitedMail, mailLimit, takeAttempt } from './attempts.ts';
import type { Errand } from './errands.ts';
import { putReset } from './links.ts';
import {
  alreadyRegisteredMail,
  emailChangedMail,
  emailChangingMail,
  type Links,
  linksOf,
  newAddressMail,
  passwordChangedMail,
  resetMail,
  verificationMail,
} from './mails.ts';
import { type PeopleContext, timeText } from './people-context.ts';
import { noteEvent } from './sql-security-log.ts';
import { isTaken, newestRegistrations, userBy } from './user-rows.ts';

export interface ErrandTools {
  readonly outbox: Outbox;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  readonly keys: Pick<KeyRegistry, 'list' | 'revoke'>;
  readonly endWebhooks: (accountId: number) => Promise<void>;
  readonly endBilling: (accountId: number) => Promise<void>;
}

type Kind<Name extends Errand['kind']> = Extract<Errand, { kind: Name }>;

/** Does one. Once more after a crash, a mail may come twice: the newer link is the one that works then. */
export function createErrandWork(context: PeopleContext, tools: ErrandTools): (errand: Errand) => Promise<void> {
  const { outbox, baseUrl } = tools;

  /** Sends what the steps give. @param steps given a new token and the links */
  async function mailOf(steps: (token: string, links: Links) => Steps<Mail | undefined>): Promise<void> {
    const token = context.newToken();
    const links = linksOf(baseUrl());
    const mail = await context.change(() => steps(token, links));
    if (mail) await outbox.add(mail);
  }

  return async (errand) => {
    switch (errand.kind) {
      case 'registered':
        return mailOf((token, links) => registered(context, errand, token, links));
      case 'verification':
        return mailOf((token, links) => verification(context, errand, token, links));
      case 'reset':
        return mailOf((token, links) => reset(context, errand, token, links));
      case 'new_address':
        return mailOf((token, links) => newAddress(context, errand, token, links));
      case 'password_changed':
        return outbox.add(passwordChangedMail(errand.email, linksOf(baseUrl())));
      case 'email_changing':
        return outbox.add(emailChangingMail(errand.email, linksOf(baseUrl()), errand.newEmail));
      case 'email_changed':
        return outbox.add(emailChangedMail(errand.email, errand.newEmail));
      case 'end_account':
        return endAccount(context, tools, errand.accountId);
    }
  };
}

/** Whether one more mail of the kind may go to the address. */
function* mayMail(context: PeopleContext, kind: LimitedMail, email: string): Steps<boolean> {
  return (yield* takeAttempt(context, [mailLimit(context, kind, email)])) === 0;
}

function* registered(
  context: PeopleContext,
  { email, registrationId }: Kind<'registered'>,
  token: string,
  links: Links,
): Steps<Mail | undefined> {
  const user = yield* userBy(context, 'email', email);
  if (user && user.verified_at !== null) {
    const may = yield* mayMail(context, 'already registered', email);
    return may ? alreadyRegisteredMail(email, links) : undefined;
  }
  if (!user || registrationId === null) return undefined;
  return yield* verificationOf(context, { email, registrationId, token, links });
}

function* verification(
  context: PeopleContext,
  { email, isOrdered = false }: Kind<'verification'>,
  token: string,
  links: Links,
): Steps<Mail | undefined> {
  const user = yield* userBy(context, 'email', email);
  if (!user || user.verified_at !== null) return undefined;
  const [newest] = yield* rowsOf(newestRegistrations(context, user.id));
  if (!newest) return undefined;
  return yield* verificationOf(context, { email, registrationId: newest.id, token, links, isOrdered });
}

interface NewLink {
  readonly email: string;
  readonly registrationId: number;
  readonly token: string;
  readonly links: Links;
  readonly isOrdered?: boolean;
}

/** The link before dies with the mail of the new one, and not where no mail may be sent. */
function* verificationOf(
  context: PeopleContext,
  { email, registrationId, token, links, isOrdered = false }: NewLink,
): Steps<Mail | undefined> {
  if (!isOrdered && !(yield* mayMail(context, 'verification', email))) return undefined;
  const { database, digest, now } = context;
  const [renewed] = yield* rowsOf(
    database
      .updateTable('registrations')
      .set({ token_hash: digest('link', token), link_made_at: timeText(now()) })
      .where('id', '=', registrationId)
      .where('opened_at', 'is', null)
      .returning('id'),
  );
  return renewed && verificationMail(email, links, token);
}

function* reset(
  context: PeopleContext,
  { email, client, isOrdered = false }: Kind<'reset'>,
  token: string,
  links: Links,
): Steps<Mail | undefined> {
  const user = yield* userBy(context, 'email', email);
  if (!user) return undefined;
  if (!isOrdered) {
    if (!(yield* mayMail(context, 'reset', email))) return undefined;
    yield* noteEvent(context, { type: 'password_reset_requested', userId: user.id, client });
  }
  yield putReset(context, user.id, token);
  return resetMail(email, links, token);
}

function* newAddress(
  context: PeopleContext,
  { changeId }: Kind<'new_address'>,
  token: string,
  links: Links,
): Steps<Mail | undefined> {
  const { database, digest, now } = context;
  const [change] = yield* rowsOf(database.selectFrom('email_changes').selectAll().where('id', '=', changeId));
  if (!change || change.opened_at !== null) return undefined;
  const { email, user_id: userId } = change;
  if (yield* isTaken(context, email, userId)) {
    const may = yield* mayMail(context, 'already registered', email);
    return may ? alreadyRegisteredMail(email, links) : undefined;
  }
  if (!(yield* mayMail(context, 'new address', email))) return undefined;
  yield database
    .updateTable('email_changes')
    .set({ token_hash: digest('link', token), link_made_at: timeText(now()) })
    .where('id', '=', changeId);
  return newAddressMail(email, links, token);
}

async function endAccount({ now }: PeopleContext, tools: ErrandTools, accountId: number): Promise<void> {
  const at = timeText(now());
  for (const { id, revokedAt } of await tools.keys.list(accountId)) {
    if (revokedAt === null) await tools.keys.revoke(id, at, accountId);
  }
  await tools.endWebhooks(accountId);
  await tools.endBilling(accountId);
}
