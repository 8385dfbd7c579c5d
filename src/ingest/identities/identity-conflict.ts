import { type KnownKey, keyText } from './known-key.ts';

/**
 * Another process has changed what this one has decided on. Nothing of the flush was written. Forget what was staged
 * (`reset`), look again, decide again.
 */
export class IdentityConflict extends Error {
  readonly code = 'identity_conflict';
  /** What is not any more as it was looked up, or stands although it was not. */
  readonly keys: readonly KnownKey[];
  /** Messages that were taken out of the waiting too long ago: another process has taken them since. */
  readonly fingerprints: readonly string[];
  constructor(keys: readonly KnownKey[], fingerprints: readonly string[] = []) {
    super(`another process has changed ${[...keys.map(keyText), ...fingerprints].slice(0, 5).join(', ')}`);
    this.name = 'IdentityConflict';
    this.keys = keys;
    this.fingerprints = fingerprints;
  }
}
