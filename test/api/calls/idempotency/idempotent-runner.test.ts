import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type IdempotencyStore,
  RUN_LEASE,
  type RunClaim,
} from '../../../../src/api/calls/idempotency/idempotency-store.ts';
import { createIdempotentRunner } from '../../../../src/api/calls/idempotency/idempotent-runner.ts';
import {
  flatCost,
  type Operation,
  type OperationResult,
  replayStoredAnswer,
} from '../../../../src/api/calls/operation/operation.ts';
import { createFaultyIdempotencyStore } from '../../../support/faulty/faulty-idempotency-store.ts';
import { AnswerLost, createFaultyNetwork } from '../../../support/faulty/faulty-network.ts';
import { createTimers } from '../../streams/timers.ts';
import { createMemoryIdempotencyStore } from './memory-idempotency-store.ts';

/* Servers that share their remembered answers. */

const make: Operation = {
  name: 'make',
  method: 'POST',
  path: '/v1/things',
  tag: 'Toys',
  summary: 'Makes a thing',
  input: {},
  output: z.any(),
  cost: flatCost(1),
  idempotency: replayStoredAnswer,
  run: async () => ({}),
};

function world() {
  const timers = createTimers();
  const errors: unknown[] = [];
  let isOver = false;
  let names = 0;

  const server = (owner: string, store: IdempotencyStore) => {
    const onError = (error: unknown) => void errors.push(error);
    const { now, setTimer } = timers;
    const once = createIdempotentRunner({
      store,
      owner,
      newRunId: () => `run ${++names}`,
      now,
      setTimer,
      onError,
    });
    return (run: () => Promise<unknown>, { key = 'k', input = {} } = {}): Promise<OperationResult> => {
      const context = {
        principal: { accountId: 1, scopes: ['all'] },
        call: { requestId: 'r', idempotencyKey: key },
      } as never;
      return once(make, input, context, async () => ({ output: await run(), credits: 1 }));
    };
  };

  /** Lets time pass, a little at each turn, until the work is done. */
  async function whilePassing<T>(work: Promise<T>): Promise<T> {
    isOver = false;
    const done = work.finally(() => {
      isOver = true;
    });
    done.catch(() => {});
    while (!isOver) {
      timers.advance(10);
      await turn();
    }
    return done;
  }

  return { timers, errors, server, whilePassing };
}

describe('one key at two servers at the same moment', () => {
  it('runs once: the other one waits for the answer', async () => {
    const { timers, server, whilePassing } = world();
    const remembered = createMemoryIdempotencyStore();
    const [a, b] = [server('a', remembered), server('b', remembered)];
    let runs = 0;
    let letGo!: () => void;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const run = async () => {
      runs++;
      await gate;
      return runs;
    };
    const both = [a(run), b(run)];
    // Far beyond a lease: it gives signs of life.
    for (let passed = 0; passed < 3 * RUN_LEASE; passed += 1000) {
      timers.advance(1000);
      await turn();
    }
    expect(runs).toBe(1);
    letGo();
    const [first, second] = await whilePassing(Promise.all(both));
    expect(first).toEqual({ output: 1, credits: 1 });
    expect(second).toEqual({ output: 1, credits: 0, isReplayed: true });
    expect(timers.size).toBe(0);
  });

  it('is refused at the other one for another request, unless the first has failed', async () => {
    for (const fails of [false, true]) {
      const { server, whilePassing } = world();
      const remembered = createMemoryIdempotencyStore();
      const [a, b] = [server('a', remembered), server('b', remembered)];
      const first = a(async () => {
        await turn();
        if (fails) throw new Error('no');
        return 'first';
      });
      const second = b(async () => 'second', { input: { other: 1 } });
      const outcomes = await whilePassing(Promise.allSettled([first, second]));
      const told = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.output : one.reason.message));
      expect(told).toEqual(
        fails ? ['no', 'second'] : ['first', 'Idempotency-Key: was used for another request already'],
      );
    }
  });
});

describe('a server that dies while it runs a call', () => {
  const died = (owner: string): RunClaim => ({
    recordKey: { accountId: 1, path: '/v1/things', scopes: 'all', key: 'k' },
    // Of whatever: it has no answer.
    requestHash: '',
    owner,
    token: `${owner}/1 of before`,
    runId: 'of before',
  });

  it('does not delay others when it comes back', async () => {
    const { timers, server } = world();
    const remembered = createMemoryIdempotencyStore();
    await remembered.begin(died('a'), timers.now());
    expect(await server('a', remembered)(async () => 'again')).toEqual({ output: 'again', credits: 1 });
    expect(timers.now()).toBe(0);
  });

  it('delays others until its lease is over', async () => {
    const { timers, server, whilePassing } = world();
    const remembered = createMemoryIdempotencyStore();
    await remembered.begin(died('a'), timers.now());
    const done = await whilePassing(server('b', remembered)(async () => 'instead'));
    expect(done.output).toBe('instead');
    expect(timers.now()).toBeGreaterThanOrEqual(RUN_LEASE);
    expect(timers.now()).toBeLessThan(RUN_LEASE + 200);
  });
});

it('a call whose begin got lost does not delay later calls', async () => {
  const { timers, server, whilePassing } = world();
  const inner = createMemoryIdempotencyStore();
  let isLost = true;
  const losesOne: IdempotencyStore = {
    ...inner,
    async begin(claim, now) {
      const begun = await inner.begin(claim, now);
      if (!isLost) return begun;
      isLost = false;
      throw new AnswerLost('begin', true);
    },
  };
  await expect(server('a', losesOne)(async () => 'first')).rejects.toThrow(AnswerLost);
  const { output } = await whilePassing(server('b', losesOne)(async () => 'second'));
  expect([output, timers.now() < RUN_LEASE]).toEqual(['second', true]);
});

it('however replies get lost, no two runs of a key succeed with both clients informed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1 }),
      fc.array(fc.boolean(), { minLength: 2, maxLength: 12 }),
      async (seed, at) => {
        const { errors, server, whilePassing } = world();
        const inner = createMemoryIdempotencyStore();
        const open = (owner: string, n: number) =>
          server(owner, createFaultyIdempotencyStore(inner, createFaultyNetwork({ seed: seed + n, lost: 0.2 })));
        const servers = [open('a', 0), open('b', 1)];
        let underWay = 0;
        let runs = 0;
        const run = async () => {
          expect(++underWay).toBe(1);
          await turn();
          underWay--;
          return ++runs;
        };
        const outcomes = await whilePassing(Promise.allSettled(at.map((isA) => servers[isA ? 0 : 1]!(run))));
        const outputs = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.output] : []));
        for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(AnswerLost);
        // One run, and one more for each answer that could not be kept, of which the operator was told.
        expect(new Set(outputs).size).toBeLessThanOrEqual(1 + errors.length);
        expect(runs).toBeLessThanOrEqual(1 + errors.length);
      },
    ),
    { numRuns: 60 },
  );
});
