import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import {
  type LogSubscription,
  type LogSubscriptionMessage,
  type LogSubscriptionOptions,
  subscribeToLog,
} from '../../../src/event-log/subscription/log-subscription.ts';
import { gappedLog } from '../../support/faulty/log-with-gaps.ts';
import { createUnreliableLog, type Step, type UnreliableLog } from './unreliable-log.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

const append = (count: number, hint: 'now' | 'late' | 'twice' | 'never' = 'now', type = 'A'): Step => ({
  do: 'append',
  count,
  hint,
  type,
});
const poll: Step = { do: 'poll' };

function start(world: UnreliableLog, options: Partial<LogSubscriptionOptions> = {}): LogSubscription {
  return subscribeToLog(world.log, { after: null, batchSize: 3, bufferLimit: 5, setTimer: world.setTimer, ...options });
}

/** The next message, in short: `1,2,3`, `caught-up@3`. */
async function next(subscription: LogSubscription): Promise<string> {
  const { done, value } = await subscription.next();
  return done ? 'done' : short(value);
}
function short(message: LogSubscriptionMessage): string {
  if (message.kind !== 'records') return `${message.kind}@${message.position}`;
  const positions = message.records.map(({ position }) => position).join(',');
  return positions === '' ? `nothing@${message.position}` : positions;
}

describe('catching up and going live', () => {
  it('reads the existing records, reports caught-up, then delivers announced records without reading again', async () => {
    const world = createUnreliableLog();
    await world.take(append(4));
    const subscription = start(world);
    expect([await next(subscription), await next(subscription), await next(subscription)]).toEqual([
      '1,2,3',
      '4',
      'caught-up@4',
    ]);
    const reads = world.reads();
    const waiting = next(subscription);
    await world.take(append(2));
    expect(await waiting).toBe('5,6');
    await world.take(append(1));
    expect(await next(subscription)).toBe('7');
    expect(world.reads()).toBe(reads);
  });

  it('on an empty log is caught up at once, and the first records are not lost', async () => {
    const world = createUnreliableLog();
    const subscription = start(world);
    expect(await next(subscription)).toBe('caught-up@null');
    const waiting = next(subscription);
    await world.take(append(2));
    expect(await waiting).toBe('1,2');
  });

  it('starts after the position given', async () => {
    const world = createUnreliableLog();
    await world.take(append(4));
    const subscription = start(world, { after: toPosition(3n) });
    expect([await next(subscription), await next(subscription)]).toEqual(['4', 'caught-up@4']);
  });

  it('records committed during the last read are delivered before caught-up', async () => {
    const world = createUnreliableLog();
    await world.take(append(1));
    const steps = [append(0), append(2)];
    world.around = async () => {
      const step = steps.shift();
      if (step) await world.take(step);
    };
    const subscription = start(world);
    expect([await next(subscription), await next(subscription), await next(subscription)]).toEqual([
      '1',
      '2,3',
      'caught-up@3',
    ]);
  });

  it('advances over records of other types', async () => {
    const world = createUnreliableLog();
    await world.take(append(3, 'now', 'B'));
    await world.take(append(1, 'now', 'A'));
    const subscription = start(world, { types: new Set(['A']) });
    expect([await next(subscription), await next(subscription), await next(subscription)]).toEqual([
      'nothing@3',
      '4',
      'caught-up@4',
    ]);
    await world.take(append(2, 'now', 'B'));
    expect(await next(subscription)).toBe('nothing@6');
  });
});

