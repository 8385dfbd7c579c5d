import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BetStore } from '../../../src/accounts/bets/bet-store.ts';
import type { NewBet } from '../../../src/api/calls/services/bet-services.ts';

interface TestedBets {
  readonly bets: BetStore;
  /** On a connection of its own, as another process has it. */
  readonly another: BetStore;
  /** Makes an account. @returns its id */
  newAccount(): Promise<number>;
  close(): Promise<void>;
}

const AT = Date.parse('2026-03-01T12:00:00Z');

/** Every adapter of the bets passes it. */
export function betStoreContract(name: string, open: () => Promise<TestedBets>): void {
  describe(`bets on ${name}`, () => {
    let tested: TestedBets;
    let account: number;
    beforeEach(async () => {
      tested = await open();
      account = await tested.newAccount();
    });
    afterEach(() => tested.close());

    const bet = (more: Partial<NewBet> = {}): NewBet => ({
      leg: { event_id: 1, market_key: 'spreads', side: 'home', line: -3.5, player_id: null, team_id: null },
      sport: 'nfl',
      price: -110,
      decimal: null,
      stake: 12.5,
      book: 'fanduel',
      placedAt: AT - 1000,
      ...more,
    });
    const add = (bets: readonly NewBet[], most = 10, run: string | null = null, store = tested.bets) =>
      store.add({ accountId: account, bets, createdAt: AT, run }, most);
    const idsOf = async (query: object = {}) =>
      (await tested.bets.list(account, { limit: 100, ...query })).map(({ id }) => id);

    it('are listed as they were added, newest first, by account, from another process too', async () => {
      const prop = { event_id: 2, market_key: 'points', side: 'over', line: 20, player_id: 7, team_id: null } as const;
      const half = {
        event_id: 3,
        market_key: 'h2h',
        side: 'home',
        line: null,
        player_id: null,
        team_id: null,
        scope: '1H',
      } as const;
      const given = [bet(), bet({ leg: prop, sport: 'nba', price: -105, decimal: 1.95, stake: 1 }), bet({ leg: half })];
      const ids = (await add(given))!;
      expect(ids).toHaveLength(3);
      expect(ids[0]!).toBeLessThan(ids[1]!);
      expect(await tested.another.list(account, { limit: 10 })).toEqual(
        given.map((one, index) => ({ ...one, id: ids[index], createdAt: AT })).reverse(),
      );
      expect(await tested.bets.list(await tested.newAccount(), { limit: 10 })).toEqual([]);
    });

    it('are found by cursor, time, sport and number', async () => {
      const [first, second, third] = (await add([
        bet({ placedAt: 1000 }),
        bet({ placedAt: 2000, sport: 'nba' }),
        bet({ placedAt: 3000 }),
      ])) as [number, number, number];
      expect(await idsOf({ afterId: third })).toEqual([second, first]);
      expect(await idsOf({ from: 2000, to: 3000 })).toEqual([second]);
      expect(await idsOf({ sports: ['nfl', 'mlb'] })).toEqual([third, first]);
      expect(await idsOf({ sports: [] })).toEqual([]);
      expect(await idsOf({ limit: 2 })).toEqual([third, second]);
    });

    it('are all taken or none, as many as an account may hold', async () => {
      expect(await add([bet(), bet()], 3)).toHaveLength(2);
      expect(await add([bet(), bet()], 3)).toBeUndefined();
      expect(await idsOf()).toHaveLength(2);
      expect(await add([bet()], 3)).toHaveLength(1);
    });

    it('are never more than that, whoever adds at the same time', async () => {
      const added = await Promise.all(
        [tested.bets, tested.another, tested.bets, tested.another].map((store) => add([bet(), bet()], 4, null, store)),
      );
      expect(added.filter((ids) => ids !== undefined)).toHaveLength(2);
      expect(await idsOf()).toHaveLength(4);
    });

    it('are added once by one run, and by its repetition from another process', async () => {
      const ids = await add([bet(), bet()], 2, 'run');
      expect(await add([bet(), bet()], 2, 'run', tested.another)).toEqual(ids);
      expect(await idsOf()).toHaveLength(2);
    });

    it('are removed once, by their account, of its sports alone; an id is never given again', async () => {
      const [id] = (await add([bet()]))!;
      const other = await tested.newAccount();
      expect(await tested.bets.remove(id!, other)).toBe(false);
      expect(await tested.bets.remove(id!, account, ['nba'])).toBe(false);
      expect(await tested.bets.remove(id!, account, [])).toBe(false);
      expect(await tested.bets.remove(id!, account, ['nfl'])).toBe(true);
      expect(await tested.bets.remove(id!, account)).toBe(false);
      expect(await tested.another.lastId()).toBe(id);
      expect((await add([bet()]))![0]).toBeGreaterThan(id!);
    });

    it('are removed with all others of their account', async () => {
      await add([bet(), bet()]);
      const other = await tested.newAccount();
      await tested.bets.add({ accountId: other, bets: [bet()], createdAt: AT, run: null }, 10);
      await tested.bets.removeAll(account);
      expect(await idsOf()).toEqual([]);
      expect(await tested.bets.list(other, { limit: 10 })).toHaveLength(1);
    });
  });
}
