import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type KeyRegistry,
  type NewApiKey,
  TooManyKeys,
  TooManyKeysCreated,
} from '../../../src/accounts/keys/key-registry.ts';

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

    it('stores a key and finds it by its prefix, in every process', async () => {
      const given = wanted({ scopes: ['nba', 'nfl'], expiresAt: LATER, plan: 'growth' });
      const key = await registry.create(given);
      const { account, ...kept } = given;
      const begun = { accountCreatedAt: AT, order: null, lastUsedAt: null, revokedAt: null };
      expect(key).toEqual({ ...kept, ...begun, id: expect.any(Number), accountId: expect.any(Number) });
      const other = await opened.another();
      expect(await other.findByPrefix(given.prefix)).toEqual(key);
      expect(await registry.findByPrefix('llk_unknown')).toBeUndefined();
    });

    it('refuses a prefix that exists already', async () => {
      const { prefix } = await registry.create(wanted());
      await expect(registry.create(wanted({ prefix }))).rejects.toThrow();
      expect(await registry.list()).toHaveLength(1);
    });

    it('creates an account for each key, unless the key names one by id or e-mail', async () => {
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

    it('keeps plan and grant of an existing account, unless the key names others', async () => {
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

    it('revokes a key once, and only in the named account, if one is named', async () => {
      const { id, accountId } = await registry.create(wanted());
      expect(await registry.revoke(id, AT, accountId + 1)).toBe(false);
      expect(await registry.revoke(id, AT, accountId)).toBe(true);
      expect(await registry.revoke(id, LATER)).toBe(false);
      expect(await registry.revoke(id + 1, AT)).toBe(false);
      expect((await registry.list()).map(({ revokedAt }) => revokedAt)).toEqual([AT]);
    });

    it('stores the last use, and never an older one', async () => {
      const { id, prefix } = await registry.create(wanted());
      const uses = [];
      for (const at of [AT, LATER, AT]) {
        await registry.touch(id, at);
        uses.push((await registry.findByPrefix(prefix))!.lastUsedAt);
      }
      expect(uses).toEqual([AT, LATER, LATER]);
      await registry.touch(id + 1, AT);
    });

    it('gives no account more keys than allowed, even if several processes ask at once', async () => {
      const { id, accountId } = await registry.create(wanted());
      const account = { id: accountId };
      await registry.create(wanted({ account }));
      await registry.revoke(id, AT);
      const registries = [registry, await opened.another()];
      const asked = Array.from({ length: 20 }, (_, i) => registries[i % 2]!.create(wanted({ account, maxKeys: 4 })));
      const answers = await Promise.allSettled(asked);
      const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(refused).toHaveLength(17);
      for (const reason of refused) expect(reason).toBeInstanceOf(TooManyKeys);
      expect((await registry.list(accountId)).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(4);
    });

    it('makes one key per run of an account, however often and by however many processes', async () => {
      const first = await registry.create(wanted({ run: 'r' }));
      const account = { id: first.accountId };
      const registries = [registry, await opened.another()];
      const again = await Promise.all(
        Array.from({ length: 6 }, (_, i) => registries[i % 2]!.create(wanted({ account, run: 'r', maxKeys: 1 }))),
      );
      expect(again).toEqual(Array.from({ length: 6 }, () => first));
      const side = Array.from({ length: 6 }, (_, i) => registries[i % 2]!.create(wanted({ account, run: 's' })));
      const ids = new Set((await Promise.all(side)).map(({ id }) => id));
      expect(ids.size).toBe(1);
      await registry.create(wanted({ account }));
      await registry.create(wanted({ account }));
      await registry.create(wanted({ run: 'r' }));
      expect(await registry.list(first.accountId)).toHaveLength(4);
      expect(await registry.list()).toHaveLength(5);
    });

    it('finds a key by its id', async () => {
      const key = await registry.create(wanted());
      expect(await registry.find(key.id)).toEqual(key);
      expect(await registry.find(key.id + 1)).toBeUndefined();
    });

    describe('keys that an account makes', () => {
      const at = (minute: number) => new Date(Date.parse(AT) + minute * 60_000).toISOString();
      const making = (minute: number, maxKeys = 3) => ({ maxKeys, since: at(minute - 60) });

      it('are counted for a period, with revoked ones, and without keys made otherwise', async () => {
        const { id, accountId } = await registry.create(wanted());
        const make = (minute: number, given: Partial<NewApiKey> = {}) =>
          registry.create(
            wanted({ account: { id: accountId }, createdAt: at(minute), making: making(minute), madeBy: id, ...given }),
          );
        for (const minute of [0, 10, 20]) {
          const made = await make(minute);
          await registry.revoke(made.id, at(minute));
        }
        const refused = await make(59, { maxKeys: 1 }).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(TooManyKeysCreated);
        expect(refused).toMatchObject({ madeAt: at(0) });
        // That many may be made no more: when there are fewer counts.
        const fewer = await make(59, { making: making(59, 2) }).catch((error: unknown) => error);
        expect(fewer).toMatchObject({ madeAt: at(10) });
        await registry.create(wanted({ account: { id: accountId }, createdAt: at(59) }));
        await expect(make(60, { maxKeys: 1 })).rejects.toBeInstanceOf(TooManyKeys);
        await make(60);
        await expect(make(69)).rejects.toMatchObject({ madeAt: at(10) });
        await registry.create(wanted({ making: making(69), createdAt: at(69) }));
      });

      it('are never more than allowed, even if several processes ask at once', async () => {
        const { accountId } = await registry.create(wanted());
        const registries = [registry, await opened.another()];
        const wish = () => wanted({ account: { id: accountId }, maxKeys: 100, making: making(0, 5) });
        const asked = Array.from({ length: 20 }, (_, index) => registries[index % 2]!.create(wish()));
        const answers = await Promise.allSettled(asked);
        const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
        expect(refused).toHaveLength(15);
        for (const reason of refused) expect(reason).toBeInstanceOf(TooManyKeysCreated);
      });

      it('are listed with the key that made them, in order of creation', async () => {
        const { id: madeBy, accountId } = await registry.create(wanted());
        const made = [];
        for (const minute of [1, 2, 3]) {
          const { id } = await registry.create(wanted({ account: { id: accountId }, createdAt: at(minute), madeBy }));
          made.push({ id, accountId, madeBy, createdAt: at(minute) });
        }
        await registry.create(wanted({ createdAt: at(3) }));
        expect(await registry.madeSince(at(1))).toEqual(made.slice(1));
      });
    });

    it("lists an account's active keys, and the newest of the recently revoked ones", async () => {
      const { accountId, id: first } = await registry.create(wanted());
      const others = await registry.create(wanted());
      await registry.revoke(others.id, LATER);
      const ids = [];
      for (const scopes of [['nba'], ['nba', 'nfl'], ['nfl'], ['all'], ['nba'], ['nba']]) {
        ids.push((await registry.create(wanted({ account: { id: accountId }, scopes }))).id);
      }
      // The later it was made the earlier it was revoked.
      const revokedAt = (index: number) => new Date(Date.parse(AT) + (10 - index) * 1000).toISOString();
      for (const index of [1, 2, 3, 4]) await registry.revoke(ids[index]!, revokedAt(index));
      const some = async (revokedAfter: string, mostRevoked: number, without: string[] = []) =>
        (await registry.listMatching({ accountId, revokedAfter, mostRevoked, without })).map(({ id }) => id);
      expect(await some(AT, 100)).toEqual([first, ...ids]);
      expect(await some(revokedAt(4), 100)).toEqual([first, ids[0], ids[1], ids[2], ids[3], ids[5]]);
      expect(await some(AT, 2)).toEqual([first, ids[0], ids[1], ids[2], ids[5]]);
      expect(await some(AT, 1, ['all', 'nfl'])).toEqual([ids[0], ids[4], ids[5]]);
      expect(await some(LATER, 100, ['all', 'nba'])).toEqual([]);
      expect(await registry.revokedSince(accountId, revokedAt(3))).toEqual([
        { id: ids[1], revokedAt: revokedAt(1) },
        { id: ids[2], revokedAt: revokedAt(2) },
      ]);
    });

    it('creates one account for an e-mail that several processes name at once', async () => {
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
