import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Identities, QuarantineCount, SidedFixture } from '../../../src/ingest/identities/identities.ts';
import { byId, claim, type IdentitiesWorld, mine, near, ofName, ofRef, sorted, waiting, x } from './identities-kit.ts';
import { SEVERAL, severalInstancesContract } from './several-instances.contract.ts';

export interface Skip {
  readonly reason: string;
  /** Titles of the groups that the adapter cannot do. */
  readonly tests: readonly string[];
}

const sortedNumbers = (numbers: readonly QuarantineCount[]) =>
  [...numbers].sort((a, b) => (a.waitsFor < b.waitsFor ? -1 : a.waitsFor > b.waitsFor ? 1 : +a.accepted - +b.accepted));

/** What every adapter of `Identities` must do. `begin` gives a new, empty registry. */
export function identitiesContract(
  name: string,
  begin: () => Promise<IdentitiesWorld>,
  { skip = [] }: { readonly skip?: readonly Skip[] } = {},
): void {
  describe(`identities: ${name}`, () => {
    let world: IdentitiesWorld;
    let one: Identities;
    beforeEach(async () => {
      world = await begin();
      one = await world.open();
    });
    afterEach(() => world.close());

    describe('ids', () => {
      it('given ids of a kind, when more are asked for, then they are others and greater, by kind', async () => {
        expect(await one.allocate('team')).toEqual([1]);
        const more = await one.allocate('team', 3);
        expect(more).toHaveLength(3);
        expect([1, ...more]).toEqual([...new Set([1, ...more])].sort((a, b) => a - b));
        expect(await one.allocate('event')).toEqual([1]);
      });

      it('given ids, when everything unflushed is forgotten, then they are not given again', async () => {
        const before = await one.allocate('event', 30);
        await one.reset();
        const [after] = await one.allocate('event');
        expect(after).toBeGreaterThan(before.at(-1)!);
      });

      it('given ids that were only tried, when they are given back, then the next ones get them', async () => {
        const [flushed] = await one.allocate('event');
        await one.flush();
        const tried = await one.allocate('event', 2);
        one.giveBackIds();
        await one.reset();
        expect(await one.allocate('event', 2)).toEqual(tried);
        expect(tried[0]).toBeGreaterThan(flushed!);
      });

      it('given flushed ids, then as many are counted at least', async () => {
        expect(await one.countAllocated('event')).toBe(0);
        await one.allocate('event', 7);
        await one.flush();
        expect(await one.countAllocated('event')).toBeGreaterThanOrEqual(7);
        expect(await one.countAllocated('team')).toBe(0);
      });

      it('given flushed ids, when the registry is opened again, then greater ones are given', async () => {
        const before = await one.allocate('event', 3);
        await one.flush();
        one = await world.open();
        expect((await one.allocate('event'))[0]).toBeGreaterThan(before.at(-1)!);
      });
    });

    describe('refs', () => {
      it('given a bound ref, then it is found before the flush, after it, and when opened again', async () => {
        expect(await one.findEvent('a', 'x|1')).toBeUndefined();
        await one.bindEvent('a', 'x|1', { id: 5, swapped: true });
        expect(await one.findEvent('a', 'x|1')).toEqual({ id: 5, swapped: true });
        await one.flush();
        expect(await one.findEvent('a', 'x|1')).toEqual({ id: 5, swapped: true });
        one = await world.open();
        expect(await one.findEvent('a', 'x|1')).toEqual({ id: 5, swapped: true });
        expect(await one.findEvent('b', 'x|1')).toBeUndefined();
      });

      it('given a ref of one kind and sport, then those of others are not bound by it', async () => {
        await one.bindEntity('team', 'nfl', 'a', '1', 7);
        await one.flush();
        expect(await one.findEntity('team', 'nfl', 'a', '1')).toBe(7);
        expect(await one.findEntity('player', 'nfl', 'a', '1')).toBeUndefined();
        expect(await one.findEntity('team', 'nba', 'a', '1')).toBeUndefined();
        expect(await one.findEvent('a', '1')).toBeUndefined();
      });

      it('given a ref, then its source has one for that thing, and no other source has', async () => {
        expect(await one.hasRefOf('team', 'nfl', 'a', 7)).toBe(false);
        await one.bindEntity('team', 'nfl', 'a', '1', 7);
        expect(await one.hasRefOf('team', 'nfl', 'a', 7)).toBe(true);
        await one.flush();
        expect(await one.hasRefOf('team', 'nfl', 'a', 7)).toBe(true);
        expect(await one.hasRefOf('team', 'nfl', 'b', 7)).toBe(false);
        expect(await one.hasRefOf('team', 'nfl', 'a', 8)).toBe(false);
      });

      it('given a ref that was looked up, when it is bound to another event, then it moves', async () => {
        await one.bindEvent('a', 'x', { id: 5, swapped: false });
        await one.flush();
        expect(await one.findEvent('a', 'x')).toEqual({ id: 5, swapped: false });
        await one.bindEvent('a', 'x', { id: 6, swapped: true });
        await one.flush();
        expect(await one.findEvent('a', 'x')).toEqual({ id: 6, swapped: true });
        expect(await one.hasRefOf('event', '', 'a', 5)).toBe(false);
      });

      it('given staged changes, when they are forgotten, then nothing is found', async () => {
        await one.bindEvent('a', 'x', { id: 5, swapped: false });
        await one.addName('team', 'nfl', 'chiefs', 1);
        await one.putFixture(5, near(0), null);
        await one.quarantine(waiting('m1', [ofName('bills')]));
        await one.reset();
        await one.flush();
        expect(await one.findEvent('a', 'x')).toBeUndefined();
        expect(await one.findByName('team', 'nfl', 'chiefs')).toEqual([]);
        expect(await one.findFixtures('1~2')).toEqual([]);
        expect(await one.listQuarantined(10)).toEqual([]);
      });

      it('given what was prefetched, then it is found as without', async () => {
        await one.bindEvent('a', 'x', { id: 5, swapped: false });
        await one.bindEntity('team', 'nfl', 'a', '1', 7);
        await one.addName('team', 'nfl', 'chiefs', 7);
        await one.putFixture(5, near(0), null);
        await one.flush();
        one = await world.open();
        await one.prefetch({
          events: [x, { source: 'a', ref: 'y' }],
          entities: [{ kind: 'team', scope: 'nfl', source: 'a', ref: '1' }],
          names: [{ kind: 'team', scope: 'nfl', name: 'chiefs' }],
          pairs: ['1~2', '3~4'],
        });
        expect(await one.findEvent('a', 'x')).toEqual({ id: 5, swapped: false });
        expect(await one.findEvent('a', 'y')).toBeUndefined();
        expect(await one.findEntity('team', 'nfl', 'a', '1')).toBe(7);
        expect(await one.findByName('team', 'nfl', 'chiefs')).toEqual([7]);
        expect(await one.findFixtures('1~2')).toEqual([{ id: 5, startsAt: 0, sides: ['team:1', 'team:2'] }]);
        expect(await one.findFixtures('3~4')).toEqual([]);
      });
    });

    describe('refs of things', () => {
      const game = { kind: 'event', scope: '', id: 5 } as const;
      const chiefs = { kind: 'team', scope: 'nfl', id: 7 } as const;

      it('given refs of several sources, then all of a thing are told, in their order, and those of no other', async () => {
        world.clock.time = 1000;
        await one.bindEvent('b', 'x|1', { id: 5, swapped: true });
        await one.bindEvent('a', 'z', { id: 5, swapped: false });
        await one.bindEvent('a', 'y', { id: 5, swapped: false });
        await one.bindEvent('a', 'other', { id: 55, swapped: false });
        await one.bindEntity('team', 'nfl', 'a', 'y', 7);
        await one.bindEntity('team', 'nba', 'a', 'n', 7);
        await one.bindEntity('player', 'nfl', 'a', 'p', 7);
        expect(await one.listRefs([game])).toEqual([[]]);
        await one.flush();
        const look = async (instance: Identities) => {
          const none = { kind: 'player', scope: 'nfl', id: 8 } as const;
          expect(await instance.listRefs([chiefs, none, game])).toEqual([
            [{ source: 'a', ref: 'y', swapped: false, boundAt: 1000 }],
            [],
            [
              { source: 'a', ref: 'y', swapped: false, boundAt: 1000 },
              { source: 'a', ref: 'z', swapped: false, boundAt: 1000 },
              { source: 'b', ref: 'x|1', swapped: true, boundAt: 1000 },
            ],
          ]);
        };
        await look(one);
        await look(await world.open());
        expect(await one.listRefs([])).toEqual([]);
      });

      it('given a ref, then what a source calls so is found among the kinds and scopes asked for, once flushed', async () => {
        await one.bindEvent('a', 'y', { id: 5, swapped: false });
        await one.bindEntity('team', 'nfl', 'a', 'y', 7);
        await one.bindEntity('player', 'nba', 'a', 'y', 9);
        const among = [chiefs, { kind: 'team', scope: 'nba' }, game] as const;
        expect(await one.findEntitiesByRef('a', 'y', among)).toEqual([]);
        await one.flush();
        expect(await one.findEntitiesByRef('a', 'y', among)).toEqual([chiefs, game]);
        expect(await one.findEntitiesByRef('b', 'y', among)).toEqual([]);
        expect(await one.findEntitiesByRef('a', 'Y', among)).toEqual([]);
        expect(await one.findEntitiesByRef('a', 'y', [])).toEqual([]);
      });

      it('given a ref that is bound again, then it was bound when it came to this thing', async () => {
        world.clock.time = 1000;
        await one.bindEvent('a', 'y', { id: 5, swapped: false });
        await one.flush();
        world.clock.time = 2000;
        await one.findEvent('a', 'y');
        await one.bindEvent('a', 'y', { id: 5, swapped: true });
        await one.flush();
        expect(await one.listRefs([game])).toEqual([[{ source: 'a', ref: 'y', swapped: true, boundAt: 1000 }]]);
        world.clock.time = 3000;
        await one.findEvent('a', 'y');
        await one.bindEvent('a', 'y', { id: 6, swapped: true });
        await one.flush();
        expect(await one.listRefs([game, { ...game, id: 6 }])).toEqual([
          [],
          [{ source: 'a', ref: 'y', swapped: true, boundAt: 3000 }],
        ]);
      });

      it('given more things than are looked up at once, then each has its own', async () => {
        const ids = Array.from({ length: 400 }, (_, index) => index + 1);
        for (const id of ids) await one.bindEvent(`s${id % 3}`, `r${id}`, { id, swapped: false });
        await one.flush();
        const refs = await one.listRefs(ids.map((id) => ({ ...game, id })));
        expect(refs.map((all) => all.map(({ ref }) => ref))).toEqual(ids.map((id) => [`r${id}`]));
      });
    });

    describe('names and fixtures', () => {
      it('given a name that several bear, then all are found, each once', async () => {
        expect(await one.addName('team', 'nfl', 'chiefs', 2)).toBe(true);
        await one.flush();
        expect(await one.addName('team', 'nfl', 'chiefs', 1)).toBe(true);
        expect(await one.addName('team', 'nfl', 'chiefs', 1)).toBe(false);
        expect(await one.addName('team', 'nfl', 'chiefs', 2)).toBe(false);
        expect(sorted(await one.findByName('team', 'nfl', 'chiefs'))).toEqual([1, 2]);
        await one.flush();
        expect(sorted(await one.findByName('team', 'nfl', 'chiefs'))).toEqual([1, 2]);
        expect(await one.findByName('team', 'nba', 'chiefs')).toEqual([]);
        expect(await one.findByName('player', 'nfl', 'chiefs')).toEqual([]);
      });

      it('given a name with bars in it, then it is found and nothing else is', async () => {
        await one.addName('venue', '', 'arrowhead|kansas city', 3);
        await one.flush();
        expect(await one.findByName('venue', '', 'arrowhead|kansas city')).toEqual([3]);
        expect(await one.findByName('venue', '', 'arrowhead')).toEqual([]);
      });

      it('given fixtures of a pair, when one moves in time, then it stands there once, with the new start', async () => {
        await one.putFixture(5, near(0), null);
        await one.putFixture(6, near(100), null);
        await one.flush();
        await one.putFixture(5, near(50), '1~2');
        const expected = [
          { id: 5, startsAt: 50, sides: ['team:1', 'team:2'] },
          { id: 6, startsAt: 100, sides: ['team:1', 'team:2'] },
        ];
        expect(byId(await one.findFixtures('1~2'))).toEqual(expected);
        await one.flush();
        expect(byId(await one.findFixtures('1~2'))).toEqual(expected);
      });

      it('given a fixture, when its sides change, then it leaves the pair that it had', async () => {
        const other: SidedFixture = { pair: '1~3', startsAt: 0, sides: ['team:1', 'team:3'] };
        await one.putFixture(5, near(0), null);
        await one.flush();
        await one.findFixtures('1~2');
        await one.putFixture(5, other, '1~2');
        expect(await one.findFixtures('1~2')).toEqual([]);
        await one.flush();
        expect(await one.findFixtures('1~2')).toEqual([]);
        expect(await one.findFixtures('1~3')).toEqual([{ id: 5, startsAt: 0, sides: other.sides }]);
      });

      it('given events of a side, staged and flushed, then all of them are found', async () => {
        await one.putFixture(5, near(0), null);
        await one.putFixture(9, { pair: null, startsAt: 0, sides: ['team:2', 'name:winner'] }, null);
        await one.flush();
        await one.putFixture(7, near(9), null);
        expect(await one.eventsOfSide('team:2')).toEqual([5, 7, 9]);
        expect(await one.eventsOfSide('team:1')).toEqual([5, 7]);
        await one.putFixture(5, { pair: '3~4', startsAt: 0, sides: ['team:3', 'team:4'] }, '1~2');
        expect(await one.eventsOfSide('team:1')).toEqual([7]);
      });

      it('given events of a side, then those that start within a time are found, the first ones first', async () => {
        for (const [id, startsAt] of [
          [5, 30],
          [6, 10],
          [7, 50],
          [8, 20],
        ] as const)
          await one.putFixture(id, { ...near(0), startsAt }, null);
        await one.putFixture(9, { pair: '3~4', startsAt: 20, sides: ['team:3', 'team:4'] }, null);
        await one.flush();
        one = await world.open();
        const found = await one.fixturesOfSide('team:1', 10, 30, 10);
        expect(found.map(({ id }) => id)).toEqual([6, 8, 5]);
        expect(found[1]).toEqual({ id: 8, startsAt: 20, sides: near(0).sides });
        expect((await one.fixturesOfSide('team:1', 10, 30, 2)).map(({ id }) => id)).toEqual([6, 8]);
      });

      it('lists all names of entities, those that an operator gave too, and no other’s', async () => {
        const [kind, scope] = ['team', 'nba'] as const;
        await one.addName(kind, scope, 'hawks', 1);
        await one.addName(kind, scope, 'atlantahawks', 1);
        await one.addName(kind, scope, 'hawks', 2);
        await one.addName(kind, 'nfl', 'hawks', 1);
        await one.addAlias(kind, scope, 'thehawks', 1);
        await one.flush();
        await one.addName(kind, scope, 'staged', 1);
        const things = [3, 1, 2].map((id) => ({ kind, scope, id }));
        const listed = (await (await world.open()).listNames(things)).map((names) => [...names].sort());
        expect(listed).toEqual([[], ['atlantahawks', 'hawks', 'thehawks'], ['hawks']]);
        expect((await one.listNames(things)).map((names) => names.length)).toEqual([0, 3, 1]);
        expect(await one.listNames([])).toEqual([]);
      });

      it('returns the events of pairs', async () => {
        await one.putFixture(5, { pair: '1~2', startsAt: 0, sides: ['player:1', 'player:2'] }, null);
        await one.putFixture(7, { pair: 'a~b', startsAt: 0, sides: ['pair:jo/al', 'name:winner'] }, null);
        await one.putFixture(6, { pair: 'a~c', startsAt: 0, sides: ['name:winner', 'pair:jo/al'] }, null);
        await one.flush();
        expect(await one.eventsOfPairs()).toEqual([6, 7]);
      });
    });

    describe('what waits', () => {
      const m1 = waiting('m1', [ofName('chiefs'), ofRef('x')], { receivedAt: '2026-01-01T00:00:00Z' });
      // Within the same second, which sorts behind it as a text.
      const m2 = waiting('m2', [ofName('chiefs')], {
        receivedAt: '2026-01-01T00:00:00.250Z',
        accepted: true,
        throttleMs: 60_000,
      });

      it('given parked messages, then they are awaited by their keys, before the flush and after it', async () => {
        await one.quarantine(m2);
        await one.quarantine(m1);
        const look = async () => {
          expect(await one.findQuarantined(['m1', 'm2', 'm3'])).toEqual(new Set(['m1', 'm2']));
          expect(await one.findQuarantineKeys([ofName('chiefs'), ofName('bills'), ofRef('x')])).toEqual(
            new Set([ofName('chiefs'), ofRef('x')]),
          );
        };
        await look();
        await one.flush();
        await look();
        one = await world.open();
        await look();
        expect(await one.listQuarantined(10)).toEqual([m1, m2]);
        expect(await one.listQuarantined(1)).toEqual([m1]);
      });

      it('given many keys, then they come page by page, in order, each once', async () => {
        const keys = Array.from({ length: 9 }, (_, n) => ofName(`n${n}`));
        for (const [n, key] of keys.entries()) await one.quarantine(waiting(`m${n}`, [key, keys[0]!]));
        await one.flush();
        const paged: string[] = [];
        for (let after: string | null = null; ; ) {
          const page: readonly string[] = await one.listQuarantineKeys(after, 4);
          expect(page.length).toBeLessThanOrEqual(4);
          paged.push(...page);
          if (page.length === 0) break;
          after = page.at(-1)!;
        }
        expect(paged).toEqual([...keys].sort());
      });

      it('given a key, when what waits for it is taken, then it comes once, the oldest first', async () => {
        await one.quarantine(m2);
        await one.flush();
        await one.quarantine(m1);
        expect(await claim(one, ofName('chiefs'), mine)).toEqual([m1, m2]);
        expect(await claim(one, ofName('chiefs'), mine)).toEqual([]);
        expect(await claim(one, ofRef('x'), mine)).toEqual([]);
        expect(await one.findQuarantined(['m1', 'm2'])).toEqual(new Set());
        expect(await one.findQuarantineKeys([ofName('chiefs'), ofRef('x')])).toEqual(new Set());
      });

      it('given taken messages, when they are confirmed, then they are gone for good', async () => {
        await one.quarantine(m1);
        await one.quarantine(m2);
        await one.flush();
        await claim(one, ofName('chiefs'), mine);
        await one.flush();
        expect(await one.listQuarantined(10)).toEqual([m1, m2]);
        await one.confirmClaimed();
        expect(await one.listQuarantined(10)).toEqual([]);
        expect(await one.listQuarantineKeys(null, 10)).toEqual([]);
        await one.confirmClaimed();
        one = await world.open();
        expect(await one.findQuarantined(['m1', 'm2'])).toEqual(new Set());
      });

      it('given a taken message, when it is forgotten before it is confirmed, then it waits again', async () => {
        await one.quarantine(m1);
        await one.flush();
        await claim(one, ofRef('x'), mine);
        await one.reset();
        expect(await one.findQuarantineKeys([ofRef('x')])).toEqual(new Set([ofRef('x')]));
        expect(await claim(one, ofRef('x'), mine)).toEqual([m1]);
      });

      it('given a taken message, when its owner starts anew, then it waits for its owner again', async () => {
        await one.quarantine(m1);
        await one.flush();
        await claim(one, ofRef('x'), mine);
        one = await world.open();
        expect(await claim(one, ofRef('x'), mine)).toEqual([m1]);
      });

      it('given a taken message, when it is parked again, then it waits for its old keys too until that is confirmed', async () => {
        await one.quarantine(m1);
        await one.flush();
        await claim(one, ofRef('x'), mine);
        const again = { ...m1, reason: 'now for another', keys: [ofName('bills')] };
        const all = [ofName('chiefs'), ofRef('x'), ofName('bills')];
        await one.quarantine(again);
        expect(await one.findQuarantineKeys(all)).toEqual(new Set([ofName('bills')]));
        await one.flush();
        expect(await one.findQuarantineKeys(all)).toEqual(new Set(all));
        expect(await one.listQuarantined(10)).toEqual([again]);
        await one.confirmClaimed();
        expect(await one.findQuarantineKeys(all)).toEqual(new Set([ofName('bills')]));
        expect(await one.listQuarantined(10)).toEqual([again]);
        expect(await claim(one, ofName('bills'), mine)).toEqual([again]);
      });

      it('given a message that was parked again, when its owner dies before that is confirmed, then what it waited for first is untried, and takes it', async () => {
        await one.quarantine(m1);
        await one.flush();
        await one.confirmClaimed();
        await claim(one, ofRef('x'), mine);
        const again = { ...m1, reason: 'now for another', keys: [ofName('bills')] };
        await one.quarantine(again);
        await one.flush();
        one = await world.open();
        expect(await one.listUntriedKeys(null, 10)).toContain(ofRef('x'));
        expect(await claim(one, ofRef('x'), mine)).toEqual([again]);
        await one.quarantine(again);
        await one.flush();
        await one.confirmClaimed();
        expect(await one.findQuarantineKeys([ofRef('x'), ofName('bills')])).toEqual(new Set([ofName('bills')]));
        one = await world.open();
        expect(await one.listUntriedKeys(null, 10)).not.toContain(ofRef('x'));
      });

      it('given more messages than are asked for, then the others come with the next ones, and the key is untried till then', async () => {
        const all = Array.from({ length: 7 }, (_, n) => waiting(`m${n}`, [ofRef('x'), ofName(`n${n}`)]));
        for (const message of all) await one.quarantine(message);
        await one.flush();
        await one.confirmClaimed();
        const taken: string[] = [];
        for (;;) {
          const some = await claim(one, ofRef('x'), { ...mine, limit: 3 });
          taken.push(...some.map(({ fingerprint }) => fingerprint));
          await one.flush();
          await one.confirmClaimed();
          if (some.length < 3) break;
          const left = taken.length < all.length;
          // As after a crash.
          one = await world.open();
          expect((await one.listUntriedKeys(null, 100)).includes(ofRef('x'))).toBe(left);
          expect(await one.findQuarantineKeys([ofRef('x')])).toEqual(new Set(left ? [ofRef('x')] : []));
        }
        expect(taken.sort()).toEqual(all.map(({ fingerprint }) => fingerprint));
        expect(await one.listQuarantined(10)).toEqual([]);
      });

      it('given messages that wait for the same key again, then each claim goes on where the one before stopped', async () => {
        const all = Array.from({ length: 7 }, (_, n) => waiting(`m${n}`, [ofRef('x')]));
        for (const message of all) await one.quarantine(message);
        await one.flush();
        await one.confirmClaimed();
        const taken: string[] = [];
        let after: number | undefined;
        do {
          const claimed = await one.claimQuarantined(ofRef('x'), { ...mine, limit: 3, after });
          taken.push(...claimed.messages.map(({ fingerprint }) => fingerprint));
          for (const message of claimed.messages) await one.quarantine(message);
          await one.flush();
          await one.confirmClaimed();
          after = claimed.next;
        } while (after !== undefined);
        expect(taken).toEqual(all.map(({ fingerprint }) => fingerprint));
        expect(await claim(one, ofRef('x'), mine)).toEqual(all);
      });

      it('given a message that is taken and waits on in the batch that brought it, then it waits after the flush', async () => {
        await one.quarantine(m1);
        await one.flush();
        await one.confirmClaimed();
        await one.quarantine(m2);
        const taken = await claim(one, ofName('chiefs'), mine);
        for (const message of taken) await one.quarantine(message);
        await one.flush();
        await one.confirmClaimed();
        expect(await one.quarantineSize()).toMatchObject({ messages: 2 });
        one = await world.open();
        expect(await one.listQuarantined(10)).toEqual([m1, m2]);
        expect(await claim(one, ofName('chiefs'), mine)).toEqual([m1, m2]);
      });

      it('given messages, then they are counted by source and kind of what they wait for, and listed in parts', async () => {
        const others = Array.from({ length: 600 }, (_, n) => waiting(`o${n}`, [ofRef(`r${n % 7}`)]));
        for (const message of [...others, m1, m2]) await one.quarantine(message);
        expect(await one.countQuarantined()).toEqual([]);
        await one.flush();
        const numbers = async () => sortedNumbers(await one.countQuarantined());
        const byName = { source: 'a', waitsFor: 'a team of nfl by name', number: 1 };
        const byRef = { source: 'a', waitsFor: 'an event by its ref', accepted: false };
        expect(await numbers()).toEqual([
          { ...byName, accepted: false },
          { ...byName, accepted: true },
          { ...byRef, number: 600 },
        ]);
        const listed: string[] = [];
        for await (const part of one.eachQuarantined()) listed.push(...part.map(({ fingerprint }) => fingerprint));
        expect(listed).toHaveLength(602);
        expect(listed.at(-1)).toBe('m2');
        expect(await one.topQuarantineKeys(2)).toEqual([
          { key: ofRef('r0'), number: 86 },
          { key: ofRef('r1'), number: 86 },
        ]);
        await claim(one, ofRef('r0'), mine);
        await claim(one, ofName('chiefs'), mine);
        await one.quarantine({ ...m2, keys: [ofRef('y')] });
        await one.flush();
        await one.confirmClaimed();
        one = await world.open();
        expect(await numbers()).toEqual([
          { ...byRef, number: 514 },
          { ...byRef, accepted: true, number: 1 },
        ]);
      });

      it('given a message that waits for one key twice, then it is taken once', async () => {
        const twice = waiting('m3', [ofName('chiefs'), ofName('chiefs')]);
        await one.quarantine(twice);
        await one.flush();
        expect(await claim(one, ofName('chiefs'), mine)).toEqual([twice]);
        await one.confirmClaimed();
        expect(await one.listQuarantined(10)).toEqual([]);
      });
    });

    describe('names that an operator gives', () => {
      it('given such a name, then it is found beside the others, over restarts', async () => {
        await one.addName('team', 'nfl', 'chiefs', 1);
        await one.addAlias('team', 'nfl', 'chiefs', 2);
        const look = async () => expect(sorted(await one.findByName('team', 'nfl', 'chiefs'))).toEqual([1, 2]);
        await look();
        await one.flush();
        await look();
        one = await world.open();
        await look();
      });

      it.each(['before it is flushed', 'after'])(
        'given its end %s, then it is gone, and the others stay',
        async (when) => {
          await one.addName('team', 'nfl', 'chiefs', 1);
          for (const id of [1, 2]) await one.addAlias('team', 'nfl', 'chiefs', id);
          if (when === 'after') await one.flush();
          for (const id of [1, 2]) await one.removeAlias('team', 'nfl', 'chiefs', id);
          const look = async () => expect(await one.findByName('team', 'nfl', 'chiefs')).toEqual([1]);
          await look();
          await one.flush();
          await look();
          one = await world.open();
          await look();
        },
      );

      it('given a name that was taken back, when it is given again, then it is found', async () => {
        await one.addAlias('team', 'nfl', 'chiefs', 2);
        await one.flush();
        await one.removeAlias('team', 'nfl', 'chiefs', 2);
        await one.addAlias('team', 'nfl', 'chiefs', 2);
        await one.flush();
        one = await world.open();
        expect(await one.findByName('team', 'nfl', 'chiefs')).toEqual([2]);
      });
    });

    describe('groups of what waits', () => {
      const under = (fingerprint: string, ref: string, minute: number, kind = 'score') =>
        waiting(fingerprint, [ofName('chiefs'), ofRef(ref)], {
          message: { source: 'a', kind, text: fingerprint },
          receivedAt: `2026-01-01T00:0${minute}:00Z`,
          code: 'ambiguous',
          candidates: [3, 1],
        });
      const groupOf = (ref: string) => `a ${ofRef(ref)}`;

      it('given messages, then they come by source and ref, in pages, over restarts', async () => {
        const [m1, m2, m3] = [under('m1', 'x', 1), under('m2', 'x', 3, 'odds'), under('m3', 'y', 2)];
        for (const message of [m2, m1, m3]) await one.quarantine(message);
        expect(await one.listWaitingGroups(null, 10)).toEqual([]);
        await one.flush();
        one = await world.open();
        const x = {
          firstAt: m1.receivedAt,
          lastAt: m2.receivedAt,
          messages: 2,
          kinds: { odds: 1, score: 1 },
          oldest: m1,
        };
        const y = { firstAt: m3.receivedAt, lastAt: m3.receivedAt, messages: 1, kinds: { score: 1 }, oldest: m3 };
        const groups = [
          { id: groupOf('x'), ...x },
          { id: groupOf('y'), ...y },
        ];
        expect(await one.listWaitingGroups(null, 10)).toEqual(groups);
        expect(await one.listWaitingGroups(null, 1)).toEqual(groups.slice(0, 1));
        expect(await one.listWaitingGroups(groupOf('x'), 10)).toEqual(groups.slice(1));
        expect(await one.findWaitingGroup(groupOf('y'))).toEqual(groups[1]);
        expect(await one.findWaitingGroup(groupOf('z'))).toBeUndefined();
      });

      it('given messages within one second, then the one of the whole second is the oldest', async () => {
        const at = (fingerprint: string, receivedAt: string, kind: string) =>
          waiting(fingerprint, [ofRef('x')], { message: { source: 'a', kind, text: fingerprint }, receivedAt });
        const [first, second, third] = [
          at('m1', '2026-01-01T00:01:00Z', 'score'),
          at('m2', '2026-01-01T00:01:00.500Z', 'odds'),
          at('m3', '2026-01-01T00:01:00.750Z', 'score'),
        ];
        for (const message of [third, first, second]) await one.quarantine(message);
        await one.flush();
        one = await world.open();
        expect(await one.findWaitingGroup(groupOf('x'))).toEqual({
          id: groupOf('x'),
          firstAt: first.receivedAt,
          lastAt: third.receivedAt,
          messages: 3,
          kinds: { odds: 1, score: 2 },
          oldest: first,
        });
      });

      it('given a dismissed message, then it is kept, but not listed, counted or found by its old keys', async () => {
        for (const message of [under('m1', 'x', 1), under('m2', 'y', 2)]) await one.quarantine(message);
        await one.flush();
        const [claimed] = await claim(one, ofRef('x'), mine);
        await one.quarantine({ ...claimed!, keys: ['dismissed|7'] });
        await one.flush();
        await one.confirmClaimed();
        one = await world.open();
        expect((await one.listWaitingGroups(null, 10)).map(({ id }) => id)).toEqual([groupOf('y')]);
        expect((await one.listQuarantined(10)).map(({ fingerprint }) => fingerprint)).toEqual(['m2']);
        const listed: string[] = [];
        for await (const part of one.eachQuarantined()) listed.push(...part.map(({ fingerprint }) => fingerprint));
        expect(listed).toEqual(['m2']);
        expect((await one.quarantineSize()).messages).toBe(1);
        expect((await one.countQuarantined()).map(({ number }) => number)).toEqual([1]);
        expect(await one.findQuarantined(['m1'])).toEqual(new Set(['m1']));
        expect(await claim(one, ofRef('x'), mine)).toEqual([]);
        const [again] = await claim(one, 'dismissed|7', mine);
        expect(again).toMatchObject({ fingerprint: 'm1', code: 'ambiguous', candidates: [3, 1] });
        await one.quarantine({ ...again!, keys: [ofRef('x')] });
        await one.flush();
        await one.confirmClaimed();
        expect((await one.quarantineSize()).messages).toBe(2);
        expect((await one.findWaitingGroup(groupOf('x')))?.messages).toBe(1);
      });

      it('given messages, then those of a group and of a key are listed, oldest first, dismissed ones by their act', async () => {
        const [m1, m2, m3] = [under('m1', 'x', 1), under('m2', 'x', 3, 'odds'), under('m3', 'y', 2)];
        for (const message of [m2, m1, m3]) await one.quarantine(message);
        await one.flush();
        const fingerprintsOf = async (...args: Parameters<typeof one.listWaiting>) =>
          (await one.listWaiting(...args)).map(({ fingerprint }) => fingerprint);
        expect(await one.listWaiting({ group: groupOf('x') }, 10)).toEqual([m1, m2]);
        expect(await fingerprintsOf({ group: groupOf('x') }, 1)).toEqual(['m1']);
        expect(await fingerprintsOf({ group: groupOf('z') }, 1)).toEqual([]);
        expect(await fingerprintsOf({ key: ofName('chiefs') }, 10)).toEqual(['m1', 'm3', 'm2']);
        expect(await one.findWaitingFor(ofName('chiefs'))).toMatchObject({ messages: 3, kinds: { odds: 1, score: 2 } });
        expect(await one.findWaitingFor('dismissed|7')).toBeUndefined();

        const [claimed] = await claim(one, ofRef('y'), mine);
        await one.quarantine({ ...claimed!, keys: ['dismissed|7'] });
        await one.flush();
        await one.confirmClaimed();
        one = await world.open();
        expect(await fingerprintsOf({ key: 'dismissed|7' }, 10)).toEqual(['m3']);
        expect(await one.findWaitingFor('dismissed|7')).toMatchObject({ id: 'dismissed|7', messages: 1 });
        expect(await fingerprintsOf({ group: groupOf('y') }, 10)).toEqual([]);
        expect(await one.findWaitingFor(ofName('chiefs'))).toMatchObject({ messages: 2 });
      });
    });

    describe('sources', () => {
      it('given an empty registry, then nobody has fed it', async () => {
        expect(await one.hasOtherSources('a')).toBe(false);
      });

      it('given refs of one source, then it was fed by it and not by others', async () => {
        await one.bindEvent('a_1', 'x', { id: 1, swapped: false });
        await one.bindEntity('player', 'mlb', 'a_1', 'y', 1);
        await one.flush();
        expect(await one.hasOtherSources('a_1')).toBe(false);
        expect(await one.hasOtherSources('ab1')).toBe(true);
        await one.bindEntity('player', 'mlb', 'b', 'y', 2);
        await one.flush();
        expect(await one.hasOtherSources('a_1')).toBe(true);
      });

      it('given a message of a source that waits, then it was fed by that source', async () => {
        await one.quarantine(waiting('m1', [ofRef('x')], { message: { source: 'b' } }));
        await one.flush();
        expect(await one.hasOtherSources('b')).toBe(false);
        expect(await one.hasOtherSources('a')).toBe(true);
      });
    });
  });

  const reason = skip.find(({ tests }) => tests.includes(SEVERAL))?.reason;
  describe.skipIf(reason !== undefined)(
    reason === undefined ? `identities: ${name}` : `identities: ${name} (skipped: ${reason})`,
    () => severalInstancesContract(begin),
  );
}