describe('on a log whose positions have gaps', () => {
  it('delivers announced records without reading again', async () => {
    const world = createUnreliableLog(gappedLog(createMemoryLog({ now: () => 0 })));
    await world.take(append(4));
    const all = async () => (await world.log.readAll(null, 100)).map(({ position }) => position);
    const [, , third, fourth] = await all();
    expect(fourth! - third!).toBeGreaterThan(1n);
    const subscription = start(world);
    for (let i = 0; i < 3; i++) await next(subscription);
    const reads = world.reads();
    const waiting = next(subscription);
    await world.take(append(2));
    const told = await waiting;
    await world.take(append(1));
    expect(`${told},${await next(subscription)}`).toBe(
      [...(await world.log.readBackwards(3))]
        .reverse()
        .map(({ position }) => position)
        .join(','),
    );
    expect(world.reads()).toBe(reads);
  });

  it('reads unannounced records', async () => {
    const world = createUnreliableLog(gappedLog(createMemoryLog({ now: () => 0 })));
    await world.take(append(1));
    const subscription = start(world);
    await next(subscription);
    await next(subscription);
    await world.take(append(1, 'never'));
    await world.take(append(1));
    const newest = (await world.log.readBackwards(2)).map(({ position }) => position).reverse();
    expect(await next(subscription)).toBe(newest.join(','));
  });
});

describe('records that are not urgent', () => {
  const patient = { isUrgent: ({ type }: LogRecord) => type === 'A', enough: 4, batchSize: 10, bufferLimit: 20 };

  async function live(world: UnreliableLog) {
    const subscription = start(world, patient);
    expect(await next(subscription)).toBe('caught-up@null');
    let told: string | undefined;
    const waiting = next(subscription).then((message) => {
      told = message;
      return message;
    });
    await turn();
    return { waiting, told: () => told };
  }

  it('are delivered together, when their time has come', async () => {
    const world = createUnreliableLog();
    const { waiting, told } = await live(world);
    await world.take(append(1, 'now', 'B'));
    await world.take(append(2, 'now', 'B'));
    await turn();
    expect(told()).toBeUndefined();
    await world.take(poll);
    expect(await waiting).toBe('1,2,3');
  });

  it('come with an urgent one', async () => {
    const world = createUnreliableLog();
    const { waiting } = await live(world);
    await world.take(append(2, 'now', 'B'));
    await world.take(append(1, 'now', 'A'));
    expect(await waiting).toBe('1,2,3');
  });

  it('wait no longer when there are enough of them', async () => {
    const world = createUnreliableLog();
    const { waiting, told } = await live(world);
    await world.take(append(3, 'now', 'B'));
    await turn();
    expect(told()).toBeUndefined();
    await world.take(append(1, 'now', 'B'));
    expect(await waiting).toBe('1,2,3,4');
  });
});

describe('unannounced records', () => {
  it('are read when a later announcement leaves a gap', async () => {
    const world = createUnreliableLog();
    await world.take(append(1));
    const subscription = start(world);
    expect([await next(subscription), await next(subscription)]).toEqual(['1', 'caught-up@1']);
    await world.take(append(1, 'never'));
    await world.take(append(1));
    expect(await next(subscription)).toBe('2,3');
  });

  it('are found by the poll', async () => {
    const world = createUnreliableLog();
    const subscription = start(world);
    expect(await next(subscription)).toBe('caught-up@null');
    const waiting = next(subscription);
    await turn();
    await world.take(append(2, 'never'));
    await world.take(poll);
    expect(await waiting).toBe('1,2');
  });

  it('are found by the poll, which repeated announcements of old records do not delay', async () => {
    const world = createUnreliableLog();
    await world.take(append(1));
    const subscription = start(world);
    expect([await next(subscription), await next(subscription)]).toEqual(['1', 'caught-up@1']);
    await world.take(append(1));
    expect(await next(subscription)).toBe('2');
    let timersSet = 0;
    const old = await world.log.readAll(toPosition(1n), 1);
    const counting = subscribeToLog(
      { ...world.log, onCommitted: (listener) => world.log.onCommitted(() => listener(old)) },
      {
        after: toPosition(2n),
        batchSize: 3,
        bufferLimit: 5,
        setTimer: (callback, ms) => {
          timersSet++;
          return world.setTimer(callback, ms);
        },
      },
    );
    expect(await next(counting)).toBe('caught-up@2');
    const waiting = next(counting);
    await turn();
    for (let i = 0; i < 5; i++) {
      await world.take(append(1));
      await turn();
    }
    // The first announcement was new to the subscription, though late; the four after it were not.
    expect(timersSet).toBeLessThanOrEqual(2);
    await world.take(poll);
    expect(await waiting).toBe('fell-behind@2');
    expect(await next(counting)).toBe('3,4,5');
  });
});

