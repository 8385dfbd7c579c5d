import type { Mail } from '../../platform/mail/mail.ts';

/**
 * The texts of the mails. They contain no names: a person who registers with somebody else's address must not be able
 * to write to that person.
 */

const SIGNATURE = '-- \nLedgerline';

const mail = (to: string, subject: string, ...paragraphs: readonly string[]): Mail => ({
  to,
  subject,
  text: `${[...paragraphs, SIGNATURE].join('\n\n')}\n`,
});

/** The URLs in mails. */
export interface MailLinks {
  verify(token: string): string;
  reset(token: string): string;
  /** Stops a change of address, or takes it back. */
  undo(token: string): string;
  readonly signIn: string;
  readonly forgot: string;
  readonly account: string;
  readonly keys: string;
}

/** @param baseUrl the server's public URL, without a trailing slash */
export const createMailLinks = (baseUrl: string): MailLinks => ({
  verify: (token) => `${baseUrl}/verify-email?token=${token}`,
  reset: (token) => `${baseUrl}/reset-password?token=${token}`,
  undo: (token) => `${baseUrl}/undo-email-change?token=${token}`,
  signIn: `${baseUrl}/login`,
  forgot: `${baseUrl}/forgot-password`,
  account: `${baseUrl}/account`,
  keys: `${baseUrl}/api-keys`,
});

/** @param asked when and from where the registration was made */
export const verificationMail = (to: string, links: MailLinks, token: string, asked: string): Mail =>
  mail(
    to,
    'Verify your e-mail address',
    `Somebody has registered at Ledgerline with this address, ${asked}. If it was you, open this link within 24 hours. Its page asks for the password that you have chosen:`,
    links.verify(token),
    'If it was not you, do nothing: without the link and the password there is no account.',
  );

export const alreadyRegisteredMail = (to: string, links: MailLinks): Mail =>
  mail(
    to,
    'You already have an account',
    'Somebody has asked for an account at Ledgerline with this address, which has one already. Sign in here:',
    links.signIn,
    'If you have forgotten the password, set a new one:',
    links.forgot,
    'If it was not you, do nothing: nothing has changed.',
  );

/** A list in a mail; nothing if it is empty. */
const list = (introduction: string, entries: readonly string[]): readonly string[] =>
  entries.length === 0 ? [] : [[introduction, ...entries.map((entry) => `  - ${entry}`)].join('\n')];

/** @param access what a new password does not end */
export const resetMail = (to: string, links: MailLinks, token: string, access: readonly string[]): Mail =>
  mail(
    to,
    'Set a new password',
    'Open this link within an hour to set a new password for your account at Ledgerline. It works once:',
    links.reset(token),
    ...list('These stay as they are, unless you remove them on the page of the link:', access),
    'If you have not asked for it, do nothing: your password stays as it is.',
  );

/** @param access what the new password has not ended */
export const passwordChangedMail = (to: string, links: MailLinks, access: readonly string[]): Mail =>
  mail(
    to,
    'Your password was changed',
    'The password of your account at Ledgerline was changed. Other browsers were signed out; API keys stay as they are.',
    ...list('These can still sign in, call or get messages:', access),
    ...(access.length > 0 ? [`Remove what is not yours here:\n${links.account}\n${links.keys}`] : []),
    'If it was not you, set a new one at once:',
    links.forgot,
  );

export const githubLinkedMail = (to: string, links: MailLinks): Mail =>
  mail(
    to,
    'GitHub was linked to your account',
    'A GitHub account was linked to your account at Ledgerline. Whoever has it can sign in with it.',
    'If it was not you, set a new password at once. The page that sets it can unlink GitHub:',
    links.forgot,
  );

export const githubUnlinkedMail = (to: string, links: MailLinks): Mail =>
  mail(
    to,
    'GitHub was unlinked from your account',
    'Nobody can sign in to your account at Ledgerline with GitHub any more.',
    'If it was not you, set a new password at once:',
    links.forgot,
  );

export const githubRefusedMail = (to: string, links: MailLinks): Mail =>
  mail(
    to,
    'A sign-in with GitHub was refused',
    'A GitHub account that has verified this address was refused at Ledgerline, since your account is linked to another one.',
    'If it was you, unlink the other one first:',
    links.account,
    'If it was not you, look whether your address is verified at a GitHub account that is not yours.',
  );

export const newAddressMail = (to: string, links: MailLinks, token: string): Mail =>
  mail(
    to,
    'Verify your new e-mail address',
    'This address was given as the new one of an account at Ledgerline. Open this link within 24 hours to use it:',
    links.verify(token),
    'If it was not you, do nothing: the account keeps its old address.',
  );

/** Goes to the old address, which stays in use until the link is opened. */
export const emailChangingMail = (to: string, links: MailLinks, newAddress: string, token: string): Mail =>
  mail(
    to,
    'Your e-mail address is about to change',
    `A new e-mail address was given for your account at Ledgerline: ${newAddress}. It counts once the link that was sent there is opened.`,
    'If it was not you, stop it here. For 7 days after the change the same link takes it back:',
    links.undo(token),
    'Then set a new password at once:',
    links.forgot,
  );

/** Goes to the old address, which is no longer in use. @param token absent: it cannot be taken back */
export const emailChangedMail = (to: string, links: MailLinks, newAddress: string, token?: string): Mail =>
  mail(
    to,
    'Your e-mail address was changed',
    `The e-mail address of your account at Ledgerline is ${newAddress} now. This address counts no more.`,
    ...(token === undefined
      ? ['If it was not you, answer to whoever runs this server.']
      : [
          'If it was not you, take it back within 7 days. All sessions end, and you set a new password:',
          links.undo(token),
        ]),
  );

/** @param billing the URL of the billing page */
export const automaticPurchaseDeclinedMail = (to: string, billing: string): Mail =>
  mail(
    to,
    'Your automatic purchase was declined',
    'A pack of credits was to be bought for your account at Ledgerline, and your card was declined. Nothing more is bought automatically until you switch it on again:',
    billing,
  );

export const invoiceDeclinedMail = (to: string, billing: string): Mail =>
  mail(
    to,
    'Your card was declined',
    'The price of your plan at Ledgerline could not be taken from your card. After two declined invoices in a row paid calls are refused. Put another card on file here:',
    billing,
  );
