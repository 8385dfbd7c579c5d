import { fileMailer } from './file-mailer.ts';
import type { Mailer } from './mail.ts';
import { defaultSender, type MailAddress, readSender } from './sender.ts';
import { smtpMailer } from './smtp-mailer.ts';

export interface MailerParts {
  /** Undefined: `SMTP_URL` is unset. */
  readonly smtpUrl: string | undefined;
  /** As `MAIL_FROM` has it; undefined: `Ledgerline <no-reply@HOST>`. */
  readonly from: string | undefined;
  /** The public address, whose host the sender is of. */
  readonly baseUrl: () => string;
  /** For mails as files; undefined: this process writes none. */
  readonly folder: string | undefined;
  readonly now: () => number;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** How mails leave. Undefined: not at all. */
export function chooseMailer({ smtpUrl, from, baseUrl, folder, now, log }: MailerParts): Mailer | undefined {
  const sender = (): MailAddress => (from === undefined ? defaultSender(baseUrl()) : readSender(from));
  if (smtpUrl !== undefined) return smtpMailer({ url: smtpUrl, from: sender });
  return folder === undefined ? undefined : fileMailer({ folder, from: sender, now, log });
}
