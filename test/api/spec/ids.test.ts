import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/api/calls/operation/operation.ts';
import { createInputReader } from '../../../src/api/calls/operation/operation-input.ts';
import { readToolArguments } from '../../../src/api/calls/operation/tool-arguments.ts';
import { jsonSchemaOf } from '../../../src/api/calls/operation/zod-json-schema.ts';
import { operations } from '../../../src/api/operations/index.ts';

const IS_ID = /(?:^|_)ids?$/;
const BEYOND = ['9007199254740993', '9'.repeat(30), `-${'9'.repeat(30)}`];

/** The names of the ids that a part of the input takes, but for those of receipts, which are texts. */
const idsOf = ({ input }: Operation, part: 'path' | 'query' | 'body'): string[] => {
  const { properties = {} } = input[part] ? (jsonSchemaOf(input[part], 'input') as any) : {};
  return Object.keys(properties).filter((name) => IS_ID.test(name) && properties[name].type !== 'string');
};

const all = operations.flatMap((operation) =>
  (['path', 'query'] as const).flatMap((part) => idsOf(operation, part).map((name) => ({ operation, part, name }))),
);

describe('an id beyond the range of integers is 422 in every operation:', () => {
  it.each(all.map((one) => [`${one.operation.name} ${one.name}`, one] as const))(
    '%s',
    (_, { operation, part, name }) => {
      const reader = createInputReader(operation);
      for (const id of BEYOND) {
        const path =
          part === 'path' ? { [name]: id } : Object.fromEntries(idsOf(operation, 'path').map((own) => [own, '1']));
        const refused = () => reader.fromHttp(path, part === 'query' ? `${name}=${id}` : '', {});
        expect(refused).toThrow(expect.objectContaining({ code: 'validation_error' }));
        expect(readToolArguments(operation, { [name]: Number(id) }).errors).toContainEqual(
          expect.objectContaining({ loc: [part, name] }),
        );
      }
    },
  );

  it('in bodies too', () => {
    const batch = operations.find(({ name }) => name === 'batch_get_events')!;
    expect(readToolArguments(batch, { event_ids: [1e30] }).errors).toHaveLength(1);
    const webhook = operations.find(({ name }) => name === 'create_webhook')!;
    expect(readToolArguments(webhook, { url: 'https://x.example', event_id: 1e30 }).errors).toHaveLength(1);
  });
});

describe('ids of events, one or several,', () => {
  const changes = operations.find(({ name }) => name === 'list_changes')!;
  const fromUrl = (search: string) => createInputReader(changes).fromHttp({}, search, undefined).event_id;

  it('are a comma list in a URL, an integer or an array of integers in MCP', () => {
    expect(fromUrl('event_id=17')).toEqual([17]);
    expect(fromUrl('event_id=17,%2042,17,')).toEqual([17, 42]);
    expect(readToolArguments(changes, { event_id: 17 }).input.event_id).toEqual([17]);
    expect(readToolArguments(changes, { event_id: [17, 42] }).input.event_id).toEqual([17, 42]);
  });

  it.each(['a', '1;2', '1.5', '1,x'])('are nothing else: %s', (text) => {
    expect(() => fromUrl(`event_id=${encodeURIComponent(text)}`)).toThrow(
      expect.objectContaining({ code: 'validation_error' }),
    );
    expect(readToolArguments(changes, { event_id: text }).errors).toBeDefined();
  });
});
