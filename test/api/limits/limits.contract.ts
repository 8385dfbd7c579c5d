import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AdmissionRequest,
  type CallLease,
  type LimitName,
  type LimitRule,
  type Limits,
  OWNER_LEASE_MS,
  WINDOW_MS,
} from '../../../src/api/limits/limits.ts';

const START = Date.parse('2026-03-01T12:00:00Z');

/** The limits of several owners, on one clock. */
export interface LimitsWorld {
  /** Milliseconds. */
  readonly clock: { time: number };
  /** The limits as the process of this name has them. */
  open(owner: string): Limits;
  /** Resolves when everything that nobody waits for has arrived. */
  settled(): Promise<void>;
}

const window = (of: LimitName, max: number): LimitRule => ({ kind: 'window', of, max });
const place = (of: LimitName, max: number): LimitRule => ({ kind: 'slot', of, max });

/** What every adapter of `Limits` keeps. */
export function limitsContract(name: string, createWorld: (time: number) => LimitsWorld): void {
  describe(`limits: ${name}`, () => {
    let world: LimitsWorld;
    let limits: Limits;
    beforeEach(() => {
      world = createWorld(START);
      limits = world.open('a');
    });

    const admit = async (rules: readonly LimitRule[], { by = limits, keyId = 1 } = {}) => {
      const ask: AdmissionRequest = { keyId, at: world.clock.time, rules };
      return by.admit(ask);
    };
    /** The lease of a call that must be admitted. */
    const leaseOf = async (...given: Parameters<typeof admit>): Promise<CallLease> => {
      const verdict = await admit(...given);
      if (!verdict.admitted) throw new Error(`refused by ${verdict.by.kind} of ${verdict.by.of}`);
      return verdict.lease;
    };
    const isAdmitted = async (...given: Parameters<typeof admit>) => (await admit(...given)).admitted;
    const askAt = async (after: number, most: number) => {
      world.clock.time = START + after;
      const { admitted, window: state } = await admit([window('requests', most)]);
      return { admitted, counted: state!.counted, resetAt: state!.resetAt };
    };

    describe('a sliding window', () => {
      it('admits so many calls in any 60 seconds, and the next one exactly when the oldest has left', async () => {
        for (const at of [0, 10, 59_999]) expect((await askAt(at, 3)).admitted).toBe(true);
        expect(await askAt(59_999, 3)).toEqual({ admitted: false, counted: 3, resetAt: START + WINDOW_MS });
        expect(await askAt(60_000, 3)).toEqual({ admitted: true, counted: 3, resetAt: START + 10 + WINDOW_MS });
        expect((await askAt(60_009, 3)).admitted).toBe(false);
        expect((await askAt(60_010, 3)).admitted).toBe(true);
      });

      it('is each key’s own, and each kind’s', async () => {
        expect(await isAdmitted([window('requests', 1)])).toBe(true);
        expect(await isAdmitted([window('requests', 1)], { keyId: 2 })).toBe(true);
        expect(await isAdmitted([window('score_poll', 1)])).toBe(true);
        expect(await isAdmitted([window('requests', 1)])).toBe(false);
      });

      it('is the same for all owners', async () => {
        await admit([window('requests', 2)]);
        const b = world.open('b');
        expect(await isAdmitted([window('requests', 2)], { by: b })).toBe(true);
        expect(await isAdmitted([window('requests', 2)])).toBe(false);
        expect(await isAdmitted([window('requests', 2)], { by: b })).toBe(false);
      });

      it('releases a slot once', async () => {
        await askAt(0, 2);
        world.clock.time = START + 5;
        const lease = await leaseOf([window('requests', 2)]);
        const after = { counted: 1, resetAt: START + WINDOW_MS };
        expect(await lease.uncount()).toMatchObject(after);
        expect(await lease.uncount()).toMatchObject(after);
        expect(await askAt(6, 2)).toMatchObject({ admitted: true, counted: 2 });
        expect(await askAt(6, 2)).toMatchObject({ admitted: false });
      });

      it('keeps a call whose slot is released in its window', async () => {
        const lease = await leaseOf([window('requests', 1), place('requests', 1)]);
        lease.release();
        await world.settled();
        expect(await isAdmitted([window('requests', 1)])).toBe(false);
      });

      it('agrees with counting by hand, for any times', async () => {
        const step = fc.record({ after: fc.integer({ min: 0, max: 20_000 }), back: fc.boolean() });
        await fc.assert(
          fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 100 }), async (most, steps) => {
            const fresh = createWorld(START);
            const by = fresh.open('a');
            let counted: number[] = [];
            for (const { after, back } of steps) {
              fresh.clock.time += after;
              const at = fresh.clock.time;
              counted = counted.filter((time) => time > at - WINDOW_MS);
              const expected = counted.length < most;
              const verdict = await by.admit({ keyId: 1, at, rules: [window('requests', most)] });
              expect(verdict.admitted).toBe(expected);
              if (expected) counted.push(at);
              expect(verdict.window!.counted).toBe(counted.length);
              if (verdict.admitted && back) {
                await verdict.lease.uncount();
                counted.pop();
              }
            }
          }),
          { numRuns: 30 },
        );
      });
    });

    describe('slots', () => {
      it('are free again once, however often they are given back', async () => {
        const first = await leaseOf([place('streams', 2)]);
        await admit([place('streams', 2)]);
        expect(await isAdmitted([place('streams', 2)])).toBe(false);
        first.release();
        first.release();
        await world.settled();
        expect(await isAdmitted([place('streams', 2)])).toBe(true);
        expect(await isAdmitted([place('streams', 2)])).toBe(false);
      });

      it('are each key’s own, and each kind’s', async () => {
        await admit([place('streams', 1)]);
        expect(await isAdmitted([place('streams', 1)], { keyId: 2 })).toBe(true);
        expect(await isAdmitted([place('requests', 1)])).toBe(true);
        expect(await isAdmitted([place('streams', 1)])).toBe(false);
      });

      it('are shared by all owners', async () => {
        const b = world.open('b');
        const first = await leaseOf([place('requests', 2)]);
        await leaseOf([place('requests', 2)], { by: b });
        expect(await isAdmitted([place('requests', 2)], { by: b })).toBe(false);
        first.release();
        await world.settled();
        expect(await isAdmitted([place('requests', 2)], { by: b })).toBe(true);
      });

      it('of an owner without a renewal are free for others; its calls stay counted', async () => {
        const b = world.open('b');
        await leaseOf([window('requests', 9), place('requests', 1)]);
        world.clock.time += OWNER_LEASE_MS - 1;
        await b.renew();
        expect(await isAdmitted([place('requests', 1)], { by: b })).toBe(false);
        world.clock.time += 1;
        const { admitted, window: state } = await admit([window('requests', 9), place('requests', 1)], { by: b });
        expect([admitted, state!.counted]).toEqual([true, 2]);
      });

      it('belong to an owner as long as it renews its lease', async () => {
        const b = world.open('b');
        await leaseOf([place('requests', 1)]);
        for (let signs = 0; signs < 5; signs++) {
          world.clock.time += OWNER_LEASE_MS - 1;
          await Promise.all([limits.renew(), b.renew()]);
        }
        expect(await isAdmitted([place('requests', 1)], { by: b })).toBe(false);
      });

      it('of an owner considered dead free nothing when they are released after all', async () => {
        const late = await leaseOf([place('requests', 1)]);
        world.clock.time += OWNER_LEASE_MS;
        const b = world.open('b');
        await leaseOf([place('requests', 1)], { by: b });
        late.release();
        await world.settled();
        expect(await isAdmitted([place('requests', 1)], { by: b })).toBe(false);
        expect(await isAdmitted([place('requests', 1)])).toBe(false);
      });

      it('of an owner considered dead that still lives start again', async () => {
        const b = world.open('b');
        await leaseOf([place('requests', 2)]);
        world.clock.time += OWNER_LEASE_MS;
        await b.renew();
        await leaseOf([place('requests', 2)]);
        await leaseOf([place('requests', 2)], { by: b });
        expect(await isAdmitted([place('requests', 2)], { by: b })).toBe(false);
        expect(await isAdmitted([place('requests', 2)])).toBe(false);
      });
    });

    describe('a call under several rules', () => {
      const rules = [window('requests', 2), place('requests', 1)];

      it('is refused by the first that is full, and leaves no trace', async () => {
        const held = await leaseOf(rules);
        world.clock.time += 7;
        const refused = await admit(rules);
        expect(refused).toMatchObject({ admitted: false, by: rules[1] });
        // As the window stands without it.
        expect(refused.window).toMatchObject({ counted: 1, resetAt: START + WINDOW_MS });
        held.release();
        await world.settled();
        expect(await isAdmitted(rules)).toBe(true);
        expect(await admit(rules)).toMatchObject({ admitted: false, by: rules[0], window: { counted: 2 } });
      });

      it('releases its slot if the window checked after it is full', async () => {
        const turned = [place('score_poll', 1), window('score_poll', 1)];
        (await leaseOf(turned)).release();
        await world.settled();
        for (let asked = 0; asked < 3; asked++) {
          expect(await admit(turned)).toMatchObject({ admitted: false, by: turned[1] });
          await world.settled();
        }
      });

      it('is refused by the first in the order of the rules, if both are full', async () => {
        await leaseOf([place('score_poll', 1), window('score_poll', 1)]);
        const both = [place('score_poll', 1), window('score_poll', 1)];
        expect(await admit(both)).toMatchObject({ admitted: false, by: both[0] });
        expect(await admit(both.toReversed())).toMatchObject({ admitted: false, by: both[1] });
      });

      it('that are concurrent never get the same slot', async () => {
        const b = world.open('b');
        const asked = Array.from({ length: 30 }, (_, index) =>
          admit([place('requests', 16)], { by: index % 2 ? b : limits }),
        );
        const verdicts = await Promise.all(asked);
        expect(verdicts.filter(({ admitted }) => admitted)).toHaveLength(16);
        for (const verdict of verdicts) if (verdict.admitted) verdict.lease.release();
        await world.settled();
        const again = await Promise.all(verdicts.map(() => isAdmitted([place('requests', 16)])));
        expect(again.filter((admitted) => admitted)).toHaveLength(16);
      });
    });

    describe('a new key', () => {
      const inherit = async (keyId: number, maker: number, { revoked = [] as number[], by = limits } = {}) =>
        by.inherit({ keyId, maker, revoked, at: world.clock.time });
      /** How many calls stand in a window. The look is taken back. */
      const counted = async (of: LimitName, keyId: number) => {
        const verdict = await admit([window(of, 1000)], { keyId });
        if (verdict.admitted) await verdict.lease.uncount();
        return verdict.window!.counted - 1;
      };

      it('begins with a copy of its maker’s windows; from then on the two go apart', async () => {
        const leases: CallLease[] = [];
        for (let calls = 0; calls < 3; calls++) {
          world.clock.time = START + calls * 1000;
          leases.push(await leaseOf([window('requests', 9)]));
          await leaseOf([window('score_poll', 9)]);
        }
        await inherit(2, 1);
        expect([await counted('requests', 2), await counted('score_poll', 2)]).toEqual([3, 3]);
        await leases[0]!.uncount();
        await leaseOf([window('requests', 9)], { keyId: 2 });
        await leaseOf([window('requests', 9)], { keyId: 2 });
        expect([await counted('requests', 1), await counted('requests', 2)]).toEqual([2, 5]);
        world.clock.time = START + WINDOW_MS;
        expect([await counted('requests', 1), await counted('requests', 2)]).toEqual([2, 4]);
        world.clock.time = START + WINDOW_MS + 1999;
        expect([await counted('requests', 1), await counted('requests', 2)]).toEqual([1, 3]);
      });

      it('begins with each window of the fullest revoked key where that is fuller', async () => {
        for (const [keyId, requests, polls] of [
          [1, 3, 1],
          [2, 5, 0],
          [3, 4, 2],
          [4, 9, 9],
        ] as const) {
          for (let calls = 0; calls < requests; calls++) await leaseOf([window('requests', 9)], { keyId });
          for (let calls = 0; calls < polls; calls++) await leaseOf([window('score_poll', 9)], { keyId });
        }
        await inherit(10, 1, { revoked: [2, 3] });
        expect([await counted('requests', 10), await counted('score_poll', 10)]).toEqual([5, 2]);
        await inherit(11, 4, { revoked: [2, 3] });
        expect([await counted('requests', 11), await counted('score_poll', 11)]).toEqual([9, 9]);
        await inherit(12, 99);
        expect([await counted('requests', 12), await counted('score_poll', 12)]).toEqual([0, 0]);
      });

      it('holds nothing of open streams', async () => {
        await leaseOf([place('streams', 1)]);
        await inherit(2, 1);
        expect(await isAdmitted([place('streams', 1)], { keyId: 2 })).toBe(true);
      });

      it('may inherit twice', async () => {
        const held = await leaseOf([window('requests', 9), place('requests', 9)]);
        await inherit(2, 1);
        await inherit(2, 1);
        expect(await counted('requests', 2)).toBe(1);
        expect(await isAdmitted([place('requests', 1)], { keyId: 2 })).toBe(false);
        held.release();
        await world.settled();
        expect(await isAdmitted([place('requests', 1)], { keyId: 2 })).toBe(true);
      });

      it('gets back the slots of calls whose owner is dead', async () => {
        const b = world.open('b');
        await leaseOf([place('requests', 1)]);
        await inherit(2, 1, { by: b });
        expect(await isAdmitted([place('requests', 1)], { by: b, keyId: 2 })).toBe(false);
        world.clock.time += OWNER_LEASE_MS;
        await b.renew();
        expect(await isAdmitted([place('requests', 1)], { by: b, keyId: 2 })).toBe(true);
      });

      it('has the slots of its creator’s calls in use until they end, and so has a key that it creates itself', async () => {
        const step = fc.oneof(
          fc.record({ do: fc.constant('take' as const), key: fc.nat({ max: 9 }), owner: fc.constantFrom('a', 'b') }),
          fc.record({ do: fc.constant('end' as const), call: fc.nat() }),
          fc.record({ do: fc.constant('make' as const), key: fc.nat({ max: 9 }) }),
        );
        await fc.assert(
          fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
            const fresh = createWorld(START);
            const owners = { a: fresh.open('a'), b: fresh.open('b') };
            const keys = [1];
            /** Each call with the keys of which it holds a place. */
            const calls: { readonly lease: CallLease; readonly holds: Set<number> }[] = [];
            for (const one of steps) {
              if (one.do === 'end') {
                const [ended] = calls.splice(one.call % Math.max(1, calls.length), 1);
                ended?.lease.release();
                await fresh.settled();
                continue;
              }
              const keyId = keys[one.key % keys.length]!;
              if (one.do === 'make') {
                const made = keys.length + 1;
                await owners.a.inherit({ keyId: made, maker: keyId, revoked: [], at: START });
                for (const { holds } of calls) if (holds.has(keyId)) holds.add(made);
                keys.push(made);
                continue;
              }
              const rules = [place('requests', 4)];
              const verdict = await owners[one.owner].admit({ keyId, at: START, rules });
              expect(verdict.admitted).toBe(calls.filter(({ holds }) => holds.has(keyId)).length < 4);
              if (verdict.admitted) calls.push({ lease: verdict.lease, holds: new Set([keyId]) });
            }
          }),
          { numRuns: 50 },
        );
      });
    });

    it('of no rule admits everything', async () => {
      const lease = await leaseOf([]);
      expect(await lease.uncount()).toBeUndefined();
      lease.release();
    });
  });
}
