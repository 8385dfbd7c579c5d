import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Signs texts, so that only this server can have written them. */
export interface TextSigner {
  /** The signature of a text, 43 characters. */
  signatureOf(text: string): string;
  isSignatureOf(signatureOf: string, text: string): boolean;
  /** The text with its signature. */
  sign(text: string): string;
  /** The text; undefined if the signature is wrong. */
  verify(signed: string): string | undefined;
}

const KEY_BYTES = 32;

/** @param use separates the signatures of one purpose from those of another */
export function createTextSigner(secret: string, use: string): TextSigner {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `ledgerline site ${use}`, KEY_BYTES));
  const signatureOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  const isSignatureOf: TextSigner['isSignatureOf'] = (given, text) => isEqualInConstantTime(given, signatureOf(text));
  return {
    signatureOf,
    isSignatureOf,
    sign: (text) => `${Buffer.from(text).toString('base64url')}.${signatureOf(text)}`,
    verify(signed) {
      const [encoded = '', given = ''] = signed.split('.', 2);
      const text = Buffer.from(encoded, 'base64url').toString('utf8');
      return isSignatureOf(given, text) ? text : undefined;
    },
  };
}

/** The time does not depend on where the texts differ. */
export function isEqualInConstantTime(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
