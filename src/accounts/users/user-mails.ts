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
  readonly signIn: string;
  readonly forgot: string;
}

/** @param baseUrl the server's public URL, without a trailing slash */
export const createMailLinks = (baseUrl: string): MailLinks => ({
  verify: (token) => `${baseUrl}/verify-email?token=${token}`,
  reset: (token) => `${baseUrl}/reset-password?token=${token}`,
  signIn: `${baseUrl}/login`,
  forgot: `${baseUrl}/forgot-password`,
});

export const verificationMail = (to: string, links: MailLinks, token: string): Mail =>
  mail(
    to,
    'Verify your e-mail address',
    'Somebody has registered at Ledgerline with this address. If it was you, open this link within 24 hours:',
    links.verify(token),
    'If it was not you, do nothing: without the link there is no account.',
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

export const resetMail = (to: string, links: MailLinks, token: string): Mail =>
  mail(
    to,
    'Set a new password',
    'Open this link within an hour to set a new password for your account at Ledgerline. It works once:',
    links.reset(token),
    'If you have not asked for it, do nothing: your password stays as it is.',
  );

export const passwordChangedMail = (to: string, links: MailLinks): Mail =>
  mail(
    to,
    'Your password was changed',
    'The password of your account at Ledgerline was changed. Other browsers were signed out; API keys stay as they are.',
    'If it was not you, set a new one at once:',
    links.forgot,
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
export const emailChangingMail = (to: string, links: MailLinks, newAddress: string): Mail =>
  mail(
    to,
    'Your e-mail address is about to change',
    `A new e-mail address was given for your account at Ledgerline: ${newAddress}. It counts once the link that was sent there is opened.`,
    'If it was not you, set a new password at once:',
    links.forgot,
  );

/** Goes to the old address, which is no longer in use. */
export const emailChangedMail = (to: string, newAddress: string): Mail =>
  mail(
    to,
    'Your e-mail address was changed',
    `The e-mail address of your account at Ledgerline is ${newAddress} now. This address counts no more.`,
    'If it was not you, answer to whoever runs this server.',
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
