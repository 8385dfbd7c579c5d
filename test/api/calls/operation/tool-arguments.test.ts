import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../../../src/api/calls/operation/operation.ts';
import { isMcpTool, readToolArguments } from '../../../../src/api/calls/operation/tool-arguments.ts';
import { operations } from '../../../../src/api/operations/index.ts';
import { boolean, integer, limit, pathId, text } from '../../../../src/api/operations/shared/parameters.ts';
import { createThing, getThing, listThings } from '../../http/toys.ts';

describe('tools', () => {
  it('are the operations that give one answer, and of the account those that read', () => {
    const others = operations.filter((operation) => !isMcpTool(operation)).map(({ name }) => name);
    expect(others).toEqual([
      'stream_scores',
      'stream_changes',
      'list_estimate_tools',
      'create_key',
      'revoke_key',
      'top_up_credits',
      'get_usage',
      'list_ledger',
      'create_link',
      'list_links',
      'delete_link',
      'get_my_books',
      'put_my_books',
      'start_trial',
      'finish_trial',
    ]);
  });

  it('are not what MCP says itself, and not what lies elsewhere', () => {
    expect(isMcpTool(getThing)).toBe(true);
    expect(isMcpTool({ ...getThing, restOnly: true })).toBe(false);
    expect(isMcpTool({ ...getThing, path: '/elsewhere' })).toBe(false);
  });
});

/** One that has all three parts. */
const all: Operation = {
  ...createThing,
  path: '/v1/things/{id}/parts',
  input: {
    path: pathId('thing'),
    query: z.object({ limit: limit(), fast: boolean('Fast.').optional(), sort: text('Sort.').optional() }),
    body: z.object({ count: integer('Count.', { max: 10 }), note: text('Note.').nullish() }),
  },
};

describe('the arguments of a tool', () => {
  it('make the same input as a request does', () => {
    const same = { id: 5, big: true, books: ['a', 'b'] };
    expect(readToolArguments(getThing, { id: 5, big: true, books: 'a,b' })).toEqual({ input: same });
    expect(readToolArguments(createThing, { name: 'x' })).toEqual({ input: { name: 'x', parts: [], fast: false } });
    expect(readToolArguments(listThings, undefined)).toEqual({ input: { limit: 25, as_of_basis: 'recorded' } });
  });

  it('are the members of path, query and body', () => {
    const input = { id: 5, limit: 3, fast: true, count: 2, note: 'x' };
    expect(readToolArguments(all, input)).toEqual({ input });
  });

  it.each<[name: string, value: unknown, part: string]>([
    ['id', '5', 'path'],
    ['id', 25.5, 'path'],
    ['id', true, 'path'],
    ['limit', '25', 'query'],
    ['limit', 25.5, 'query'],
    ['limit', 0, 'query'],
    ['limit', 101, 'query'],
    ['limit', [25], 'query'],
    ['fast', 'true', 'query'],
    ['fast', 1, 'query'],
    ['sort', 5, 'query'],
    ['sort', { a: 1 }, 'query'],
    ['count', '2', 'body'],
    ['count', 2.5, 'body'],
    ['count', null, 'body'],
    ['count', 11, 'body'],
  ])('are typed as JSON is: %s is not %j', (name, value, part) => {
    const { input, errors } = readToolArguments(all, { id: 1, count: 1, [name]: value });
    expect(input).toBeUndefined();
    expect(errors).toEqual([{ loc: [part, name], msg: expect.stringMatching(/^must be /), type: expect.any(String) }]);
  });

  it('report every error', () => {
    const locs = readToolArguments(all, { id: 'x', limit: 0, count: [] }).errors?.map(({ loc }) => loc.join('.'));
    expect(locs).toEqual(['path.id', 'query.limit', 'body.count']);
  });

  it('that are null are absent in path and query, and wrong in a body that does not allow null', () => {
    const absent = readToolArguments(all, { id: 5, limit: null, fast: null, sort: null, count: 1, note: null });
    expect(absent).toEqual({ input: { id: 5, limit: 25, count: 1, note: null } });
    expect(readToolArguments(all, { id: null, count: 1 })).toEqual({
      errors: [{ loc: ['path', 'id'], msg: 'is required', type: 'missing' }],
    });
  });

  it('that are required are missing where they are not given', () => {
    const errors = ['path.id', 'body.count'].map((loc) => ({
      loc: loc.split('.'),
      msg: 'is required',
      type: 'missing',
    }));
    expect(readToolArguments(all, {})).toEqual({ errors });
  });

  it('that are unknown are ignored', () => {
    const unknown = JSON.parse('{"id":5,"count":1,"Idempotency-Key":"x","api_key":5,"__proto__":{"limit":0},"x":null}');
    expect(readToolArguments(all, unknown)).toEqual({ input: { id: 5, limit: 25, count: 1 } });
  });

  it('may be no integers beyond the range', () => {
    expect(readToolArguments(getThing, { id: 1e300 }).errors).toBeDefined();
    const cursor: Operation = { ...getThing, input: { query: z.object({ after_id: integer('Cursor.') }) } };
    expect(readToolArguments(cursor, { after_id: -1e20 }).errors).toBeDefined();
  });

  it.each([[5], ['x'], [[1]], [null], [true]])('are an object, not %j', (values) => {
    expect(readToolArguments(getThing, values)).toEqual({
      errors: [{ loc: ['body'], msg: 'must be an object', type: 'invalid_type' }],
    });
  });
});
