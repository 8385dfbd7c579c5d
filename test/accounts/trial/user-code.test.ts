import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatUserCode, generateUserCode, readUserCode } from '../../../src/accounts/trial/user-code.ts';

it('given a new code, however it is typed, then it is read again', () => {
  const codes = fc.constant(0).map(() => generateUserCode(randomBytes));
  const noise = fc.constantFrom('', ' ', '-', ' - ', '\u2013', '\t');
  fc.assert(
    fc.property(codes, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), noise, (code, isSmall, between) => {
      expect(formatUserCode(code)).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
      const typed = [...code].map((letter, index) => (isSmall[index] ? letter.toLowerCase() : letter)).join('');
      expect(readUserCode(`${typed.slice(0, 4)}${between}${typed.slice(4)}`)).toBe(code);
    }),
  );
});

it('given what can be no code, then it is none', () => {
  for (const typed of ['', 'BCDF', 'BCDFGHJKL', 'ABCD-EFGH', '1234-5678', 'BCDF_GHJK', 'BCDFGHJ\u0000'])
    expect(readUserCode(typed)).toBeUndefined();
});

it('given bytes of all values, then each letter is as likely as any other', () => {
  let byte = 0;
  const counted = (size: number) => Uint8Array.from({ length: size }, () => byte++ % 256);
  const counts = new Map<string, number>();
  for (let n = 0; n < 1000; n++)
    for (const letter of generateUserCode(counted)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(20);
});
