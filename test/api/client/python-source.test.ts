import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flatCost, type Operation } from '../../../src/api/calls/operation/operation.ts';
import { generatePythonSource } from '../../../src/api/client-generator/python-source.ts';
import { docstring, wrapped } from '../../../src/api/client-generator/python-text.ts';
import { PythonTypes } from '../../../src/api/client-generator/python-types.ts';
import { openApiDocument } from '../../../src/api/openapi/openapi-document.ts';

const toy: Operation = {
  name: 'list_toys',
  method: 'GET',
  path: '/v1/shelves/{id}/toys',
  tag: 'Toys',
  summary: 'Toys of a shelf',
  hint: 'Start here.',
  cost: flatCost(1),
  input: { path: z.object({ id: z.int() }) },
  output: z.object({ id: z.int() }),
  run: async () => ({}),
};
const sourceOf = async (more: Partial<Operation>) =>
  generatePythonSource(await openApiDocument([{ ...toy, ...more }], 'https://x.example'));

/** The classes of a module with one type. */
function classesOf(schema: Record<string, unknown>): string {
  const types = new PythonTypes();
  types.define('Toy', schema);
  const module = types.module();
  return module.slice(module.indexOf(']\n\n\n') + 4);
}
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

describe('a method for Python', () => {
  it('takes what stands in the path by position, and all else by name, with its kinds of values', async () => {
    const query = z.object({
      from: z.iso.date().optional().describe('First day.'),
      limit: z.int().default(25),
      books: z.string().optional().describe('Slugs, comma-separated.'),
      kinds: z.array(z.enum(['new', 'old'])).optional(),
    });
    const { 'sync_methods.py': sync, 'async_methods.py': async } = await sourceOf({ input: { ...toy.input, query } });
    const signature = `list_toys(
        self,
        id: int,
        *,
        from_: str | dt.date | None = None,
        limit: int | None = None,
        books: str | abc.Iterable[str] | None = None,
        kinds: Literal["new", "old"] | abc.Iterable[Literal["new", "old"]] | None = None,
    ) -> t.ListToysAnswer:
        """Toys of a shelf.

        Start here. 1 credit.

        Args:
            id: see the reference.
            from_: First day.
`;
    expect(sync).toContain(`    def ${signature}`);
    expect(async).toContain(`    async def ${signature}`);
    expect(sync).toContain('"from": from_,');
  });

  it('takes a key for repeating where the operation honours one', async () => {
    const idempotency = { toStored: () => null, replay: () => ({}) };
    const { 'sync_methods.py': sync } = await sourceOf({ method: 'POST', idempotency });
    expect(sync).toContain('idempotency_key: str | None = None,\n    ) ->');
    expect((await sourceOf({ method: 'POST' }))['sync_methods.py']).not.toContain(
      'idempotency_key: str | None = None,\n    ) ->',
    );
  });

  it('hides no module that it names', async () => {
    const query = z.object({ dt: z.string() });
    await expect(sourceOf({ input: { ...toy.input, query } })).rejects.toThrow(
      'list_toys: the argument dt would hide a module',
    );
  });

  it('is none for a stream that nobody taught it to follow', async () => {
    await expect(sourceOf({ streaming: true })).rejects.toThrow(
      'list_toys: the client for Python does not know this stream',
    );
  });
});

describe('a type for Python', () => {
  it('has what may be absent in a base class, which Python 3.10 needs', () => {
    expect(
      classesOf(object({ id: { type: 'integer' }, name: { type: 'string', description: 'Its name.' } }, ['id'])),
    ).toBe(`class _ToyOptional(TypedDict, total=False):
    name: str
    """Its name."""


class Toy(_ToyOptional):
    id: int
`);
  });

  it('has members that are words of the language', () => {
    expect(
      classesOf(object({ from: { type: ['string', 'null'] }, to: { type: 'string' }, in: {} }, ['from', 'to'])),
    ).toBe(`_ToyWords = TypedDict("_ToyWords", {"from": "str | None"})


_ToyOptionalWords = TypedDict("_ToyOptionalWords", {"in": "Any"}, total=False)


class Toy(_ToyWords, _ToyOptionalWords):
    to: str
`);
  });

  it('names the objects within it, and leaves open what is open', () => {
    const schema = object({
      parts: { type: 'array', items: { anyOf: [object({ a: { const: 5 } }), { type: 'null' }] } },
      by_key: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Error' } },
      any: { type: 'object', properties: {}, additionalProperties: {} },
    });
    expect(classesOf(schema)).toBe(`class Toy(TypedDict):
    parts: list[ToyPartsItem | None]
    by_key: dict[str, ErrorEnvelope]
    any: dict[str, Any]


class ToyPartsItem(TypedDict):
    a: Literal[5]
`);
  });

  it('is defined once', () => {
    const types = new PythonTypes();
    types.define('Toy', object({ part: object({ id: { type: 'integer' } }) }));
    expect(() => types.define('ToyPart', object({ id: { type: 'integer' } }))).toThrow(
      'ToyPart would be defined twice',
    );
  });
});

describe('a documentation string', () => {
  it('cannot be ended by what it holds', () => {
    expect(docstring([['    says """ and \\ and "']], '    ')).toBe('    """says \\"\\"\\" and \\\\ and \\""""\n');
  });

  it('has lines of at most 100 characters', () => {
    const lines = wrapped('word '.repeat(60).trim(), '        ', '            ');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(lines.join(' ').split(/\s+/).filter(Boolean)).toHaveLength(60);
    expect(lines.slice(1).every((line) => /^ {12}\S/.test(line))).toBe(true);
  });
});
