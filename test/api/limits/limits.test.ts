import { describe, expect, it } from 'vitest';
import type { LimitRule, Limits } from '../../../src/api/limits/limits.ts';
import { createLimitsMemory, createMemoryLimits } from '../../../src/api/limits/memory-limits.ts';
import { startOwnerHeartbeat } from '../../../src/api/limits/owner-heartbeat.ts';
import { createFaultyLimits, type FaultyLimits } from '../../support/faulty/faulty-limits.ts';
import { createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { createTimers } from '../streams/timers.ts';
import { type LimitsWorld, limitsContract } from './limits.contract.ts';

function memoryWorld(time: number): LimitsWorld {
  const clock = { time };
  const memory = createLimitsMemory(() => clock.time);
  return { clock, open: (owner) => createMemoryLimits(owner, memory), settled: async () => {} };
}

function farWorld(time: number, seed: number, lost = 0) {
  const near = memoryWorld(time);
  const opened: FaultyLimits[] = [];
  return {
    clock: near.clock,
    open(owner: string): FaultyLimits {
      const limits = createFaultyLimits(near.open(owner), createFaultyNetwork({ seed: seed + opened.length, lost }));
      opened.push(limits);
      return limits;
    },
    settled: async () => void (await Promise.all(opened.map((limits) => limits.settled()))),
  };
}

limitsContract('memory', memoryWorld);
limitsContract('far', (time) => farWorld(time, 1));

describe('limits in memory', () => {
  it('answer at once', () => {
    const limits = createMemoryLimits();
    const rules: readonly LimitRule[] = [{ kind: 'slot', of: 'requests', max: 1 }];
    expect(limits.admit({ keyId: 1, at: 0, rules })).toMatchObject({ admitted: true });
    expect(limits.admit({ keyId: 1, at: 0, rules })).toMatchObject({ admitted: false });
  });

  it('of a single process never expire', () => {
    const limits = createMemoryLimits();
    const rules: readonly LimitRule[] = [{ kind: 'slot', of: 'requests', max: 1 }];
    limits.admit({ keyId: 1, at: 0, rules });
    expect(limits.admit({ keyId: 1, at: 1e12, rules })).toMatchObject({ admitted: false });
  });
});

describe('limits whose answers get lost', () => {
  it.each([1, 2, 3, 4, 5])('hold nothing of calls that were refused in the end (seed %i)', async (seed) => {
    const world = farWorld(0, seed, 0.3);
    const limits = world.open('a');
    const rules: readonly LimitRule[] = [
      { kind: 'window', of: 'requests', max: 1000 },
      { kind: 'slot', of: 'requests', max: 1000 },
    ];
    const ask = { keyId: 1, at: 0, rules };
    const asked = await Promise.allSettled(Array.from({ length: 100 }, async () => limits.admit(ask)));
    const leases = asked.flatMap((one) => (one.status === 'fulfilled' && one.value.admitted ? [one.value.lease] : []));
    expect(leases.length).toBeLessThan(100);
    expect(leases.length).toBeGreaterThan(30);
    await world.settled();
    const tight = (of: number): LimitRule[] => [{ kind: 'slot', of: 'requests', max: of }];
    const near = async (most: number) => isReached(limits, { ...ask, rules: tight(most) });
    expect(await near(leases.length)).toBe(false);
    expect(await near(leases.length + 1)).toBe(true);
    for (const lease of leases) lease.release();
    await world.settled();
    const { window } = await reachedVerdict(limits, {
      ...ask,
      rules: [{ kind: 'window', of: 'requests', max: 1000 }],
    });
    expect(window!.counted).toBe(leases.length + 1);
  });
});

/** Asks again until the answer comes, once what was lost is given back. */
async function reachedVerdict(limits: FaultyLimits, ask: Parameters<Limits['admit']>[0]) {
  for (;;) {
    try {
      return await limits.admit(ask);
    } catch {
      await limits.settled();
    }
  }
}

async function isReached(limits: FaultyLimits, ask: Parameters<Limits['admit']>[0]): Promise<boolean> {
  const verdict = await reachedVerdict(limits, ask);
  return verdict.admitted;
}

describe('heartbeats', () => {
  it('are given again and again, also after one that failed, until they are ended', async () => {
    const timers = createTimers();
    let signs = 0;
    const errors: unknown[] = [];
    const limits: Limits = {
      admit: () => {
        throw new Error('not here');
      },
      inherit: () => {
        throw new Error('not here');
      },
      renew: async () => {
        if (++signs === 2) throw new Error('out of reach');
      },
    };
    const end = startOwnerHeartbeat(limits, timers.setTimer, (error) => errors.push(error));
    for (let rounds = 0; rounds < 4; rounds++) {
      timers.advance(2500);
      for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    }
    expect([signs, errors.length]).toEqual([4, 1]);
    end();
    timers.advance(100_000);
    expect(signs).toBe(4);
  });
});
