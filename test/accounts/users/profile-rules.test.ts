import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import { describe, expect, it } from 'vitest';
import { normalizeEmail } from '../../../src/accounts/users/profile-rules.ts';

describe('an e-mail address', () => {
  it.each([
    [' Ann.Lee+news@Example.COM ', 'ann.lee+news@example.com'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
    ['änn@example.com', 'änn@example.com'],
    [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
  ])('given %j, then it is kept as %j', (text, kept) => {
    expect(normalizeEmail(text)).toBe(kept);
  });

  it.each([
    ...['', 'ann', '@example.com', 'ann@', 'ann@localhost', 'ann@example.', 'ann@.example', 'a@b@example.com'],
    ...[
      'ann@example.com\r\nBcc: b@c.de',
      'a\nn@example.com',
      'an n@example.com',
      'a,b@example.com',
      '<ann@example.com>',
    ],
    ...['ann@exa mple.com', 'ann@example.com/path', 'ann@example.com:25', 'ann@127.0.0.1', 'ann@[127.0.0.1]'],
    `${'a'.repeat(243)}@example.com`,
    // A mail program would decode the first as another address, and show the others in another order or not at all.
    ...['=?utf-8?q?x=40evil.com=3e=00?=@example.com', 'ann=?x@example.com', 'ann?=@example.com'],
    ...[
      'a\u202enn@example.com',
      'a\u200bnn@example.com',
      'a\u2028nn@example.com',
      'a\u0000nn@example.com',
      'a\ud800nn@example.com',
    ],
    'ann@exa\u200bmple.com',
  ])('given %j, then it is none', (text) => {
    expect(normalizeEmail(text)).toBeUndefined();
  });

  it('given any text that counts as one, then the header of a mail holds nothing that a mail program would decode', async () => {
    const part = fc.string({ unit: fc.constantFrom(...'ab=?q@.-_+\u00e4\u202e\u0000"<>'), maxLength: 12 });
    const kept = fc.tuple(part, fc.constantFrom('@example.com', '')).map((parts) => normalizeEmail(parts.join('')));
    await fc.assert(
      fc.asyncProperty(
        kept.filter((address) => address !== undefined),
        async (address) => {
          const mail = { from: 'a@b.de', to: { name: '', address }, subject: 's', text: 't' };
          const message = (await new MailComposer(mail).compile().build()).toString('utf8');
          const [, to] = /^To: (.*)$/m.exec(message)!;
          expect(to!.replaceAll(/[<>"]/g, '').trim()).toBe(address);
          expect(to).not.toMatch(/=\?|[\p{C}]/u);
        },
      ),
      { numRuns: 200 },
    );
  });
});
