import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFaultyIdentities } from '../../support/faulty/faulty-identities.ts';
import { AnswerLost, createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { claim, type IdentitiesWorld, mine, near, ofName, ofRef, waiting, yours } from './identities-kit.ts';

/** Calls until an answer comes. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AnswerLost)) throw error;
    }
  }
}

/** What holds where answers get lost on the way. */
export function lostAnswersContract(name: string, begin: () => Promise<IdentitiesWorld>, numRuns: number): void {
  describe(`identities ${name}, of which every other answer is lost`, () => {
    it('given changes, when the flush and the confirmation are repeated until an answer comes, then it is as if none was lost', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const world = await begin();
          const own = await world.open();
          const far = createFaultyIdentities(own, createFaultyNetwork({ seed, lost: 0.5 }));
          await own.quarantine(waiting('m1', [ofName('chiefs')]));
          await own.quarantine(waiting('m2', [ofName('chiefs')]));
          await own.flush();
          await own.confirmClaimed();

          await own.findEvent('a', 'x');
          await own.bindEvent('a', 'x', { id: 5, swapped: true });
          await own.bindEntity('team', 'nfl', 'a', 't', 1);
          await own.addName('team', 'nfl', 'chiefs', 1);
          await own.putFixture(5, near(0), null);
          await claim(own, ofName('chiefs'), mine);
          await own.quarantine(waiting('m2', [ofName('bills')]));
          await own.quarantine(waiting('m3', [ofRef('y')]));
          await again(() => far.flush());
          await again(() => far.confirmClaimed());

          const other = await world.open();
          expect(await other.findEvent('a', 'x')).toEqual({ id: 5, swapped: true });
          expect(await other.findByName('team', 'nfl', 'chiefs')).toEqual([1]);
          expect(await other.findFixtures('1~2')).toHaveLength(1);
          const all = await other.listQuarantined(10);
          expect(all.map(({ fingerprint, keys }) => [fingerprint, keys]).sort()).toEqual([
            ['m2', [ofName('bills')]],
            ['m3', [ofRef('y')]],
          ]);
          expect(await claim(other, ofName('bills'), yours)).toHaveLength(1);
          await world.close();
        }),
        { numRuns },
      );
    });

    it('given an answer to a taking that is lost, when it is forgotten and taken again, then it comes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const world = await begin();
          const own = await world.open();
          const far = createFaultyIdentities(own, createFaultyNetwork({ seed, lost: 0.5 }));
          await own.quarantine(waiting('m1', [ofName('chiefs')]));
          await own.flush();
          for (;;) {
            try {
              expect(await claim(far, ofName('chiefs'), mine)).toHaveLength(1);
              break;
            } catch (error) {
              if (!(error instanceof AnswerLost)) throw error;
              await again(() => far.reset());
            }
          }
          await world.close();
        }),
        { numRuns },
      );
    });

    it('given ids, when answers are lost, then those that come are all different', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          const world = await begin();
          const far = createFaultyNetwork({ seed, lost: 0.5 });
          const instances = [
            createFaultyIdentities(await world.open(), far),
            createFaultyIdentities(await world.open(), far),
          ];
          const given: number[] = [];
          for (let n = 0; n < 30; n++) given.push(...(await again(() => instances[n % 2]!.allocate('event', 2))));
          expect(new Set(given).size).toBe(60);
          await world.close();
        }),
        { numRuns },
      );
    });
  });
}
