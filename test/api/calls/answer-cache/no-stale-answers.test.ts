import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createAnswerCache } from '../../../../src/api/calls/answer-cache/answer-cache.ts';
import { createInvalidatingStore } from '../../../../src/api/calls/answer-cache/invalidating-store.ts';
import { flatCost, type Operation } from '../../../../src/api/calls/operation/operation.ts';
import { unlimitedAdmissionControl } from '../../../../src/api/calls/pipeline/admission.ts';
import { createPipeline } from '../../../../src/api/calls/pipeline/pipeline.ts';
import type { Principal } from '../../../../src/api/calls/principal.ts';
import { ONE_PARTITION } from '../../../../src/domain/event-sourcing/partition-of.ts';
import { StreamReplacements } from '../../../../src/domain/identities/stream-replacements.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import type { DocumentPut, ReadStore } from '../../../../src/read-models/store/read-store.ts';
import { type Thing, things } from '../../../read-models/toys.ts';
import { resultWithin } from '../pipeline/recording-admission-control.ts';

const KEYS = ['1', '2', '3'] as const;
const principal: Principal = { keyId: 1, accountId: 1, plan: 'free', scopes: ['all'], unlimited: false };

/** Shows documents: some by their keys, one after another or together, or all by a query. */
const readThings: Operation = {
  name: 'read_things',
  method: 'GET',
  path: '/v1/things',
  tag: 'Toys',
  summary: 'Things',
  input: {},
  output: z.any(),
  cost: flatCost(1),
  async run({ keys, way }: Question, { store }) {
    if (way === 'find') return notes(await store.find<Thing>('things', { limit: 10 }));
    if (way === 'each') return notes((await store.findEach<Thing>('things', [{ limit: 1 }, { limit: 10 }]))[1]!);
    if (way === 'across') return notes((await store.getAcross([{ projection: 'things', keys }]))[0]!);
    if (way === 'many') return notes(await store.getMany<Thing>('things', keys));
    const found = [];
    for (const key of keys) found.push(await store.get<Thing>('things', key));
    return notes(found);
  },
};

const notes = (stored: readonly ({ key: string; document: Thing } | undefined)[]) =>
  Object.fromEntries(stored.filter((one) => one !== undefined).map(({ key, document }) => [key, document.note]));

interface Question {
  readonly keys: readonly string[];
  readonly way: 'get' | 'many' | 'across' | 'find' | 'each';
}
const question: fc.Arbitrary<Question> = fc.record({
  keys: fc.subarray([...KEYS], { minLength: 1 }),
  way: fc.constantFrom('get', 'many', 'across', 'find', 'each'),
});

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('commit' as const), keys: fc.subarray([...KEYS]) }) },
  // Its answer is lost although it was carried out; nobody may rely on the old state then.
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lost' as const), keys: fc.subarray([...KEYS]) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebuild' as const), keys: fc.constant([]) }) },
);

it('no answer is older than what was visible when its request began, however reads and writes overtake each other', async () => {
  let hits = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.array(question, { minLength: 2, maxLength: 12 }),
      async (scheduler, steps, questions) => {
        const inner = createMemoryStore();
        let reads = 0;
        /** The newest state of each document that a read would find at this moment. Grows with every write. */
        const visible: Record<string, number> = {};
        let loseAnswer = false;
        const pause = () => scheduler.schedule(Promise.resolve());
        const slowly =
          <A extends unknown[], R>(work: (...args: A) => Promise<R>, afterwards?: (...args: A) => void) =>
          async (...args: A): Promise<R> => {
            await pause();
            const result = work(...args);
            // The store in memory has done it by now, and has only not said so.
            afterwards?.(...args);
            await pause();
            return result;
          };
        const counted =
          <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
          (...args: A): Promise<R> => {
            reads++;
            return work(...args);
          };
        const delayed: ReadStore = {
          ...inner,
          get: slowly(counted(inner.get)) as ReadStore['get'],
          getMany: slowly(counted(inner.getMany)) as ReadStore['getMany'],
          getAcross: slowly(counted(inner.getAcross)),
          find: slowly(counted(inner.find)) as ReadStore['find'],
          findEach: slowly(counted(inner.findEach)) as ReadStore['findEach'],
          activeGeneration: slowly(inner.activeGeneration),
          async commit(commits) {
            await slowly(inner.commit, () => {
              for (const { generation, writes } of commits) {
                if (generation === active)
                  for (const { key, document } of writes as readonly DocumentPut[])
                    visible[key] = (document as Thing).note!;
              }
            })(commits);
            if (loseAnswer) throw new Error('connection lost');
          },
          activate: slowly(inner.activate, () => {
            active = next;
            for (const key of KEYS) visible[key] = clock;
          }),
        };
        const answerCache = createAnswerCache(1_000_000);
        const store = createInvalidatingStore(delayed, answerCache);
        let active = 'v1';
        let next = 'v1';
        /** Every write brings a greater note. */
        let clock = 1;
        let checkpoint: bigint | null = null;
        const write = async (generation: string, keys: readonly string[], expected: bigint | null): Promise<bigint> => {
          const position = (expected ?? 0n) + 1n;
          const writes = keys.map((key) => ({ key, document: { note: clock }, position }));
          await store.commit([
            {
              projection: 'things',
              generation,
              partition: ONE_PARTITION,
              writes,
              expected,
              checkpoint: position,
            },
          ]);
          return position;
        };

        async function writer(): Promise<void> {
          for (const { do: what, keys } of steps) {
            await pause();
            clock++;
            loseAnswer = what === 'lost';
            if (what === 'rebuild') {
              next = `v1.${clock}`;
              await inner.prepare(things, next);
              checkpoint = await write(next, KEYS, null);
              await store.activate('things', next);
              continue;
            }
            await write(active, keys, checkpoint).catch(() => {});
            checkpoint = (checkpoint ?? 0n) + 1n;
          }
        }

        const context = { store: delayed, now: () => 0, replacements: new StreamReplacements() } as never;
        const pipeline = createPipeline({
          authenticate: () => principal,
          admissionControl: unlimitedAdmissionControl,
          context,
          answerCache,
        });
        async function ask(asked: Question): Promise<void> {
          await pause();
          const least = { ...visible };
          const before = reads;
          const question = { input: asked, text: JSON.stringify(asked) };
          const { answer } = await resultWithin(pipeline, { key: 'key', requestId: 'id' }, (open) =>
            pipeline.executeRead(readThings, question, open, () => false),
          );
          if (reads === before) hits++;
          const shown = JSON.parse(answer.bytes) as Record<string, number>;
          for (const key of asked.way === 'find' ? KEYS : asked.keys) {
            expect(shown[key] ?? 0, `${asked.way} ${key}`).toBeGreaterThanOrEqual(least[key] ?? 0);
          }
        }

        await inner.prepare(things, 'v1');
        await scheduler.waitFor(Promise.all([writer(), ...questions.map(ask)]));
        for (const asked of questions) await scheduler.waitFor(ask(asked));
      },
    ),
    { numRuns: 300 },
  );
  // Otherwise it would say nothing about kept answers.
  expect(hits).toBeGreaterThan(300);
});
