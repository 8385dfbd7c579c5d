import {
  type AccountOverrides,
  type ApiKey,
  DEFAULT_PLAN,
  type KeyRegistry,
  type NewApiKey,
  TooManyKeys,
  TooManyKeysCreated,
} from './key-registry.ts';

interface MemoryAccount {
  readonly id: number;
  /** Lower case. */
  readonly email: string | null;
  readonly createdAt: string;
  plan: string;
  /** Credits that the operator granted in place of the plan's credits. */
  order: ApiKey['order'];
  exceptions?: AccountOverrides;
}

/** By account id. */
type MemoryAccounts = Map<number, MemoryAccount>;

interface StoredKey extends Omit<ApiKey, 'plan' | 'accountCreatedAt' | 'order' | 'exceptions'> {
  readonly madeBy: number | null;
  /** The key counts among those that the account has made. */
  readonly counts: boolean;
  readonly run: string | undefined;
}

/**
 * Accounts and their keys in memory, for tests with one process.
 * @param accounts shared with other readers, such as billing
 */
export function createMemoryKeys(accounts: MemoryAccounts = new Map()): KeyRegistry {
  const keys = new Map<number, StoredKey>();

  function shown({ madeBy, counts, run, ...key }: StoredKey): ApiKey {
    const { plan, createdAt, order, exceptions } = accounts.get(key.accountId)!;
    return { ...key, plan, accountCreatedAt: createdAt, order, ...(exceptions && { exceptions }) };
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
      const { run } = key;
      const before =
        run !== undefined && [...keys.values()].find((one) => one.accountId === accountId && one.run === run);
      if (before) return shown(before);
      if (key.making) {
        const { maxKeys, since } = key.making;
        const made = [...keys.values()].filter((one) => one.accountId === accountId && one.counts);
        const times = made.map((one) => one.createdAt).filter((at) => at > since);
        if (times.length >= maxKeys) throw new TooManyKeysCreated(times.sort().at(-maxKeys)!);
      }
      const inForce = [...keys.values()].filter((one) => one.accountId === accountId && one.revokedAt === null);
      if (key.maxKeys !== undefined && inForce.length >= key.maxKeys) {
        throw new TooManyKeys(`account ${accountId} has as many keys as it may have`);
      }
      const { name, prefix, hash, scopes, createdAt, expiresAt } = key;
      if ([...keys.values()].some((one) => one.prefix === prefix)) throw new Error(`the prefix ${prefix} is taken`);
      const id = keys.size + 1;
      const unused = { lastUsedAt: null, revokedAt: null };
      const making = { madeBy: key.madeBy ?? null, counts: key.making !== undefined, run };
      const given = { id, accountId, name, prefix, hash, scopes: [...scopes], createdAt, expiresAt };
      keys.set(id, { ...given, ...unused, ...making });
      return shown(keys.get(id)!);
    },
    async findByPrefix(prefix) {
      const found = [...keys.values()].find((one) => one.prefix === prefix);
      return found && shown(found);
    },
    async find(id) {
      const found = keys.get(id);
      return found && shown(found);
    },
    async listMatching({ accountId, revokedAfter, mostRevoked, without }) {
      const wanted = [...keys.values()].filter(
        (one) => one.accountId === accountId && !one.scopes.some((scope) => without.includes(scope)),
      );
      const revoked = wanted
        .filter(({ revokedAt }) => revokedAt !== null && revokedAt > revokedAfter)
        .sort((a, b) => (a.revokedAt! < b.revokedAt! ? 1 : a.revokedAt! > b.revokedAt! ? -1 : b.id - a.id))
        .slice(0, mostRevoked);
      return wanted.filter((one) => one.revokedAt === null || revoked.includes(one)).map(shown);
    },
    async revokedSince(accountId, after) {
      const revoked = [...keys.values()].filter((one) => one.accountId === accountId && (one.revokedAt ?? '') > after);
      return revoked.map(({ id, revokedAt }) => ({ id, revokedAt: revokedAt! }));
    },
    async madeSince(after) {
      const made = [...keys.values()].filter((one) => one.madeBy !== null && one.createdAt > after);
      return made.map(({ id, accountId, madeBy, createdAt }) => ({ id, accountId, madeBy: madeBy!, createdAt }));
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
