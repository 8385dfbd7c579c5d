import { link, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail, Mailer } from './mail.ts';

interface MailerParts {
  /** Undefined: `SMTP_URL` is unset. */
  readonly smtpUrl: string | undefined;
  /** As in `MAIL_FROM`; undefined: `Ledgerline <no-reply@HOST>`. */
  readonly from: string | undefined;
  /** The public URL; its host is the host of the default sender. */
  readonly baseUrl: () => string;
  /** The folder for mails as files; undefined: this process writes none. */
  readonly folder: string | undefined;
  readonly now: () => number;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** How mails are sent. Undefined: not at all. */
export function chooseMailer({ smtpUrl, from, baseUrl, folder, now, log }: MailerParts): Mailer | undefined {
  const sender = (): MailAddress => (from === undefined ? defaultSender(baseUrl()) : parseSender(from));
  if (smtpUrl !== undefined) return createSmtpMailer({ url: smtpUrl, from: sender });
  return folder === undefined ? undefined : createFileMailer({ folder, from: sender, now, log });
}

const CONNECTED_WITHIN_MS = 10_000;
const SILENT_FOR_MS = 20_000;
/** Of one reply: real ones have a few lines. */
const MAX_REPLY_BYTES = 64 * 1024;

interface SmtpMailerParts {
  /** `smtp://` or `smtps://`, with credentials if the server needs them. */
  readonly url: string;
  readonly from: () => MailAddress;
}

/**
 * Sends mails to an SMTP server, one connection for each. With `smtp://` the connection is encrypted if the server
 * offers it.
 */
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
    maxResponseSize: MAX_REPLY_BYTES,
  });
  return {
    description: `mail: by SMTP, at ${hostname}${port === '' ? '' : `:${port}`}`,
    async send(mail, id) {
      await transport.sendMail(toNodemailerMessage(mail, id, from()));
    },
  };
}

/** Maximum length of a message line, in bytes (RFC 5322, 2.1.1). */
const LONGEST_LINE = 998;

interface FileMailerParts {
  /** Created if missing. */
  readonly folder: string;
  readonly from: () => MailAddress;
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/**
 * Used without an SMTP server: writes each mail to a file, for the operator to read or to send. Only the operator can
 * read it, since its links give access to accounts.
 */
function createFileMailer({ folder, from, now, log }: FileMailerParts): Mailer {
  let written = 0;
  return {
    description: `mail: none is sent (SMTP_URL is unset); each is a file in ${folder}`,
    async send(mail, id) {
      const at = new Date(now());
      const message = await composed(mail, id, from(), at);
      const made = await mkdir(folder, { recursive: true, mode: 0o700 });
      if (made !== undefined) await flushNames(dirname(folder));
      const draft = join(folder, `.${id}.draft`);
      await writeDown(draft, message);
      try {
        for (;;) {
          const file = join(folder, `${at.toISOString().replaceAll(':', '-')}-${++written}.eml`);
          // Unlike a rename, a link never replaces an existing file.
          if (!(await isLinked(draft, file))) continue;
          // The queue forgets the mail now.
          await flushNames(folder);
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
  // People copy the link from the file, so do not encode it as quoted-printable.
  if (mail.html === undefined && mail.text.split('\n').every((line) => Buffer.byteLength(line) < LONGEST_LINE)) {
    message.getTransferEncoding = () => (isAscii(mail.text) ? '7bit' : '8bit');
  }
  return message.build();
}

const isAscii = (text: string): boolean => !/[^\t\r\n\x20-\x7e]/.test(text);

async function writeDown(path: string, content: Buffer): Promise<void> {
  // Overwrites a draft of the same mail that a crash has left.
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes the names of the files in a folder. */
async function flushNames(folder: string): Promise<void> {
  // Windows cannot open folders, and does not need this.
  if (process.platform === 'win32') return;
  const names = await open(folder, 'r');
  try {
    await names.sync();
  } finally {
    await names.close();
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

/** A mail for nodemailer. Names and addresses are never parsed from text, and no files or URLs are read. */
const toNodemailerMessage = ({ to, subject, text, html, oneClickEnd }: Mail, id: string, from: MailAddress) => ({
  from: { ...from },
  to: { name: '', address: to },
  subject,
  text,
  ...(html !== undefined && { html }),
  messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
  // Auto-responders ignore the mail.
  headers: {
    'Auto-Submitted': 'auto-generated',
    ...(oneClickEnd !== undefined && {
      'List-Unsubscribe': `<${oneClickEnd}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  },
  disableFileAccess: true,
  disableUrlAccess: true,
});

interface MailAddress {
  /** Empty: no name. */
  readonly name: string;
  readonly address: string;
}

/** Parses an address with an optional name, as in `MAIL_FROM`: `Ledgerline <no-reply@sports.example>`. */
function parseSender(text: string): MailAddress {
  const [, quoted, plain, address] = /^(?:"([^"]*)"|([^<]*?))\s*<([^<>]*)>$/.exec(text) ?? [];
  return address === undefined ? { name: '', address: text } : { name: quoted ?? plain ?? '', address };
}

/** The sender without `MAIL_FROM`. @param baseUrl the server's public URL */
function defaultSender(baseUrl: string): MailAddress {
  const { hostname } = new URL(baseUrl);
  // Mail has its own form for an IPv6 address (RFC 5321, 4.1.3).
  const host = hostname.startsWith('[') ? `[IPv6:${hostname.slice(1)}` : hostname;
  return { name: 'Ledgerline', address: `no-reply@${host}` };
}
