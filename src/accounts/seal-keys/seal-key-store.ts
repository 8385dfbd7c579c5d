/**
 * The keys from which the salts of accounts' sealed facts follow. Once the key of an account is removed, nobody can tell
 * from a sealed hash what it was the hash of.
 */
export interface SealKeyStore {
  /** The account's key, 64 hexadecimal digits; made at the first call. Several processes may call it at once. */
  keyOf(accountId: number): Promise<string>;
  /** Null: it has none, or none any more. */
  find(accountId: number): Promise<string | null>;
  remove(accountId: number): Promise<void>;
}
