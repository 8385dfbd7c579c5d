import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Mail } from '../../../src/platform/mail/mail.ts';
import { chooseMailer } from '../../../src/platform/mail/mailers.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { serveSmtpDouble } from './smtp-double.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const LINK = `https://sports.example/reset-password?token=${'t'.repeat(43)}`;
const MAIL: Mail = { to: 'ann@a.example', subject: 'Set a new password', text: `Open\n\n${LINK}\n` };

const lines: unknown[] = [];
const chosen = (given: { smtpUrl?: string; from?: string; folder?: string; baseUrl?: string }) =>
  chooseMailer({
    smtpUrl: given.smtpUrl,
    from: given.from,
    folder: given.folder,
    baseUrl: () => given.baseUrl ?? 'https://sports.example/app',
    now: () => NOW,
    log: { info: (fields, message) => void lines.push({ ...fields, message }) },
  });

/** The header's fields by name, unfolded, and the text, decoded. */
function read(content: string) {
  const [head = '', ...body] = content.split('\r\n\r\n');
  const fields = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const header = Object.fromEntries(fields.map((field) => field.split(/: (.*)/s).slice(0, 2) as [string, string]));
  const text = body.join('\r\n\r\n');
  const isQuoted = header['Content-Transfer-Encoding'] === 'quoted-printable';
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return {
    header,
    names: fields.map((field) => field.split(':')[0]),
    text: isQuoted ? Buffer.from(bytes, 'latin1').toString() : text,
  };
}

describe('by SMTP', () => {
  let double: Awaited<ReturnType<typeof serveSmtpDouble>>;
  beforeEach(async () => {
    double = await serveSmtpDouble({ wantsLogin: true });
  });
  afterEach(() => double.close());

  it('a mail is handed over from the default sender, to its one reader, whole', async () => {
    const mailer = chosen({ smtpUrl: double.url })!;
    await mailer.send(MAIL, 'id-1');
    const [taken] = double.taken;
    expect(taken).toMatchObject({ from: 'no-reply@sports.example', to: ['ann@a.example'] });
    const { header, text } = read(taken!.content);
    expect(header).toMatchObject({
      From: 'Ledgerline <no-reply@sports.example>',
      To: 'ann@a.example',
      Subject: 'Set a new password',
      'Message-ID': '<id-1@sports.example>',
      'Content-Type': 'text/plain; charset=utf-8',
    });
    expect(text).toContain(LINK);
  });

  it('the sender is that of MAIL_FROM, and the server is told who logs in', async () => {
    const smtpUrl = `smtp://me%40x:pass%2Fword@127.0.0.1:${double.port}`;
    const mailer = chosen({ smtpUrl, from: '"Scores, Inc" <post@mail.example>' })!;
    expect(mailer.description).not.toContain('pass');
    await mailer.send({ ...MAIL, subject: 'Grüße' }, 'id-2');
    expect(double.taken).toMatchObject([{ from: 'post@mail.example', login: 'me@x:pass/word' }]);
    const { header } = read(double.taken[0]!.content);
    expect(header['From']).toBe('"Scores, Inc" <post@mail.example>');
    expect(header['Subject']).toMatch(/^=\?UTF-8\?Q\?/);
  });

  it('an address is one address, whatever stands in it, and no header', async () => {
    const mailer = chosen({ smtpUrl: double.url })!;
    await mailer.send({ ...MAIL, to: 'ann@a.example,eve@e.example' }, 'id').catch(() => {});
    await mailer.send({ ...MAIL, to: 'ann@a.example>\r\nRCPT TO:<eve@e.example' }, 'id').catch(() => {});
    await mailer.send({ ...MAIL, subject: 'Hi\r\nBcc: eve@e.example' }, 'id').catch(() => {});
    for (const { to, content } of double.taken) {
      expect(to).toHaveLength(1);
      expect(to[0]).not.toBe('eve@e.example');
      expect(read(content).names).not.toContain('Bcc');
    }
  });

  it('a mail that is refused is told so', async () => {
    double.answers.push('451 4.3.0 try later');
    await expect(chosen({ smtpUrl: double.url })!.send(MAIL, 'id')).rejects.toMatchObject({ responseCode: 451 });
  });

  it('a reply that does not end within 64 KiB is a failure', async () => {
    double.answers.push(`250-${'x'.repeat(100 * 1024)}`);
    await expect(chosen({ smtpUrl: double.url })!.send(MAIL, 'id')).rejects.toThrow(/too large|exceed|limit|maxim/i);
  });
});

describe('as files', () => {
  const folder = temporaryFolder();

  it('each mail is a message of its own, there at once whole, for its owner’s eyes', async () => {
    const mails = folder.path('one/mail');
    const mailer = chosen({ folder: mails })!;
    expect(existsSync(mails)).toBe(false);
    await mailer.send(MAIL, 'id-1');
    await mailer.send({ ...MAIL, text: `Hello Zoë,\n${LINK}\n` }, 'id-2');
    const names = readdirSync(mails).sort();
    expect(names).toEqual(['2026-03-01T12-00-00.000Z-1.eml', '2026-03-01T12-00-00.000Z-2.eml']);
    expect(statSync(mails).mode & 0o777).toBe(0o700);
    for (const name of names) expect(statSync(`${mails}/${name}`).mode & 0o777).toBe(0o600);
    const content = readFileSync(`${mails}/${names[0]}`, 'utf8');
    const { header, text } = read(content);
    expect(header).toMatchObject({
      From: 'Ledgerline <no-reply@sports.example>',
      To: 'ann@a.example',
      Date: 'Sun, 01 Mar 2026 12:00:00 +0000',
      'MIME-Version': '1.0',
      'Content-Transfer-Encoding': '7bit',
    });
    expect(text).toBe(MAIL.text.replaceAll('\n', '\r\n'));
    // Whoever opens the file can copy the link.
    expect(readFileSync(`${mails}/${names[1]}`, 'utf8')).toContain(`Hello Zoë,\r\n${LINK}\r\n`);
  });

  it('none takes the place of one that is there, and the log names the file, never its link', async () => {
    const mails = folder.path('two');
    lines.length = 0;
    await chosen({ folder: mails })!.send(MAIL, 'id-1');
    await chosen({ folder: mails })!.send(MAIL, 'id-2');
    expect(readdirSync(mails)).toHaveLength(2);
    expect(lines).toMatchObject([{ file: `${mails}/2026-03-01T12-00-00.000Z-1.eml` }, { file: expect.any(String) }]);
    expect(JSON.stringify(lines)).not.toContain('token');
  });

  it('the sender’s host is that of the public address', async () => {
    const mails = folder.path('three');
    await chosen({ folder: mails, baseUrl: 'http://[::1]:3000' })!.send(MAIL, 'id-1');
    const content = readFileSync(`${mails}/${readdirSync(mails)[0]}`, 'utf8');
    expect(read(content).header['From']).toMatch(/^Ledgerline <no-reply@\[ipv6:::1\]>$/i);
  });
});

it('without SMTP_URL and without a folder there is no mailer', () => {
  expect(chosen({})).toBeUndefined();
});
