import { expect, it } from 'vitest';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import { followReplacements } from '../../../../src/event-log/subscription/follow-replacements.ts';
import { createKeptAnswers } from '../../../../src/web/live/event/kept-answers.ts';

const record = { type: 'PricesChanged', version: 1, data: {}, meta: { partition: 'event-1' } };

async function asked(maxBytes?: number) {
  const log = createMemoryLog({ now: () => 0 });
  await followReplacements(log);
  await log.append('odds-1', [record], 'any');
  const answers = createKeptAnswers(log, maxBytes);
  const counted = { admitted: 0, made: 0 };
  const ask = (name: string, isTimeless = true, admit = () => void counted.admitted++) =>
    answers.answer({ name, eventId: 1, isTimeless, admit, make: async () => `${name} ${++counted.made}` });
  return { log, ask, counted };
}

it('given the same question, then it is made again and counted only when something was told of the event', async () => {
  const { log, ask, counted } = await asked();
  expect([await ask('a'), await ask('a'), await ask('b')]).toEqual(['a 1', 'a 1', 'b 2']);
  expect(counted).toEqual({ admitted: 2, made: 2 });
  await log.append('odds-2', [record], 'any');
  expect(await ask('a')).toBe('a 1');
  for (const stream of ['odds-1', 'event-1', 'splits-1']) {
    const { admitted, made } = counted;
    await log.append(stream, [record], 'any');
    expect(await ask('a')).toBe(`a ${made + 1}`);
    expect(await ask('a')).toBe(`a ${made + 1}`);
    expect(counted).toEqual({ admitted: admitted + 1, made: made + 1 });
  }
});

it('given an answer that depends on the time, then it is made each time, and counted where its history was not folded', async () => {
  const { log, ask, counted } = await asked();
  expect([await ask('a', false), await ask('a', false)]).toEqual(['a 1', 'a 2']);
  expect(counted.admitted).toBe(1);
  await log.append('odds-1', [record], 'any');
  await ask('a', false);
  expect(counted.admitted).toBe(2);
});

it('given several at once, then it is made once or twice, and each is counted', async () => {
  const { ask, counted } = await asked();
  expect(new Set(await Promise.all(Array.from({ length: 8 }, () => ask('a'))))).toEqual(new Set(['a 1']));
  expect(counted).toEqual({ admitted: 8, made: 1 });
});

it('given who may ask no more, then only what is kept is answered', async () => {
  const { ask, counted } = await asked();
  const refuse = () => {
    throw new Error('too many');
  };
  await ask('a');
  expect(await ask('a', true, refuse)).toBe('a 1');
  await expect(ask('b', true, refuse)).rejects.toThrow('too many');
  expect(counted.made).toBe(1);
});

it('given more answers than there is room for, then the oldest are made again', async () => {
  const { ask, counted } = await asked(1200);
  for (const name of ['a', 'b', 'c', 'a']) await ask(name);
  expect(counted.made).toBe(4);
});
