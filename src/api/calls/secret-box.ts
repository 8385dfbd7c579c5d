import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/** Encrypts secrets that must be read again. A copy of the database is useless without the server's pepper. */
export interface SecretBox {
  /** @param owner the owner of the secret: a sealed secret opens only with the same place */
  seal(secret: string, owner: string): string;
  /** @throws Error if it was sealed with another pepper, for another place, or was changed */
  open(sealed: string, owner: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Version of the format, for a change of the cipher. */
const PREFIX = 'v1.';

/** @param random random bytes that never repeat: they are the nonces */
export function createSecretBox(pepper: string, random: (size: number) => Uint8Array): SecretBox {
  // The pepper hashes API keys too. The derived key seals stored secrets only (first: those of webhooks).
  const key = Buffer.from(hkdfSync('sha256', pepper, '', 'ledgerline webhook secrets', 32));
  return {
    seal(secret, owner) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed.startsWith(PREFIX) ? sealed.slice(PREFIX.length) : '', 'base64url');
      try {
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(owner))
          .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
      } catch {
        throw new Error(`the secret of ${owner} cannot be opened: was it sealed with another KEY_PEPPER?`);
      }
    },
  };
}
