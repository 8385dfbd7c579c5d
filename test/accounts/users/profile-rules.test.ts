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
  ])('given %j, then it is none', (text) => {
    expect(normalizeEmail(text)).toBeUndefined();
  });
});
