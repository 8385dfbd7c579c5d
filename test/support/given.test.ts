import { describe, expect, it } from 'vitest';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import type { NewRecord } from '../../src/domain/event-sourcing/record.ts';
import type { StreamDecider } from '../../src/domain/event-sourcing/stream-decider.ts';
import { given } from './given.ts';

const event = (data: object): NewRecord => ({ type: 'Told', version: 1, data, meta: { partition: 'p-1' } });
const toy = (decide: StreamDecider['decide']): StreamDecider => ({
  stream: { name: 'p', partition: 'event', versions: {} },
  initial: () => ({ map: new Map(), set: new Set(), list: [], inner: { deep: [1] } }),
  decide,
  evolve(state, record) {
    state.map.set(record.revision, record.data);
    return state;
  },
});

describe('given, when, then', () => {
  it.each([
    ['a map', (state: any) => state.map.set('x', 1)],
    ['a set', (state: any) => state.set.add('x')],
    ['a list', (state: any) => state.list.push(1)],
    ['what lies deep', (state: any) => state.inner.deep.pop()],
    ['what lies in a map', (state: any) => Object.assign(state.map.get(0), { changed: true })],
    ['the state itself', (state: any) => Object.assign(state, { more: 1 })],
  ])('finds a decider out that changes %s', (_, change) => {
    const decider = toy((_, state) => {
      change(state);
      return [];
    });
    expect(() => given(decider, event({ a: 1 })).when({})).toThrow(TypeError);
  });

  it('shows events as they come back from disk', () => {
    const decider = toy((fact) => [event({ ...fact, gone: undefined, time: new Date(0) })]);
    given(decider)
      .when({ b: 2 })
      .then([event({ b: 2, time: '1970-01-01T00:00:00.000Z' })]);
    expect(() => given(decider).when({}).thenNothing()).toThrow();
  });

  it('finds a projection out that changes its records', () => {
    const projection: Projection<{ data: object }> = {
      name: 'toy',
      version: 1,
      types: ['Told'],
      key: () => 'k',
      apply: (document, { data }) => ({ data: Object.assign(document?.data ?? data, data) }),
      fields: {},
      indexes: [],
    };
    given(projection, event({ a: 1 })).then({ data: { a: 1 } });
    expect(() => given(projection, event({ a: 1 }), event({ b: 2 }))).toThrow();
  });
});
