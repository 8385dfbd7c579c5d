import { compile } from 'json-schema-to-typescript';
import type { JsonSchema } from '../calls/json-schema.ts';
import { type ClientOperation, clientOperations } from './client-operations.ts';

const BANNER = '// Made by `npm run client` from the OpenAPI document. Changes belong to the operations.\n';
/** TypeScript has an `Error` of its own. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorEnvelope' };

/**
 * The generated part of the client, from the OpenAPI document: texts by the names of their files.
 * @throws Error where the document holds what the client cannot offer
 */
export async function clientSource(document: JsonSchema): Promise<Readonly<Record<string, string>>> {
  const operations = clientOperations(document);
  return { 'api-types.ts': await types(document, operations), 'api-operations.ts': table(operations) };
}

/** Arguments and answers of all operations, and the schemas that they share. */
async function types(document: JsonSchema, operations: readonly ClientOperation[]): Promise<string> {
  const { schemas } = document['components'] as { schemas: Record<string, JsonSchema> };
  const definitions: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) definitions[RENAMED[name] ?? name] = schema;
  const members: Record<string, unknown> = {};
  for (const { method, description, arguments: given, answer, pages, streams } of operations) {
    if (streams) continue;
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
    members[method] = { description, ...closed(parts) };
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
    // Tuples of every length up to a bound would be long, and help nobody.
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
  return text.replaceAll(REMARK, '').replaceAll(WHOLE_REMARK, '');
}

/** The generator of types says of every definition where it comes from. */
const REMARK = / \*\n \* This (?:interface|type) was referenced by .*\n \* via the `definition` .*\n/g;
const WHOLE_REMARK =
  / *\/\*\*\n \* This (?:interface|type) was referenced by .*\n \* via the `definition` .*\n \*\/\n/g;

/** `{}` would take anything. */
const NOTHING = { tsType: 'Record<string, never>' };

const closed = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const refer = (name: string) => ({ $ref: `#/definitions/${name}` });

/** Where each operation is, and where its arguments go. */
function table(operations: readonly ClientOperation[]): string {
  const lines = operations.map(({ method, httpMethod, path, query, body, idempotent, streams, pages }) => {
    const parts = [
      `method: ${quoted(httpMethod)}`,
      `path: ${quoted(path)}`,
      ...(query.length > 0 ? [`query: [${query.map(quoted).join(', ')}]`] : []),
      ...(body ? [`body: [${body.map(quoted).join(', ')}]`] : []),
      ...(idempotent ? ['idempotent: true'] : []),
      ...(pages ? [`pages: ${quoted(pages.member)}`] : []),
      ...(streams ? ['streams: true'] : []),
    ];
    return `  ${method}: { ${parts.join(', ')} },\n`;
  });
  return `${BANNER}
import type { OperationShape } from ${quoted('../operation-shape.ts')};

export const OPERATIONS = {
${lines.join('')}} as const satisfies Readonly<Record<string, OperationShape>>;
`;
}

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

/** Schemas as the generator of types takes them: shared ones are named, and none has a title of its own. */
function pointToDefinitions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToDefinitions);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name !== '$ref' || typeof member !== 'string') return [name, pointToDefinitions(member)];
      const shared = member.slice(member.lastIndexOf('/') + 1);
      return [name, `#/definitions/${RENAMED[shared] ?? shared}`];
    }),
  );
}
