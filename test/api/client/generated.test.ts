import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flatCost, type Operation } from '../../../src/api/calls/operation/operation.ts';
import { readClientOperations } from '../../../src/api/client-generator/client-operations.ts';
import { currentClientSource, GENERATED_FOLDERS } from '../../../src/api/client-generator/write-client.ts';
import { openApiDocument } from '../../../src/api/openapi/openapi-document.ts';
import { toys } from '../http/toys.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = async (operations: readonly Operation[]) =>
  readClientOperations(await openApiDocument(operations, 'https://x.example'));
const toy: Operation = {
  name: 'make_toy',
  method: 'POST',
  path: '/v1/toys/{id}',
  tag: 'Toys',
  summary: 'Makes.',
  cost: flatCost(1),
  input: {},
  output: z.object({ id: z.int() }),
  run: async () => ({}),
};

describe('the generated part of the clients', () => {
  it.each(['typescript', 'python'] as const)('is what the operations say, for %s', async (language) => {
    const source = (await currentClientSource())[language];
    const folder = resolve(ROOT, GENERATED_FOLDERS[language]);
    const files = readdirSync(folder).filter((name) => name !== '__pycache__');
    expect(files.sort()).toEqual(Object.keys(source).sort());
    for (const [name, text] of Object.entries(source)) {
      expect(readFileSync(resolve(folder, name), 'utf8'), `${name} is out of date; run npm run client`).toBe(text);
    }
  });
});

describe('what is read of an operation', () => {
  it('is its name, and where its arguments go', async () => {
    const [list] = await read(toys.filter(({ name }) => name === 'list_things'));
    expect(list).toMatchObject({ name: 'list_things', httpMethod: 'GET', path: '/v1/things', body: undefined });
    expect(list!.query).toContain('limit');
    expect(list!.idempotent).toBe(false);
  });

  it('is what a call without it is refused for', async () => {
    const input = { path: z.object({ id: z.int() }), body: z.object({ name: z.string(), size: z.int().default(1) }) };
    const [made] = await read([{ ...toy, input }]);
    expect(made!.arguments).toMatchObject({ required: ['id', 'name'], additionalProperties: false });
    expect([made!.query, made!.body]).toEqual([[], ['name', 'size']]);
  });

  it('leaves no argument with two places', async () => {
    const input = { path: z.object({ id: z.int() }), body: z.object({ id: z.int() }) };
    await expect(read([{ ...toy, input }])).rejects.toThrow('make_toy: the argument id has two places');
  });

  it('takes no body without named members', async () => {
    await expect(read([{ ...toy, input: { body: z.array(z.int()) } }])).rejects.toThrow(
      'make_toy: its body has no named members',
    );
  });

  it('names the list of an answer in pages', async () => {
    const output = z.object({ things: z.array(z.object({ id: z.int() })), next_after_id: z.int().nullable() });
    expect((await read([{ ...toy, output }]))[0]!.pages).toMatchObject({ member: 'things', item: { type: 'object' } });
    expect((await read([toy]))[0]!.pages).toBeUndefined();
    const withWords = output.extend({ words: z.array(z.string()) });
    expect((await read([{ ...toy, output: withWords }]))[0]!.pages).toMatchObject({ member: 'things' });
    const two = output.extend({ more: z.array(z.object({ id: z.int() })) });
    await expect(read([{ ...toy, output: two }])).rejects.toThrow(
      'make_toy: an answer in pages must have one list of items',
    );
  });
});
