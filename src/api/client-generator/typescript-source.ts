import { compile } from 'json-schema-to-typescript';
import type { JsonSchema } from '../calls/operation/zod-json-schema.ts';
import { type ClientOperation, readClientOperations, sharedSchemas, sharedTypeName } from './client-operations.ts';

const BANNER = '// Made by `npm run client` from the OpenAPI document. Changes belong to the operations.\n';

/**
 * Generates the source of the client for TypeScript from the OpenAPI document: file contents by file name.
 * @throws Error if the client cannot express the document
 */
export async function generateTypeScriptSource(document: JsonSchema): Promise<Readonly<Record<string, string>>> {
  const operations = readClientOperations(document);
  return { 'api-types.ts': await types(document, operations), 'api-operations.ts': table(operations) };
}

/** Arguments and answers of all operations, and the schemas they share. */
async function types(document: JsonSchema, operations: readonly ClientOperation[]): Promise<string> {
  const definitions: Record<string, unknown> = sharedSchemas(document);
  const members: Record<string, unknown> = {};
  for (const { name: snake, summary, description, arguments: given, answer, pages, streams } of operations) {
    if (streams) continue;
    const method = camelCase(snake);
    const name = method[0]!.toUpperCase() + method.slice(1);
    for (const suffix of ['Arguments', 'Answer']) {
      if (definitions[name + suffix]) throw new Error(`${name}${suffix} would be defined twice`);
    }
    const isEmpty = Object.keys(given['properties'] as object).length === 0;
    definitions[`${name}Arguments`] = isEmpty ? NOTHING : given;
    if (answer) definitions[`${name}Answer`] = answer;
    const parts = {
      arguments: refer(`${name}Arguments`),
      answer: answer ? refer(`${name}Answer`) : { tsType: 'undefined' },
      ...(pages ? { item: pages.item } : {}),
    };
    members[method] = { description: `${summary} ${description}`, ...closed(parts) };
  }
  const root = {
    description: 'What goes into each method of the client, and what comes out of it.',
    ...closed(members),
    definitions,
  };
  const text = await compile(pointToDefinitions(root) as object, 'Operations', {
    bannerComment: BANNER,
    additionalProperties: false,
    unreachableDefinitions: true,
    // Tuple types for every length up to a bound would be long and useless.
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  return text.replaceAll(REMARK, '').replaceAll(WHOLE_REMARK, '');
}

/** json-schema-to-typescript adds a remark to every definition about where it is used. */
const REMARK = / \*\n \* This (?:interface|type) was referenced by .*\n \* via the `definition` .*\n/g;
const WHOLE_REMARK =
  / *\/\*\*\n \* This (?:interface|type) was referenced by .*\n \* via the `definition` .*\n \*\/\n/g;

/** `{}` would accept anything. */
const NOTHING = { tsType: 'Record<string, never>' };

const closed = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const refer = (name: string) => ({ $ref: `#/definitions/${name}` });

/** The address of each operation, and where its arguments go. */
function table(operations: readonly ClientOperation[]): string {
  const lines = operations.map(({ name, httpMethod, path, query, body, idempotent, streams, pages }) => {
    const parts = [
      `method: ${quoted(httpMethod)}`,
      `path: ${quoted(path)}`,
      ...(query.length > 0 ? [`query: [${query.map(quoted).join(', ')}]`] : []),
      ...(body ? [`body: [${body.map(quoted).join(', ')}]`] : []),
      ...(idempotent ? ['idempotent: true'] : []),
      ...(pages ? [`pages: ${quoted(pages.member)}`] : []),
      ...(streams ? ['streams: true'] : []),
    ];
    return `  ${camelCase(name)}: { ${parts.join(', ')} },\n`;
  });
  return `${BANNER}
import type { OperationShape } from ${quoted('../operation-shape.ts')};

export const OPERATIONS = {
${lines.join('')}} as const satisfies Readonly<Record<string, OperationShape>>;
`;
}

const camelCase = (name: string): string => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

/** Schemas as json-schema-to-typescript expects them: with references to `definitions`. */
function pointToDefinitions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToDefinitions);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name !== '$ref' || typeof member !== 'string') return [name, pointToDefinitions(member)];
      return [name, `#/definitions/${sharedTypeName(member)}`];
    }),
  );
}
