import { expect, it } from 'vitest';
import { z } from 'zod';
import { createAnswerCache } from '../../../../src/api/calls/answer-cache/answer-cache.ts';
import { flatCost, type Operation } from '../../../../src/api/calls/operation/operation.ts';
import { createPipeline } from '../../../../src/api/calls/pipeline/pipeline.ts';
import type { Principal } from '../../../../src/api/calls/principal.ts';
import { StreamReplacements } from '../../../../src/domain/identities/stream-replacements.ts';
import { resultWithin, stagesInSteps } from '../pipeline/recording-admission-control.ts';

const principal: Principal = { keyId: 1, accountId: 1, plan: 'free', scopes: ['all'], unlimited: false };

const polled: Operation = {
  name: 'polled',
  method: 'GET',
  path: '/v1/polled',
  tag: 'Toys',
  summary: 'A score',
  input: {},
  output: z.any(),
  cost: { ...flatCost(2), bounds: () => ({ min: 0, max: 5 }) },
  sharedLimit: () => 'score_poll',
  cache: () => 15,
  run: async () => ({}),
};

const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(() => resolve(value)));

it.each([
  ['at once', <T>(value: T) => value],
  ['in their time', later],
])('every stage passes a kept answer as it passes the first one, where stages answer %s', async (_, given) => {
  const passed: string[] = [];
  const note = <T>(what: string, value: T) => {
    passed.push(what);
    return given(value) as T;
  };
  const release = (what: string) => () => void passed.push(`release ${what}`);
  const admissionControl = stagesInSteps({
    rateLimit: () => note('rate limit', undefined),
    enter: () => note('enter', release('place')),
    sharedLimit: (_call, sharedLimit) => note(sharedLimit, release(sharedLimit)),
    reserve: (_call, most) =>
      note(`reserve ${most}`, {
        charge: (credits) => note(`charge ${credits}`, undefined),
        release: () => note('release', undefined),
      }),
  });
  const answerCache = createAnswerCache(10_000);
  const pipeline = createPipeline({
    authenticate: () => principal,
    admissionControl,
    context: { now: () => 0, store: {}, replacements: new StreamReplacements() } as never,
    answerCache,
  });
  const ask = async (held: boolean) => {
    passed.length = 0;
    const arrival = { key: 'key', requestId: 'id', operation: polled.name };
    const { credits, isNotModified } = await resultWithin(pipeline, arrival, (open) =>
      pipeline.executeRead(polled, { input: {}, text: '{}' }, open, () => held),
    );
    return { credits, isHeld: isNotModified, passed: [...passed] };
  };
  const all = (charge: number) => [
    ...['rate limit', 'enter', 'score_poll', 'reserve 5', `charge ${charge}`],
    ...['release place', 'release score_poll'],
  ];
  expect(await ask(false)).toEqual({ credits: 2, isHeld: false, passed: all(2) });
  expect(answerCache.size.answers).toBe(1);
  expect(await ask(false)).toEqual({ credits: 2, isHeld: false, passed: all(2) });
  expect(await ask(true)).toEqual({ credits: 0, isHeld: true, passed: all(0) });
});

it('a step that refuses a call refuses a cached answer too', async () => {
  let left = 1;
  const refuse = () => {
    if (left-- <= 0) throw new Error('no more polls');
    return () => {};
  };
  const admissionControl = stagesInSteps({ sharedLimit: refuse });
  const answerCache = createAnswerCache(10_000);
  const pipeline = createPipeline({
    authenticate: () => principal,
    admissionControl,
    context: { now: () => 0, store: {}, replacements: new StreamReplacements() } as never,
    answerCache,
  });
  const ask = () =>
    resultWithin(pipeline, { key: 'key', requestId: 'id', operation: polled.name }, (open) =>
      pipeline.executeRead(polled, { input: {}, text: '{}' }, open, () => false),
    );
  await ask();
  expect(answerCache.size.answers).toBe(1);
  await expect(ask()).rejects.toThrow('no more polls');
});
