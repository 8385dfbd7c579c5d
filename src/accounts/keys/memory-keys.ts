import { type ApiKey, DEFAULT_PLAN, type KeyRegistry, type NewApiKey, TooManyKeys } from './key-registry.ts';

export interface MemoryAccount {
  readonly id: number;
  /** In small letters. */
  readonly email: string | null;
  readonly createdAt: string;
  plan: string;
  /** What the operator has granted in the place of the plan's credits. */
  order: ApiKey['order'];
}

/** By their ids. */
export type MemoryAccounts = Map<number, MemoryAccount>;

type StoredKey = Omit<ApiKey, 'plan' | 'accountCreatedAt' | 'order'>;

/**
 * Accounts and their keys in memory: for tests and one process.
 * @param accounts for others who look them up, such as the billing
 */
export function createMemoryKeys(accounts: MemoryAccounts = new Map()): KeyRegistry {
  const keys = new Map<number, StoredKey>();

  function shown(key: StoredKey): ApiKey {
    const { plan, createdAt, order } = accounts.get(key.accountId)!;
    return { ...key, plan, accountCreatedAt: createdAt, order };
  }

  function accountOf({ account, createdAt, plan, credits }: NewApiKey): MemoryAccount {
    const email = account !== 'own' && 'email' in account ? account.email.trim().toLowerCase() : null;
    let found: MemoryAccount | undefined;
    if (account !== 'own' && 'id' in account) {
      found = accounts.get(account.id);
      if (!found) throw new Error(`there is no account ${account.id}`);
    } else if (email !== null) found = [...accounts.values()].find((one) => one.email === email);
    if (!found) {
      found = { id: accounts.size + 1, email, createdAt, plan: DEFAULT_PLAN, order: null };
      accounts.set(found.id, found);
    }
    if (plan !== undefined) found.plan = plan;
    if (credits !== undefined) found.order = { credits, at: createdAt };
    return found;
  }

  return {
    async create(key) {
      const { id: accountId } = accountOf(key);
      const inForce = [...keys.values()].filter((one) => one.accountId === accountId && one.revokedAt === null);
      if (key.most !== undefined && inForce.length >= key.most) {
        throw new TooManyKeys(`account ${accountId} has as many keys as it may have`);
      }
      const { name, prefix, hash, scopes, createdAt, expiresAt } = key;
      if ([...keys.values()].some((one) => one.prefix === prefix)) throw new Error(`the prefix ${prefix} is taken`);
      const id = keys.size + 1;
      const unused = { lastUsedAt: null, revokedAt: null };
      keys.set(id, { id, accountId, name, prefix, hash, scopes: [...scopes], createdAt, expiresAt, ...unused });
      return shown(keys.get(id)!);
    },
    async findByPrefix(prefix) {
      const found = [...keys.values()].find((one) => one.prefix === prefix);
      return found && shown(found);
    },
    async list(accountId) {
      return [...keys.values()].filter((one) => accountId === undefined || one.accountId === accountId).map(shown);
    },
    async revoke(id, at, accountId) {
      const found = keys.get(id);
      if (!found || found.revokedAt !== null) return false;
      if (accountId !== undefined && found.accountId !== accountId) return false;
      keys.set(id, { ...found, revokedAt: at });
      return true;
    },
    async touch(id, at) {
      const found = keys.get(id);
      if (found && (found.lastUsedAt === null || found.lastUsedAt < at)) keys.set(id, { ...found, lastUsedAt: at });
    },
  };
}
