import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/api/calls/answer-cache/answer-cache.ts';
import { createAnswerCache } from '../../../../src/api/calls/answer-cache/answer-cache.ts';
import type { DependencyTracker } from '../../../../src/api/calls/answer-cache/dependency-index.ts';

const answer = (text: string): Answer => ({ bytes: text, entityTag: `"${text}"`, maxAge: 60, credits: 1 });

/** An answer whose making waits, after it has noted what it reads, until it is let go on. */
function slow(text: string, read: (sources: DependencyTracker) => void) {
  let goOn = () => {};
  const gone = new Promise<void>((resolve) => (goOn = resolve));
  const run = async (sources: DependencyTracker) => {
    read(sources);
    await gone;
    return answer(text);
  };
  return { run, goOn: () => goOn() };
}

const quick = (text: string, read: (sources: DependencyTracker) => void) => async (sources: DependencyTracker) => {
  read(sources);
  return answer(text);
};
const ofOne = (sources: DependencyTracker) => sources.trackDocument('events', '1');
const ofAll = (sources: DependencyTracker) => sources.trackProjection('events');

describe('a cached answer', () => {
  it('is given again until a document that it was made from changes', async () => {
    const cache = createAnswerCache(100_000);
    await cache.make('one', quick('one', ofOne));
    cache.beginChange('events', ['2'])();
    cache.beginChange('odds', ['1'])();
    expect(cache.get('one')).toEqual(answer('one'));
    cache.beginChange('events', ['1'])();
    expect(cache.get('one')).toBeUndefined();
    expect(cache.size).toEqual({ answers: 0, bytes: 0, sources: 0 });
  });

  it('is dropped when the change begins, since it may be visible before it is reported', async () => {
    const cache = createAnswerCache(100_000);
    await cache.make('one', quick('one', ofOne));
    const done = cache.beginChange('events', ['1']);
    expect(cache.get('one')).toBeUndefined();
    done();
  });

  it('of a query is dropped by any change of the projection', async () => {
    const cache = createAnswerCache(100_000);
    await cache.make('list', quick('list', ofAll));
    cache.beginChange('odds', undefined)();
    expect(cache.get('list')).toBeDefined();
    cache.beginChange('events', ['77'])();
    expect(cache.get('list')).toBeUndefined();
  });

  it('is dropped when a whole projection is replaced', async () => {
    const cache = createAnswerCache(100_000);
    await cache.make('one', quick('one', ofOne));
    await cache.make('list', quick('list', ofAll));
    cache.beginChange('events', undefined)();
    expect(cache.size.answers).toBe(0);
  });

  it('is not cached if it was made from something whose changes are not reported', async () => {
    const cache = createAnswerCache(100_000);
    const read = (sources: DependencyTracker) => {
      ofOne(sources);
      sources.markUncacheable();
    };
    const made = await cache.make('today', quick('today', read));
    expect(made).toEqual(answer('today'));
    expect(cache.get('today')).toBeUndefined();
    expect(cache.size.sources).toBe(0);
  });
});

describe('an answer that is being made', () => {
  it('is not cached if a dependency changes meanwhile', async () => {
    const cache = createAnswerCache(100_000);
    const { run, goOn } = slow('old', ofOne);
    const making = cache.make('one', run);
    cache.beginChange('events', ['1'])();
    goOn();
    expect(await making).toEqual(answer('old'));
    expect(cache.get('one')).toBeUndefined();
    expect(cache.size.sources).toBe(0);
  });

  it.each([
    ['the document', ofOne, ['1']],
    ['the projection', ofOne, undefined],
    ['one of the documents that a query may find', ofAll, ['9']],
  ])('is not kept when %s is being written while it is read: nobody knows which state it saw', async (...given) => {
    const [, read, keys] = given;
    const cache = createAnswerCache(100_000);
    const done = cache.beginChange('events', keys);
    await cache.make('one', quick('old or new', read));
    expect(cache.get('one')).toBeUndefined();
    done();
    expect(cache.get('one')).toBeUndefined();
    await cache.make('one', quick('new', read));
    expect(cache.get('one')).toEqual(answer('new'));
  });

  it('is not cached while the second of two writers is still writing', async () => {
    const cache = createAnswerCache(100_000);
    const done = [cache.beginChange('events', ['1']), cache.beginChange('events', ['1'])];
    done[0]!();
    await cache.make('one', quick('one', ofOne));
    expect(cache.get('one')).toBeUndefined();
    done[1]!();
    await cache.make('one', quick('one', ofOne));
    expect(cache.get('one')).toBeDefined();
  });

  it('leaves nothing cached when it fails', async () => {
    const cache = createAnswerCache(100_000);
    const failing = async (sources: DependencyTracker): Promise<Answer> => {
      ofOne(sources);
      throw new Error('no');
    };
    await expect(cache.make('one', failing)).rejects.toThrow('no');
    expect(cache.size).toEqual({ answers: 0, bytes: 0, sources: 0 });
  });

  it('beside another one for the same query: the last one is dropped by its change like any other', async () => {
    const cache = createAnswerCache(100_000);
    const { run, goOn } = slow('first', ofOne);
    const making = cache.make('one', run);
    await cache.make('one', quick('second', ofOne));
    goOn();
    await making;
    expect(cache.get('one')).toBeDefined();
    cache.beginChange('events', ['1'])();
    expect(cache.size).toEqual({ answers: 0, bytes: 0, sources: 0 });
  });
});

describe('what the answers occupy', () => {
  it('stays within the bound; the least recently used go, and their dependencies with them', async () => {
    const bound = 200_000;
    const cache = createAnswerCache(bound);
    const text = 'x'.repeat(2000);
    for (let id = 0; id < 500; id++) {
      await cache.make(
        `event ${id}`,
        quick(text, (sources) => sources.trackDocument('events', String(id))),
      );
      cache.get('event 0');
      expect(cache.size.bytes).toBeLessThanOrEqual(bound);
    }
    const { answers, bytes, sources } = cache.size;
    expect(bytes).toBeGreaterThan(bound / 2);
    expect(answers * text.length).toBeLessThan(bound);
    expect(sources).toBe(answers);
    expect(cache.get('event 0')).toBeDefined();
    expect(cache.get('event 1')).toBeUndefined();
    expect(cache.get('event 499')).toBeDefined();
  });

  it('counts what an answer was made from: one of very many documents weighs more than its bytes', async () => {
    const cache = createAnswerCache(100_000);
    const many = (sources: DependencyTracker) => {
      for (let id = 0; id < 1000; id++) sources.trackDocument('events', String(id));
    };
    await cache.make('batch', quick('small', many));
    expect(cache.size).toEqual({ answers: 0, bytes: 0, sources: 0 });
  });

  it('is nothing where there is no room', async () => {
    const cache = createAnswerCache(0);
    expect(await cache.make('one', quick('one', ofOne))).toEqual(answer('one'));
    expect(cache.get('one')).toBeUndefined();
    expect(cache.size).toEqual({ answers: 0, bytes: 0, sources: 0 });
  });
});
