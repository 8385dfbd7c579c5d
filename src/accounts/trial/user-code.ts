import type { RandomBytes } from '../keys/key-format.ts';

/** Letters that nobody takes for digits or for each other, and that make no words (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const CODE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);
/** The greatest multiple of the number of letters in a byte. With larger values some letters would be more likely. */
const FAIR = 256 - (256 % LETTERS.length);

/** A new code, without its hyphen. */
export function generateUserCode(random: RandomBytes): string {
  let code = '';
  while (code.length < LENGTH) {
    for (const byte of random(LENGTH * 2)) {
      if (byte < FAIR && code.length < LENGTH) code += LETTERS[byte % LETTERS.length];
    }
  }
  return code;
}

/** As people read it: `BCDF-GHJK`. */
export const formatUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/** Reads a typed code: in any case, with hyphens and blanks or without. Undefined if it can be none. */
export function readUserCode(typed: string): string | undefined {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '');
  return CODE.test(code) ? code : undefined;
}
