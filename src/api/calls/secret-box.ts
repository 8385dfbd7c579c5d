import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/** Keeps secrets that have to be read again: whoever has the database without the server's pepper reads none. */
export interface SecretBox {
  /** @param place what the secret belongs to: moved to another place, it opens no more */
  seal(secret: string, place: string): string;
  /** @throws Error where it was sealed with another pepper or for another place, or was changed */
  open(sealed: string, place: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Tells how a text was sealed, should there be another way one day. */
const PREFIX = 'v1.';

/** @param random bytes that never come twice: they are the nonces */
export function createSecretBox(pepper: string, random: (size: number) => Uint8Array): SecretBox {
  // The pepper hashes API keys too: what is derived here serves stored secrets alone, first those of webhooks.
  const key = Buffer.from(hkdfSync('sha256', pepper, '', 'ledgerline webhook secrets', 32));
  return {
    seal(secret, place) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.startsWith(PREFIX) ? sealed.slice(PREFIX.length) : '', 'base64url');
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(place))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
      } catch {
        throw new Error(`the secret of ${place} cannot be opened: was it sealed with another KEY_PEPPER?`);
      }
    },
  };
}
