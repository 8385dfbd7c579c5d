import { type ApiKey, createKey, isActive, type KeyMaker } from './keys.ts';

/** A key as an operator asks for it. */
export interface KeyOrder {
  readonly name: string;
  /** Absent: the account stays on its plan; a new one gets the default plan. */
  readonly plan?: string;
  readonly scopes: readonly string[];
  /** Names the account; without it the key gets an account of its own. */
  readonly email?: string;
  /** The account's only grant of credits, in the place of its plan's. */
  readonly credits?: number;
  readonly expiresAt?: string;
}

/** What the commands do with keys; answers are what they print. */
export interface KeysAdministration {
  /** `{id, account_id, key, plan, scopes, expires_at}`: the only place that ever shows the key. */
  create(order: KeyOrder): Promise<Record<string, unknown>>;
  list(): Promise<readonly Record<string, unknown>[]>;
  /** False when there is no such key, or it was revoked before. */
  revoke(id: number): Promise<boolean>;
}

export function keysAdministration(maker: KeyMaker): KeysAdministration {
  return {
    async create({ email, expiresAt, ...order }) {
      const account = email === undefined ? 'own' : { email };
      const { key, record } = await createKey(maker, { ...order, account, expiresAt: expiresAt ?? null });
      return {
        id: record.id,
        account_id: record.accountId,
        key,
        plan: record.plan,
        scopes: record.scopes,
        expires_at: record.expiresAt,
      };
    },
    async list() {
      const now = maker.now();
      return (await maker.registry.list()).map((record) => listed(record, now));
    },
    revoke: (id) => maker.registry.revoke(id, new Date(maker.now()).toISOString()),
  };
}

const listed = (record: ApiKey, now: number): Record<string, unknown> => ({
  id: record.id,
  account_id: record.accountId,
  name: record.name,
  prefix: record.prefix,
  plan: record.plan,
  scopes: record.scopes,
  created_at: record.createdAt,
  last_used_at: record.lastUsedAt,
  expires_at: record.expiresAt,
  is_active: isActive(record, now),
});
