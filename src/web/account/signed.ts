import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Texts that only this server can have written. */
export interface Signed {
  /** What belongs to this text, in 43 characters. */
  mark(text: string): string;
  isMark(mark: string, text: string): boolean;
  /** The text with its mark. */
  sign(text: string): string;
  /** The text; undefined where the mark is not its own. */
  read(signed: string): string | undefined;
}

const KEY_BYTES = 32;

/** @param use keeps what is signed for one thing from counting for another */
export function createSigned(secret: string, use: string): Signed {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `ledgerline site ${use}`, KEY_BYTES));
  const mark = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const isMark: Signed['isMark'] = (given, text) => isSame(given, mark(text));
  return {
    ...{ mark, isMark },
    sign: (text) => `${Buffer.from(text).toString('base64url')}.${mark(text)}`,
    read(signed) {
      const [encoded = '', given = ''] = signed.split('.', 2);
      const text = Buffer.from(encoded, 'base64url').toString('utf8');
      return isMark(given, text) ? text : undefined;
    },
  };
}

/** Takes as long whatever is given. */
export function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
