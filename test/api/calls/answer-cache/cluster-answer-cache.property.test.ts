import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/api/calls/answer-cache/answer-cache.ts';
import { createAnswerCache } from '../../../../src/api/calls/answer-cache/answer-cache.ts';
import {
  type ChangedDocuments,
  createClusterAnswerCache,
} from '../../../../src/api/calls/answer-cache/cluster-answer-cache.ts';
import { createPublisherTracker } from '../../../../src/messaging/change-broadcast/publisher-tracker.ts';
import type { DocumentReader } from '../../../../src/read-models/store/document-reader.ts';
import { cases } from '../../../support/cases.ts';
import { createTimers } from '../../streams/timers.ts';

const KEYS = ['a', 'b', 'c'];
const BOUND = 1000;

/** On its way from a projector: a change, or a beat alone. */
interface Sent {
  readonly instance: string;
  readonly number: number;
  readonly sentAt: number;
  readonly change: { readonly key: string; readonly position: bigint } | undefined;
}

/** One partition, projected by one process after another, and an answering process that hears of them. */
function newWorld() {
  const timers = createTimers();
  const received = new Subject<ChangedDocuments>();
  const missed = new Subject<void>();
  const instances = createPublisherTracker(timers.now);
  const written = new Map<string, { readonly position: bigint; readonly at: number }[]>(KEYS.map((key) => [key, []]));
  const answers = createClusterAnswerCache({
    answers: createAnswerCache(1_000_000),
    projections: ['docs'],
    setTimer: timers.setTimer,
    received,
    missed,
    receivedWithin: (milliseconds) => instances.receivedWithin(milliseconds, ['0']),
  });
  const stored = (key: string) => {
    const last = written.get(key)!.at(-1);
    return last && { key, position: last.position, document: { position: String(last.position) } };
  };
  const store = answers.invalidateOnRead({
    get: async (_: string, key: string) => stored(key),
    find: async () => KEYS.flatMap((key) => stored(key) ?? []),
  } as unknown as DocumentReader);
  let position = 0n;
  let projector = { instance: 'p0', number: 0 };
  let projectors = 1;
  const onTheWay: Sent[] = [];
  const shown = new Map<string, bigint>();
  let keptAnswers = 0;
  let anew = 0;

  const send = (change?: Sent['change']) =>
    void onTheWay.push({ ...projector, number: projector.number++, sentAt: timers.now(), change });

  /** What the answer shows of each key must be neither too old nor older than what was shown before. */
  function check(answer: Answer, keys: readonly string[]): void {
    const found = JSON.parse(answer.bytes) as Record<string, string | undefined>;
    for (const key of keys) {
      const told = BigInt(found[key] ?? 0);
      expect(told >= (shown.get(key) ?? 0n), `${key} goes back to ${told}`).toBe(true);
      shown.set(key, told);
      const settled = written
        .get(key)!
        .filter(({ at }) => at < timers.now() - BOUND)
        .at(-1);
      expect(told >= (settled?.position ?? 0n), `${key} is too old`).toBe(true);
    }
  }

  async function ask(name: string, keys: readonly string[]): Promise<void> {
    const kept = answers.get(name);
    if (kept) keptAnswers++;
    const answer =
      kept ??
      (await answers.make(name, async (sources) => {
        if (name === 'all') sources.trackProjection('docs');
        else sources.trackDocument('docs', keys[0]!);
        const found =
          name === 'all' ? await store.find<any>('docs', { limit: 9 }) : [await store.get<any>('docs', keys[0]!)];
        const values = found.flatMap((one) => (one ? [[one.key, one.document.position] as const] : []));
        return { bytes: JSON.stringify(Object.fromEntries(values)), entityTag: '', maxAge: 0, credits: 0 };
      }));
    check(answer, keys);
  }

  return {
    get keptAnswers() {
      return keptAnswers;
    },
    write(key: string) {
      written.get(key)!.push({ position: ++position, at: timers.now() });
      send({ key, position });
    },
    beat: () => send(),
    hear(count: number) {
      for (const { instance, number, change } of onTheWay.splice(0, count)) {
        const taken = instances.receive(instance, number);
        if (taken === 'again') continue;
        if (taken === 'missed') missed.next();
        if (change) received.next({ projection: 'docs', changes: [change] });
        // At the end of what the broker has only.
        if (onTheWay.length === 0) instances.heartbeat(['0']);
      }
    },
    /** It dies with what it had not sent; another one begins. */
    die(unsent: number) {
      onTheWay.splice(Math.max(0, onTheWay.length - unsent), unsent);
      projector = { instance: `p${projectors++}`, number: 0 };
    },
    /** What it committed is not told, and it says so by a number that is never sent. */
    lose(key: string) {
      written.get(key)!.push({ position: ++position, at: timers.now() });
      projector.number++;
      send();
    },
    pass: timers.advance,
    askOne: (key: string) => ask(key, [key]),
    /** By a question that nobody has asked before. */
    askAnew: (key: string) => ask(`${key} ${anew++}`, [key]),
    askAll: () => ask('all', KEYS),
    close: answers.close,
  };
}

const key = fc.constantFrom(...KEYS);
const step = fc.oneof(
  { arbitrary: fc.record({ does: fc.constant('write' as const), key }), weight: 1 },
  { arbitrary: fc.record({ does: fc.constant('hear' as const), count: fc.integer({ min: 1, max: 5 }) }), weight: 4 },
  { arbitrary: fc.record({ does: fc.constant('beat' as const) }), weight: 4 },
  { arbitrary: fc.record({ does: fc.constant('ask' as const), key }), weight: 5 },
  { arbitrary: fc.record({ does: fc.constant('askAnew' as const), key }), weight: 3 },
  {
    arbitrary: fc.record({ does: fc.constant('live' as const), milliseconds: fc.integer({ min: 300, max: 900 }) }),
    weight: 9,
  },
  { arbitrary: fc.record({ does: fc.constant('askAll' as const) }), weight: 3 },
  {
    arbitrary: fc.record({ does: fc.constant('pass' as const), milliseconds: fc.integer({ min: 1, max: 900 }) }),
    weight: 3,
  },
  { arbitrary: fc.record({ does: fc.constant('die' as const), unsent: fc.integer({ min: 0, max: 3 }) }), weight: 2 },
  { arbitrary: fc.record({ does: fc.constant('lose' as const), key }), weight: 4 },
);

it('in any order of changes, heartbeats and gaps, no answer is older than a second, and none goes back', async () => {
  let keptAnswers = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const world = newWorld();
      // Everything is there, seen and kept.
      for (const each of KEYS) world.write(each);
      world.hear(KEYS.length);
      for (const each of [...KEYS, ...KEYS]) await world.askOne(each);
      await world.askAll();
      for (const one of steps) {
        if (one.does === 'write') world.write(one.key);
        else if (one.does === 'hear') world.hear(one.count);
        else if (one.does === 'beat') world.beat();
        else if (one.does === 'ask') await world.askOne(one.key);
        else if (one.does === 'askAnew') await world.askAnew(one.key);
        else if (one.does === 'live') {
          world.beat();
          world.hear(99);
          world.pass(one.milliseconds);
        } else if (one.does === 'askAll') await world.askAll();
        else if (one.does === 'pass') world.pass(one.milliseconds);
        else if (one.does === 'die') world.die(one.unsent);
        else world.lose(one.key);
      }
      keptAnswers += world.keptAnswers;
      world.close();
    }),
    { numRuns: cases(2000) },
  );
  // Else nothing was tried.
  expect(keptAnswers).toBeGreaterThan(2 * cases(2000));
});
