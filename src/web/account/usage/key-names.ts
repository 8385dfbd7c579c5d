import type { UsageReader } from '../../../accounts/usage/usage-reader.ts';

export interface UsagePageParts {
  readonly usage: UsageReader;
  /** All keys of an account, revoked ones too, in order of creation. */
  readonly keysOf: (accountId: number) => Promise<readonly NamedKey[]>;
  readonly now: () => number;
}

export interface NamedKey {
  readonly id: number;
  readonly name: string;
}

export const indexKeyNames = (keys: readonly NamedKey[]): ((id: number) => string | undefined) => {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return (id) => names.get(id);
};

/** The name of a key in tables. */
export const keyText = (id: number | null, nameOf: (id: number) => string | undefined): string =>
  id === null ? 'Session' : (nameOf(id) ?? `Key ${id}`);
