import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/api/calls/answer-cache/answer-cache.ts';
import { createAnswerCache } from '../../../../src/api/calls/answer-cache/answer-cache.ts';
import {
  type ChangedDocuments,
  createClusterAnswerCache,
} from '../../../../src/api/calls/answer-cache/cluster-answer-cache.ts';
import type { DocumentReader } from '../../../../src/read-models/store/document-reader.ts';
import { createTimers } from '../../streams/timers.ts';

const ANSWER: Answer = { bytes: '{}', entityTag: '"t"', maxAge: 0, credits: 1 };

function opened() {
  const timers = createTimers();
  const [received, missed] = [new Subject<ChangedDocuments>(), new Subject<void>()];
  const state = { isHeard: true, position: 1n };
  const answers = createClusterAnswerCache({
    ...{
      answers: createAnswerCache(100_000),
      projections: ['events'],
      setTimer: timers.setTimer,
      received,
      missed,
    },
    receivedWithin: (milliseconds) => {
      expect(milliseconds).toBe(1000);
      return state.isHeard;
    },
  });
  const store = answers.invalidateOnRead({
    get: async (_: string, key: string) => ({ key, position: state.position, document: {} }),
    getDerived: async (_: string, keys: readonly string[], { derive }: { derive(document: object): unknown }) =>
      keys.map(() => derive({})),
  } as unknown as DocumentReader);
  const make = () =>
    answers.make('answer', async (sources) => {
      sources.trackDocument('events', '7');
      await store.get('events', '7');
      return ANSWER;
    });
  /** The second time, since a document that is seen for the first time may be newer than what is kept. */
  async function keep() {
    await make();
    await make();
  }
  return { timers, heard: received, missed, state, answers, store, keep };
}

it('an answer is cached until a change of a dependency is received', async () => {
  const { answers, heard, keep } = opened();
  await keep();
  expect(answers.get('answer')).toBe(ANSWER);
  heard.next({ projection: 'events', changes: [{ key: '8', position: 2n }] });
  expect(answers.get('answer')).toBe(ANSWER);
  heard.next({ projection: 'events', changes: [{ key: '7', position: 3n }] });
  expect(answers.get('answer')).toBeUndefined();
  expect(answers.size.bytes).toBe(0);
});

it('it is not used without recent notifications, nor if a call sends a position, and is used again afterwards', async () => {
  const { answers, state, keep } = opened();
  await keep();
  state.isHeard = false;
  expect(answers.get('answer')).toBeUndefined();
  state.isHeard = true;
  expect(answers.get('answer', true)).toBeUndefined();
  expect(answers.get('answer')).toBe(ANSWER);
});

it('it is dropped where changes may be missed', async () => {
  const { answers, missed, keep } = opened();
  await keep();
  missed.next();
  expect(answers.get('answer')).toBeUndefined();
});

it('it is dropped once a newer document was read for another answer, before the notification comes', async () => {
  const { answers, state, store, keep } = opened();
  await keep();
  await store.get('events', '7');
  expect(answers.get('answer')).toBe(ANSWER);
  state.position = 2n;
  await store.get('events', '7');
  expect(answers.get('answer')).toBeUndefined();

  await keep();
  await store.getDerived('events', ['7'], { name: 'x', derive: () => 1, bytesOf: () => 1 });
  expect(answers.get('answer')).toBeUndefined();
});

it('nothing of a projection is cached after a change of generation, until reads of the old one have ended', async () => {
  const { answers, timers, keep } = opened();
  await keep();
  answers.invalidateProjection('events');
  expect(answers.get('answer')).toBeUndefined();
  await keep();
  expect(answers.get('answer')).toBeUndefined();
  timers.advance(6000);
  await keep();
  expect(answers.get('answer')).toBe(ANSWER);
  answers.close();
});

it('the known positions of documents are bounded', async () => {
  const { answers, store } = opened();
  for (let key = 0; key < 60_000; key++) await store.get('events', `${key}`);
  const { bytes, limit } = answers.positionsSize;
  expect(bytes).toBeLessThanOrEqual(limit!);
  expect(limit).toBe(8 * 1024 * 1024);
});