describe('a log that tells when there may be unannounced records', () => {
  async function told() {
    const world = createUnreliableLog();
    const listeners = new Set<() => void>();
    const log = {
      ...world.log,
      onUnannounced(listener: () => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    };
    const setTimer = () => expect.unreachable();
    const subscription = subscribeToLog(log, { after: null, batchSize: 3, bufferLimit: 5, setTimer });
    expect(await next(subscription)).toBe('caught-up@null');
    const tell = () => {
      for (const listener of listeners) listener();
    };
    return { world, subscription, tell, listeners };
  }

  it('is read when it tells, and needs no timer', async () => {
    const { world, subscription, tell, listeners } = await told();
    const waiting = next(subscription);
    await turn();
    const reads = world.reads();
    await world.take(append(2, 'never'));
    await turn();
    expect(world.reads()).toBe(reads);
    tell();
    expect(await waiting).toBe('1,2');
    await subscription.return();
    expect(listeners.size).toBe(0);
  });

  it('is read too when it told while a message was being processed', async () => {
    const { world, subscription, tell } = await told();
    await world.take(append(1, 'never'));
    tell();
    expect(await next(subscription)).toBe('1');
    await subscription.return();
  });
});

describe('falling behind', () => {
  it('when more is announced than the buffer holds, drops it, reports it and catches up', async () => {
    const world = createUnreliableLog();
    await world.take(append(1));
    const subscription = start(world);
    expect([await next(subscription), await next(subscription)]).toEqual(['1', 'caught-up@1']);
    for (let i = 0; i < 6; i++) await world.take(append(1));
    expect(await next(subscription)).toBe('fell-behind@1');
    expect([await next(subscription), await next(subscription), await next(subscription)]).toEqual([
      '2,3,4',
      '5,6,7',
      'caught-up@7',
    ]);
  });

  it('when a poll finds more than a batch, reports it', async () => {
    const world = createUnreliableLog();
    const subscription = start(world);
    expect(await next(subscription)).toBe('caught-up@null');
    const waiting = next(subscription);
    await turn();
    await world.take(append(4, 'never'));
    await world.take(poll);
    expect([await waiting, await next(subscription), await next(subscription), await next(subscription)]).toEqual([
      'fell-behind@null',
      '1,2,3',
      '4',
      'caught-up@4',
    ]);
  });
});

describe('ending', () => {
  it('by return while it waits', async () => {
    const world = createUnreliableLog();
    const subscription = start(world);
    await next(subscription);
    const waiting = next(subscription);
    await turn();
    expect([world.listeners(), world.timers()]).toEqual([1, 1]);
    await subscription.return();
    expect(await waiting).toBe('done');
    expect([world.listeners(), world.timers()]).toEqual([0, 0]);
    expect(await next(subscription)).toBe('done');
  });

  it('by signal while it waits', async () => {
    const world = createUnreliableLog();
    const controller = new AbortController();
    const subscription = start(world, { signal: controller.signal });
    await next(subscription);
    const waiting = next(subscription);
    await turn();
    controller.abort();
    expect(await waiting).toBe('done');
    expect([world.listeners(), world.timers()]).toEqual([0, 0]);
  });

  it('by signal while it reads, and between messages', async () => {
    for (const abortAt of ['read', 'between'] as const) {
      const world = createUnreliableLog();
      await world.take(append(5));
      const controller = new AbortController();
      const subscription = start(world, { signal: controller.signal });
      if (abortAt === 'read') world.around = async () => controller.abort();
      else expect(await next(subscription)).toBe('1,2,3');
      controller.abort();
      expect(await next(subscription)).toBe('done');
      expect([world.listeners(), world.timers()]).toEqual([0, 0]);
    }
  });

  it('before it begins', async () => {
    const world = createUnreliableLog();
    expect(await next(start(world, { signal: AbortSignal.abort() }))).toBe('done');
    const subscription = start(world);
    await subscription.return();
    expect(await next(subscription)).toBe('done');
    expect([world.listeners(), world.reads()]).toEqual([0, 0]);
  });

  it('by leaving the loop', async () => {
    const world = createUnreliableLog();
    await world.take(append(2));
    for await (const message of start(world)) if (message.kind === 'caught-up') break;
    expect(world.listeners()).toBe(0);
  });

  it('by an error of the log, which the consumer gets', async () => {
    const world = createUnreliableLog();
    const subscription = start(world);
    await next(subscription);
    await world.log.close();
    const waiting = subscription.next();
    await turn();
    await world.take(poll);
    await expect(waiting).rejects.toThrow('closed');
    expect([world.listeners(), world.timers()]).toEqual([0, 0]);
    expect(await next(subscription)).toBe('done');
  });
});

describe('whatever happens to announcements, and whenever records are appended', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('append' as const),
        count: fc.integer({ min: 1, max: 5 }),
        hint: fc.constantFrom('now' as const, 'late' as const, 'twice' as const, 'never' as const),
        type: fc.constantFrom('A', 'B'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('deliver-late' as const), reverse: fc.boolean() }) },
    { weight: 1, arbitrary: fc.constant(poll) },
  );
  const scenario = fc.record({
    before: fc.nat(8),
    after: fc.nat(8),
    /** What happens at each await: no step, or some steps. */
    moments: fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 40 }),
    batchSize: fc.integer({ min: 1, max: 6 }),
    bufferLimit: fc.integer({ min: 1, max: 8 }),
    types: fc.constantFrom(undefined, new Set(['A'])),
    urgent: fc.constantFrom(undefined, 'A'),
    enough: fc.integer({ min: 1, max: 4 }),
    hasGaps: fc.boolean(),
  });

  it('every record once, in order, and caught-up when it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        scenario,
        async ({ before, after, moments, batchSize, bufferLimit, types, urgent, enough, hasGaps }) => {
          const memory = createMemoryLog({ now: () => 0 });
          const world = createUnreliableLog(hasGaps ? gappedLog(memory) : memory);
          if (before > 0) await world.take(append(before));
          const from = after === 0 || before === 0 ? null : toPosition(BigInt(Math.min(after, before)));
          const left = [...moments];
          const happen = async () => {
            for (const each of left.shift() ?? []) await world.take(each);
          };
          world.around = happen;
          const isUrgent = urgent && (({ type }: LogRecord) => type === urgent);
          const options = { after: from, batchSize, bufferLimit, enough, types, ...(isUrgent ? { isUrgent } : {}) };
          const subscription = start(world, options);

          const seen: LogRecord[] = [];
          let position: bigint | null = from;
          let caughtUp = false;
          let idlePolls = 0;
          const atEnd = async () => left.length === 0 && caughtUp && position === (await world.log.head());
          reading: while (!(await atEnd())) {
            let settled = false;
            const pending = subscription.next().finally(() => {
              settled = true;
            });
            await turn();
            while (!settled) {
              if (await atEnd()) break reading;
              if (left.length > 0) await happen();
              else {
                // Only the poll is left: one or two polls must bring the subscription to the end.
                expect(++idlePolls).toBeLessThan(3);
                await world.take(poll);
              }
              await turn();
            }
            const message = (await pending).value!;
            if (message.kind === 'records') {
              expect(position === null || message.position > position).toBe(true);
              expect(message.records.length).toBeLessThanOrEqual(batchSize);
              seen.push(...message.records);
              idlePolls = 0;
            } else {
              expect(message.position).toBe(position);
              expect(message.kind).toBe(caughtUp ? 'fell-behind' : 'caught-up');
              caughtUp = !caughtUp;
            }
            position = message.position;
            await happen();
          }
          await subscription.return();
          const all = await world.log.readAll(from, 10_000);
          expect(seen).toEqual(all.filter(({ type }) => types === undefined || types.has(type)));
          expect([world.listeners(), world.timers()]).toEqual([0, 0]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
