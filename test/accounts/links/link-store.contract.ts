import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LinkStore, NewStoredLink } from '../../../src/accounts/links/link-store.ts';

interface TestedLinks {
  readonly links: LinkStore;
  /** On a connection of its own, as another process has it. */
  readonly another: LinkStore;
  /** Makes an account. @returns its id */
  newAccount(): Promise<number>;
  /** Refuses the keys of an account. */
  suspend(accountId: number): Promise<void>;
  close(): Promise<void>;
}

const AT = '2026-03-01T12:00:00.000Z';
const LATER = '2026-03-01T13:00:00.000Z';

/** Every adapter of the links passes it. */
export function linkStoreContract(name: string, open: () => Promise<TestedLinks>): void {
  describe(`links on ${name}`, () => {
    let tested: TestedLinks;
    let account: number;
    let hashes = 0;
    beforeEach(async () => {
      tested = await open();
      account = await tested.newAccount();
    });
    afterEach(() => tested.close());

    const link = (more: Partial<NewStoredLink> = {}): NewStoredLink => ({
      accountId: account,
      hash: `hash ${++hashes}`,
      name: 'mine',
      path: '/v1/events?league=nfl',
      format: 'csv',
      scopes: ['nfl', 'nba'],
      createdAt: AT,
      expiresAt: null,
      ...more,
    });

    it('are found by their hash, from another process too, and listed by account', async () => {
      const made = await tested.links.add(link({ hash: 'x', expiresAt: LATER }), 50);
      expect(made).toEqual({
        id: expect.any(Number),
        accountId: account,
        name: 'mine',
        path: '/v1/events?league=nfl',
        format: 'csv',
        scopes: ['nfl', 'nba'],
        createdAt: AT,
        expiresAt: LATER,
        lastUsedAt: null,
        uses: 0,
      });
      expect(await tested.another.findByHash('x')).toEqual(made);
      expect(await tested.links.findByHash('y')).toBeUndefined();
      const second = await tested.links.add(link({ name: null }), 50);
      expect(await tested.another.list(account)).toEqual([made, second]);
      expect(await tested.links.list(await tested.newAccount())).toEqual([]);
    });

    it('are at most so many an account, also when several are made at once; expired ones give way', async () => {
      await tested.links.add(link({ expiresAt: AT }), 3);
      const made = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? tested.links : tested.another).add(link({ createdAt: LATER }), 3),
        ),
      );
      expect(made.filter((one) => one !== undefined)).toHaveLength(3);
      expect(await tested.links.list(account)).toHaveLength(3);
      const other = link({ accountId: await tested.newAccount() });
      expect(await tested.links.add(other, 3)).toBeDefined();
    });

    it('the fifty-first link of an account is refused, and no row is added', async () => {
      for (let index = 0; index < 50; index++) expect(await tested.links.add(link(), 50)).toBeDefined();
      expect(await tested.links.add(link(), 50)).toBeUndefined();
      expect(await tested.links.list(account)).toHaveLength(50);
    });

    it('are removed by their account alone, once', async () => {
      const { id } = (await tested.links.add(link({ hash: 'gone' }), 50))!;
      expect(await tested.links.remove(id, await tested.newAccount())).toBe(false);
      expect(await tested.another.remove(id, account)).toBe(true);
      expect(await tested.links.remove(id, account)).toBe(false);
      expect(await tested.links.findByHash('gone')).toBeUndefined();
    });

    it('open nothing while the keys of the account are refused', async () => {
      await tested.links.add(link({ hash: 'closed' }), 50);
      await tested.suspend(account);
      expect(await tested.links.findByHash('closed')).toBeUndefined();
    });

    it('count their uses, from several processes', async () => {
      const { id } = (await tested.links.add(link({ hash: 'used' }), 50))!;
      await Promise.all([tested.links.noteUse(id, AT), tested.another.noteUse(id, AT)]);
      await tested.links.noteUse(id, LATER);
      expect(await tested.links.findByHash('used')).toMatchObject({ uses: 3, lastUsedAt: LATER });
    });
  });
}
