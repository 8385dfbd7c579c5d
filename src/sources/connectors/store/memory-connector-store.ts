import type { ConnectorStore, StoredBudget } from './connector-store.ts';

/** In memory: for tests, and for processes that store nothing. */
export function createMemoryConnectorStore(): ConnectorStore {
  let lease: { readonly owner: string; readonly until: number } | undefined;
  const budgets = new Map<string, StoredBudget>();
  return {
    async claim(owner, now, forMs) {
      if (lease && lease.owner !== owner && lease.until > now) return false;
      lease = { owner, until: now + forMs };
      return true;
    },
    async release(owner) {
      if (lease?.owner === owner) lease = undefined;
    },
    readBudget: async (source) => budgets.get(source),
    async writeBudget(source, budget) {
      budgets.set(source, budget);
    },
  };
}
