import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../../../../src/api/operations/index.ts';

// What is under /api/agent is about one's own account, in the words and shapes of everything else.

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}

const own = operations.filter(({ path }) => path.startsWith('/api/agent'));

/** Every member of an answer, however deep: its name, and its types without null. */
function membersOf(schema: Schema, definitions: Readonly<Record<string, Schema>>): (readonly [string, string[]])[] {
  if (schema.$ref) return membersOf(definitions[schema.$ref.split('/').at(-1)!]!, definitions);
  const inner = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  const typesOf = ({ type = [], anyOf = [] }: Schema): string[] =>
    [type, anyOf.flatMap(typesOf)].flat(2).filter((one) => one !== 'null') as string[];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      [name, typesOf(member)] as const,
      ...membersOf(member, definitions),
    ]),
    ...inner.flatMap((one) => membersOf(one, definitions)),
  ];
}

it('there are answers about the own account', () => {
  expect(own.length).toBeGreaterThan(5);
});

describe.each(own.map(({ name, output }) => [name, output] as const))('%s', (_, output) => {
  const schema = z.toJSONSchema(output as z.ZodType, { io: 'output', unrepresentable: 'any' }) as Schema & {
    readonly $defs?: Readonly<Record<string, Schema>>;
  };
  const members = membersOf(schema, schema.$defs ?? {});

  it('has names in snake_case, ids as integers, and times as text', () => {
    expect(members.map(([name]) => name).filter((name) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))).toEqual([]);
    for (const [name, types] of members) {
      // The id of a request is a text everywhere, and may be the client's own.
      if (/^(?:.+_)?id$/.test(name) && name !== 'request_id') expect([name, types]).toEqual([name, ['integer']]);
      if (/^(?:.+_)?at$/.test(name)) expect([name, types]).toEqual([name, ['string']]);
    }
  });
});
