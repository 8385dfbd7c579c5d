import { link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail, Mailer } from './mail.ts';

interface MailerParts {
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
  const sender = (): MailAddress => (from === undefined ? defaultSender(baseUrl()) : parseSender(from));
  if (smtpUrl !== undefined) return createSmtpMailer({ url: smtpUrl, from: sender });
  return folder === undefined ? undefined : createFileMailer({ folder, from: sender, now, log });
}

const CONNECTED_WITHIN_MS = 10_000;
const SILENT_FOR_MS = 20_000;

interface SmtpMailerParts {
  /** `smtp://` or `smtps://`, with credentials where the server wants some. */
  readonly url: string;
  readonly from: () => MailAddress;
}

/** Hands mails to a server of SMTP, a connection for each. `smtp://` is encrypted where the server offers it. */
function createSmtpMailer({ url, from }: SmtpMailerParts): Mailer {
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
    description: `mail: by SMTP, at ${hostname}${port === '' ? '' : `:${port}`}`,
    async send(mail, id) {
      await transport.sendMail(toNodemailerMessage(mail, id, from()));
    },
  };
}

/** Longest line of a message, in bytes (RFC 5322, 2.1.1). */
const LONGEST_LINE = 998;

interface FileMailerParts {
  /** Made where it is missing. */
  readonly folder: string;
  readonly from: () => MailAddress;
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/**
 * Where no server of SMTP is told: each mail is a file of its own, for the operator to read or to send, and for nobody
 * else, since its links open accounts.
 */
function createFileMailer({ folder, from, now, log }: FileMailerParts): Mailer {
  let written = 0;
  return {
    description: `mail: none is sent (SMTP_URL is unset); each is a file in ${folder}`,
    async send(mail, id) {
      const at = new Date(now());
      const message = await composed(mail, id, from(), at);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `.${id}.draft`);
      await writeDown(draft, message);
      try {
        for (;;) {
          const file = join(folder, `${at.toISOString().replaceAll(':', '-')}-${++written}.eml`);
          // A link, unlike a new name, never takes the place of a file that is there.
          if (!(await isLinked(draft, file))) continue;
          log.info({ file }, 'a mail was written');
          return;
        }
      } finally {
        await rm(draft, { force: true });
      }
    },
  };
}

async function composed(mail: Mail, id: string, from: MailAddress, date: Date): Promise<Buffer> {
  const message = new MailComposer({ ...toNodemailerMessage(mail, id, from), date, newline: 'windows' }).compile();
  // Whoever reads the file copies its link: it stands there as it is, not in pieces of quoted-printable.
  if (mail.text.split('\n').every((line) => Buffer.byteLength(line) < LONGEST_LINE)) {
    message.getTransferEncoding = () => (isAscii(mail.text) ? '7bit' : '8bit');
  }
  return message.build();
}

const isAscii = (text: string): boolean => !/[^\t\r\n\x20-\x7e]/.test(text);

async function writeDown(path: string, content: Buffer): Promise<void> {
  // What a crash has left of the same mail is written over.
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function isLinked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** A mail as nodemailer takes it. Names and addresses are never parsed out of text, and nothing is fetched or read. */
const toNodemailerMessage = ({ to, subject, text }: Mail, id: string, from: MailAddress) => ({
  from: { ...from },
  to: { name: '', address: to },
  subject,
  text,
  messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
  // Answering machines leave it alone.
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

interface MailAddress {
  /** Empty: there is none. */
  readonly name: string;
  readonly address: string;
}

/** An address, perhaps with a name before it, as it stands in `MAIL_FROM`: `Ledgerline <no-reply@sports.example>`. */
function parseSender(text: string): MailAddress {
  const [, quoted, plain, address] = /^(?:"([^"]*)"|([^<]*?))\s*<([^<>]*)>$/.exec(text) ?? [];
  return address === undefined ? { name: '', address: text } : { name: quoted ?? plain ?? '', address };
}

/** Where none is told. @param baseUrl the server's public address */
function defaultSender(baseUrl: string): MailAddress {
  const { hostname } = new URL(baseUrl);
  // An address of version 6 is written otherwise in mail (RFC 5321, 4.1.3).
  const host = hostname.startsWith('[') ? `[IPv6:${hostname.slice(1)}` : hostname;
  return { name: 'Ledgerline', address: `no-reply@${host}` };
}
