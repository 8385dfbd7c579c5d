import { createTransport } from 'nodemailer';
import type { Mailer } from './mail.ts';
import { messageOf } from './message.ts';
import type { MailAddress } from './sender.ts';

const CONNECTED_WITHIN_MS = 10_000;
const SILENT_FOR_MS = 20_000;

export interface SmtpMailerParts {
  /** `smtp://` or `smtps://`, with credentials where the server wants some. */
  readonly url: string;
  readonly from: () => MailAddress;
}

/** Hands mails to a server of SMTP, a connection for each. `smtp://` is encrypted where the server offers it. */
export function smtpMailer({ url, from }: SmtpMailerParts): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const transport = createTransport({
    host,
    secure: protocol === 'smtps:',
    ...(port === '' ? {} : { port: Number(port) }),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECTED_WITHIN_MS,
    greetingTimeout: CONNECTED_WITHIN_MS,
    socketTimeout: SILENT_FOR_MS,
  });
  return {
    says: `mail: by SMTP, at ${hostname}${port === '' ? '' : `:${port}`}`,
    async send(mail, id) {
      await transport.sendMail(messageOf(mail, id, from()));
    },
  };
}
