import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KeyRegistry, type NewApiKey, TooManyKeys } from '../../src/accounts/keys/key-registry.ts';

export interface OpenedKeys {
  readonly registry: KeyRegistry;
  /** The same, as another process has it. */
  another(): Promise<KeyRegistry>;
  close(): Promise<void>;
}

const AT = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-02T12:00:00.000Z';

let made = 0;
const wanted = (given: Partial<NewApiKey> = {}): NewApiKey => ({
  name: 'mine',
  prefix: `llk_${++made}`,
  hash: 'c0ffee',
  scopes: ['all'],
  createdAt: AT,
  expiresAt: null,
  account: 'own',
  ...given,
});

/** What every adapter of the registry of keys must do. `open` gives a new, empty one. */
export function keyRegistryContract(name: string, open: () => Promise<OpenedKeys>): void {
  describe(`registry of keys: ${name}`, () => {
    let opened: OpenedKeys;
    let registry: KeyRegistry;
    beforeEach(async () => {
      opened = await open();
      ({ registry } = opened);
    });
    afterEach(() => opened.close());

    it('keeps a key as it was made, and finds it by its prefix, in every process', async () => {
      const given = wanted({ scopes: ['nba', 'nfl'], expiresAt: LATER, plan: 'growth' });
      const key = await registry.create(given);
      const { account, ...kept } = given;
      const begun = { accountCreatedAt: AT, order: null, lastUsedAt: null, revokedAt: null };
      expect(key).toEqual({ ...kept, ...begun, id: expect.any(Number), accountId: expect.any(Number) });
      const other = await opened.another();
      expect(await other.findByPrefix(given.prefix)).toEqual(key);
      expect(await registry.findByPrefix('llk_unknown')).toBeUndefined();
    });

    it('refuses a prefix that is taken', async () => {
      const { prefix } = await registry.create(wanted());
      await expect(registry.create(wanted({ prefix }))).rejects.toThrow();
      expect(await registry.list()).toHaveLength(1);
    });

    it('makes an account for each key, but for those that name one by its id or its e-mail', async () => {
      const email = { email: ' A@x.example' };
      const keys = [];
      for (const account of ['own', 'own', email, { email: 'a@X.example ' }] as const) {
        keys.push(await registry.create(wanted({ account })));
      }
      keys.push(await registry.create(wanted({ account: { id: keys[0]!.accountId } })));
      const accounts = keys.map(({ accountId }) => accountId);
      expect(new Set(accounts.slice(0, 3)).size).toBe(3);
      expect(accounts.slice(3)).toEqual([accounts[2], accounts[0]]);
      expect(await registry.list()).toEqual(keys);
      expect(await registry.list(accounts[0])).toEqual([keys[0], keys[4]]);
      await expect(registry.create(wanted({ account: { id: 12_345 } }))).rejects.toThrow('there is no account 12345');
    });

    it('leaves plan and grant of an account that is there already, unless the key names others', async () => {
      const account = { email: 'a@x.example' };
      const termsOf = async (given: Partial<NewApiKey>) => {
        const { plan, order } = await registry.create(wanted({ account, ...given }));
        return { plan, order };
      };
      expect(await termsOf({})).toEqual({ plan: 'free', order: null });
      expect(await termsOf({ plan: 'growth', credits: 7 })).toEqual({ plan: 'growth', order: { credits: 7, at: AT } });
      expect(await termsOf({ createdAt: LATER })).toEqual({ plan: 'growth', order: { credits: 7, at: AT } });
      const order = { credits: 9, at: LATER };
      expect(await termsOf({ createdAt: LATER, credits: 9 })).toEqual({ plan: 'growth', order });
      expect(new Set((await registry.list()).map((key) => JSON.stringify(key.order)))).toEqual(
        new Set([JSON.stringify(order)]),
      );
    });

    it('revokes a key once, and of its account alone where one is named', async () => {
      const { id, accountId } = await registry.create(wanted());
      expect(await registry.revoke(id, AT, accountId + 1)).toBe(false);
      expect(await registry.revoke(id, AT, accountId)).toBe(true);
      expect(await registry.revoke(id, LATER)).toBe(false);
      expect(await registry.revoke(id + 1, AT)).toBe(false);
      expect((await registry.list()).map(({ revokedAt }) => revokedAt)).toEqual([AT]);
    });

    it('notes the last use, and never goes back', async () => {
      const { id, prefix } = await registry.create(wanted());
      const uses = [];
      for (const at of [AT, LATER, AT]) {
        await registry.touch(id, at);
        uses.push((await registry.findByPrefix(prefix))!.lastUsedAt);
      }
      expect(uses).toEqual([AT, LATER, LATER]);
      await registry.touch(id + 1, AT);
    });

    it('gives no account more keys than it may have, however many processes ask at once', async () => {
      const { id, accountId } = await registry.create(wanted());
      const account = { id: accountId };
      await registry.create(wanted({ account }));
      await registry.revoke(id, AT);
      const registries = [registry, await opened.another()];
      const asked = Array.from({ length: 20 }, (_, i) => registries[i % 2]!.create(wanted({ account, most: 4 })));
      const answers = await Promise.allSettled(asked);
      const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(refused).toHaveLength(17);
      for (const reason of refused) expect(reason).toBeInstanceOf(TooManyKeys);
      expect((await registry.list(accountId)).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(4);
    });

    it('makes one account of an e-mail that several processes name at once', async () => {
      const registries = [registry, await opened.another()];
      const account = { email: 'a@x.example' };
      const keys = await Promise.all(
        Array.from({ length: 6 }, (_, i) => registries[i % 2]!.create(wanted({ account }))),
      );
      expect(new Set(keys.map(({ accountId }) => accountId)).size).toBe(1);
      expect(new Set(keys.map(({ id }) => id)).size).toBe(6);
    });
  });
}
