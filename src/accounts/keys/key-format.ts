import { createHmac } from 'node:crypto';

/** `size` random bytes. */
export type RandomBytes = (size: number) => Uint8Array;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^(llk_[0-9A-Za-z]{12})\.[0-9A-Za-z_-]{43}$/;

/** The part of a key that may be shown: it finds the key, and proves nothing. Undefined for what is no key. */
export const keyPrefix = (key: string): string | undefined => KEY.exec(key)?.[1];

/** `llk_` + 12 characters + `.` + 43 characters that carry 256 random bits. */
export function generateKey(random: RandomBytes): string {
  return `llk_${base62(random, 12)}.${Buffer.from(random(32)).toString('base64url')}`;
}

/** What is stored in the place of a key: HMAC-SHA-256 under the server's pepper, in hexadecimal. */
export const hashKey = (key: string, pepper: string): string => createHmac('sha256', pepper).update(key).digest('hex');

function base62(random: RandomBytes, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length * 2)) {
      // 248 is the greatest multiple of 62 that a byte can reach: above it some characters would be likelier.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}
