import { createHmac } from 'node:crypto';

/** Returns `size` random bytes. */
export type RandomBytes = (size: number) => Uint8Array;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^(llk_[0-9A-Za-z]{12})\.[0-9A-Za-z_-]{43}$/;

/** The public part of a key: it identifies the key, but proves nothing. Undefined if the text is not a key. */
export const keyPrefix = (key: string): string | undefined => KEY.exec(key)?.[1];

/** `llk_` + 12 characters + `.` + 43 characters with 256 random bits. */
export function generateKey(random: RandomBytes): string {
  return `llk_${base62(random, 12)}.${Buffer.from(random(32)).toString('base64url')}`;
}

/** The stored form of a key: HMAC-SHA-256 with the server's pepper, in hexadecimal. */
export const hashKey = (key: string, pepper: string): string => createHmac('sha256', pepper).update(key).digest('hex');

function base62(random: RandomBytes, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length * 2)) {
      // 248 is the greatest multiple of 62 in a byte. With larger values some characters would be more likely.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
