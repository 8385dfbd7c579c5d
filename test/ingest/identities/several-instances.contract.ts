import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Identities } from '../../../src/ingest/identities/identities.ts';
import { formatIdentityKey, type IdentityKey } from '../../../src/ingest/identities/identity-key.ts';
import {
  claim,
  conflictOf,
  type IdentitiesWorld,
  mine,
  near,
  ofName,
  ofRef,
  waiting,
  x,
  yours,
} from './identities-kit.ts';

/** By this title an adapter may say that it cannot have others beside it. */
export const SEVERAL = 'several instances on one registry';

/** What instances of several processes must do to each other. `begin` gives a new, empty registry. */
export function severalInstancesContract(begin: () => Promise<IdentitiesWorld>): void {
  describe(SEVERAL, () => {
    let world: IdentitiesWorld;
    let one: Identities;
    let two: Identities;
    beforeEach(async () => {
      world = await begin();
      one = await world.open();
      two = await world.open();
    });
    afterEach(() => world.close());

    it('given ids that both ask for by turns, then none is given twice', async () => {
      const given: number[] = [];
      for (let n = 0; n < 40; n++) {
        for (const instance of [one, two]) {
          given.push(...(await instance.allocate('event', 1 + (n % 3))));
          if (n % 7 === 0) await instance.flush();
          if (n % 11 === 0) await instance.reset();
        }
      }
      expect(new Set(given).size).toBe(given.length);
      const third = await world.open();
      expect((await third.allocate('event'))[0]).toBeGreaterThan(Math.max(...given));
    });

    it('given ids that both ask for at once, then none is given twice', async () => {
      const both = [one, two].flatMap((instance) => Array.from({ length: 30 }, () => instance.allocate('player', 2)));
      const given = (await Promise.all(both)).flat();
      expect(new Set(given).size).toBe(120);
    });

    it('given what one has flushed, when the other begins a batch, then it sees it', async () => {
      expect(await two.findEvent('a', 'x')).toBeUndefined();
      expect(await two.findByName('team', 'nfl', 'chiefs')).toEqual([]);
      expect(await two.findFixtures('1~2')).toEqual([]);
      expect(await two.findQuarantineKeys([ofRef('y')])).toEqual(new Set());
      await two.flush();
      await one.bindEvent('a', 'x', { id: 5, swapped: false });
      await one.addName('team', 'nfl', 'chiefs', 1);
      await one.putFixture(5, near(0), null);
      await one.quarantine(waiting('m1', [ofRef('y')]));
      await one.flush();
      expect(await two.findEvent('a', 'x')).toEqual({ id: 5, swapped: false });
      expect(await two.findByName('team', 'nfl', 'chiefs')).toEqual([1]);
      expect(await two.findFixtures('1~2')).toHaveLength(1);
      expect(await two.findQuarantineKeys([ofRef('y')])).toEqual(new Set([ofRef('y')]));
      expect(await two.findQuarantined(['m1'])).toEqual(new Set(['m1']));
    });

    it('given a ref that one has bound, when the other binds it to another event, then it conflicts and stays', async () => {
      await one.bindEvent('a', 'x', { id: 5, swapped: false });
      await two.bindEvent('a', 'x', { id: 6, swapped: false });
      await two.bindEvent('a', 'y', { id: 6, swapped: false });
      await one.flush();
      const conflict = await conflictOf(two.flush());
      expect(conflict.keys).toEqual([{ what: 'event', ...x }]);
      await two.reset();
      expect(await two.findEvent('a', 'x')).toEqual({ id: 5, swapped: false });
      expect(await two.findEvent('a', 'y')).toBeUndefined();
    });

    it('given a ref that another has moved since it was looked up, when it is moved, then it conflicts', async () => {
      await one.bindEvent('a', 'x', { id: 5, swapped: false });
      await one.flush();
      for (const [instance, id] of [
        [one, 6],
        [two, 7],
      ] as const) {
        await instance.findEvent('a', 'x');
        await instance.bindEvent('a', 'x', { id, swapped: false });
      }
      await one.flush();
      await conflictOf(two.flush());
      await two.reset();
      expect(await two.findEvent('a', 'x')).toEqual({ id: 6, swapped: false });
    });

    it('given a ref that both bind to the same event, then both succeed', async () => {
      for (const instance of [one, two]) await instance.bindEvent('a', 'x', { id: 5, swapped: true });
      await one.flush();
      await two.flush();
      expect(await two.findEvent('a', 'x')).toEqual({ id: 5, swapped: true });
    });

    it('given an entry that its source had no ref for, when both bind one, then the second conflicts', async () => {
      for (const [instance, ref] of [
        [one, '1'],
        [two, '2'],
      ] as const) {
        expect(await instance.hasRefOf('team', 'nfl', 'a', 7)).toBe(false);
        await instance.bindEntity('team', 'nfl', 'a', ref, 7);
      }
      await one.flush();
      const conflict = await conflictOf(two.flush());
      expect(conflict.keys).toEqual([{ what: 'ref', kind: 'team', scope: 'nfl', source: 'a', ref: '1' }]);
      await two.reset();
      expect(await two.hasRefOf('team', 'nfl', 'a', 7)).toBe(true);
    });

    it('given a name that nobody bore, when both give it to a new entry, then the second conflicts', async () => {
      await one.addName('team', 'nfl', 'chiefs', 1);
      await two.addName('team', 'nfl', 'chiefs', 2);
      await one.flush();
      const conflict = await conflictOf(two.flush());
      expect(conflict.keys).toEqual([{ what: 'name', kind: 'team', scope: 'nfl', name: 'chiefs' }]);
      await two.reset();
      expect(await two.findByName('team', 'nfl', 'chiefs')).toEqual([1]);
      await two.addName('team', 'nfl', 'chiefs', 2);
      await two.flush();
      expect(await two.findByName('team', 'nfl', 'chiefs')).toEqual([1, 2]);
    });

    it('given a name that was new, when its batch comes upon who bears it since and says so too, then it conflicts', async () => {
      await one.addName('team', 'nfl', 'chiefs', 1);
      await two.addName('team', 'nfl', 'chiefs', 2);
      await one.flush();
      await two.addName('team', 'nfl', 'chiefs', 1);
      expect((await conflictOf(two.flush())).keys).toMatchObject([{ name: 'chiefs' }]);
    });

    it('given a pair that had no event, when its batch comes upon one since and places it too, then it conflicts', async () => {
      await two.putFixture(6, near(60), null);
      await one.putFixture(5, near(0), null);
      await one.flush();
      await two.putFixture(5, near(0), null);
      expect((await conflictOf(two.flush())).keys).toEqual([{ what: 'pair', pair: '1~2' }]);
    });

    it('given a name that both give to the same entry, then both succeed', async () => {
      for (const instance of [one, two]) await instance.addName('team', 'nfl', 'chiefs', 1);
      await one.flush();
      await two.flush();
      expect(await two.findByName('team', 'nfl', 'chiefs')).toEqual([1]);
    });

    it('given a pair, when both make an event of it, then the second conflicts', async () => {
      await two.findFixtures('1~2');
      await one.putFixture(5, near(0), null);
      await two.putFixture(6, near(60), null);
      await one.flush();
      const conflict = await conflictOf(two.flush());
      expect(conflict.keys).toEqual([{ what: 'pair', pair: '1~2' }]);
      await two.reset();
      expect(await two.findFixtures('1~2')).toHaveLength(1);
      await two.putFixture(6, near(60), null);
      await two.flush();
      expect(await one.findFixtures('1~2')).toHaveLength(2);
    });

    it('given messages, when both take them, then each message is one owner’s', async () => {
      for (const id of ['m1', 'm2', 'm3']) await one.quarantine(waiting(id, [ofName(id), ofName('chiefs')]));
      await one.flush();
      const mineFirst = await claim(one, ofName('m2'), mine);
      expect(mineFirst.map(({ fingerprint }) => fingerprint)).toEqual(['m2']);
      const theirs = await claim(two, ofName('chiefs'), yours);
      expect(theirs.map(({ fingerprint }) => fingerprint)).toEqual(['m1', 'm3']);
      expect(await claim(one, ofName('chiefs'), mine)).toEqual([]);
      await one.confirmClaimed();
      await two.confirmClaimed();
      expect(await one.listQuarantined(10)).toEqual([]);
    });

    it('given messages that both take at once, then each message is one owner’s', async () => {
      const ids = Array.from({ length: 20 }, (_, n) => `m${n}`);
      for (const id of ids) await one.quarantine(waiting(id, [ofName('chiefs')]));
      await one.flush();
      const both = await Promise.all([claim(one, ofName('chiefs'), mine), claim(two, ofName('chiefs'), yours)]);
      expect(both.flat().map(({ fingerprint }) => fingerprint)).toHaveLength(20);
      expect(new Set(both.flat().map(({ fingerprint }) => fingerprint)).size).toBe(20);
    });

    it('given a taken message whose owner died, when its time is over and not before, then another takes it', async () => {
      const m1 = waiting('m1', [ofRef('x')]);
      await one.quarantine(m1);
      await one.flush();
      await claim(one, ofRef('x'), mine);
      expect(await claim(two, ofRef('x'), { ...yours, now: mine.until - 1 })).toEqual([]);
      expect(await claim(two, ofRef('x'), { ...yours, now: mine.until })).toEqual([m1]);
    });

    it('given a message that another took when the time was over, then the first one’s word on it counts no more', async () => {
      await one.quarantine(waiting('m1', [ofRef('x')]));
      await one.flush();
      const [taken] = await claim(one, ofRef('x'), mine);
      await claim(two, ofRef('x'), { ...yours, now: mine.until });
      await one.confirmClaimed();
      expect(await one.listQuarantined(10)).toHaveLength(1);

      await one.reset();
      await claim(one, ofRef('x'), { ...mine, now: yours.until + mine.until });
      const third = await world.open();
      await claim(third, ofRef('x'), { owner: 'third', now: Number.MAX_SAFE_INTEGER - 1, until: 1 });
      await third.confirmClaimed();
      await one.quarantine(taken!);
      expect((await conflictOf(one.flush())).fingerprints).toEqual(['m1']);
      expect(await one.listQuarantined(10)).toEqual([]);
    });

    it('given a message that is sent to both, when both park it, then it waits once', async () => {
      for (const instance of [one, two]) await instance.quarantine(waiting('m1', [ofRef('x')]));
      await one.flush();
      await two.flush();
      expect(await two.listQuarantined(10)).toHaveLength(1);
      expect(await claim(one, ofRef('x'), mine)).toHaveLength(1);
    });

    it.each<[string, IdentityKey, (by: Identities) => Promise<unknown>, (by: Identities) => Promise<unknown>]>([
      ['a ref', { what: 'event', ...x }, (by) => by.findEvent('a', 'x'), (by) => by.bindEvent('a', 'x', event)],
      [
        'an entry’s ref',
        { what: 'ref', kind: 'team', scope: 'nfl', ...x },
        (by) => by.findEntity('team', 'nfl', 'a', 'x'),
        (by) => by.bindEntity('team', 'nfl', 'a', 'x', 1),
      ],
      [
        'a name',
        { what: 'name', kind: 'team', scope: 'nfl', name: 'chiefs' },
        (by) => by.findByName('team', 'nfl', 'chiefs'),
        (by) => by.addName('team', 'nfl', 'chiefs', 1),
      ],
      [
        'a pair',
        { what: 'pair', pair: '1~2' },
        (by) => by.findFixtures('1~2'),
        (by) => by.putFixture(5, near(0), null),
      ],
    ])(
      'given %s that one waits for and the other makes known, whoever flushes second learns of it',
      async (_, key, look, make) => {
        const parks = async (by: Identities) => {
          await look(by);
          await by.quarantine(waiting('m1', [formatIdentityKey(key)]));
        };
        await parks(one);
        await make(two);
        await two.flush();
        expect((await conflictOf(one.flush())).keys).toEqual([key]);
        await world.close();

        world = await begin();
        [one, two] = [await world.open(), await world.open()];
        await parks(one);
        expect(await two.findQuarantineKeys([formatIdentityKey(key)])).toEqual(new Set());
        await make(two);
        await one.flush();
        await two.flush();
        expect(await two.confirmClaimed()).toEqual([formatIdentityKey(key)]);
        expect(await two.confirmClaimed()).toEqual([]);
        expect(await claim(two, formatIdentityKey(key), yours)).toHaveLength(1);
      },
    );
  });
}

const event = { id: 5, swapped: false };
