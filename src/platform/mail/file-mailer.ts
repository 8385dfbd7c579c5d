import { link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail, Mailer } from './mail.ts';
import { messageOf } from './message.ts';
import type { MailAddress } from './sender.ts';

/** Longest line of a message, in bytes (RFC 5322, 2.1.1). */
const LONGEST_LINE = 998;

export interface FileMailerParts {
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
export function fileMailer({ folder, from, now, log }: FileMailerParts): Mailer {
  let written = 0;
  return {
    says: `mail: none is sent (SMTP_URL is unset); each is a file in ${folder}`,
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
  const message = new MailComposer({ ...messageOf(mail, id, from), date, newline: 'windows' }).compile();
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
