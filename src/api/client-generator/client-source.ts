import { compile } from 'json-schema-to-typescript';
import { FORMAT_PARAMETER } from '../calls/operation/answer-format.ts';
import type { JsonSchema } from '../calls/operation/zod-json-schema.ts';

const BANNER = '// Made by `npm run client` from the OpenAPI document. Changes belong to the operations.\n';
/** TypeScript has a global `Error`. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorEnvelope' };

/**
 * Generates the source of the client from the OpenAPI document: file contents by file name.
 * @throws Error if the client cannot express the document
 */
export async function generateClientSource(document: JsonSchema): Promise<Readonly<Record<string, string>>> {
  const operations = readClientOperations(document);
  return { 'api-types.ts': await types(document, operations), 'api-operations.ts': table(operations) };
}

/** Arguments and answers of all operations, and the schemas they share. */
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

/** Schemas as json-schema-to-typescript expects them: with references to `definitions`. */
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

/** What the client needs of one operation, from the OpenAPI document. */
interface ClientOperation {
  /** Method of the client: the `operationId` in camel case. */
  readonly method: string;
  readonly httpMethod: string;
  readonly path: string;
  /** Doc comment of the method. */
  readonly description: string;
  /** One flat object with the members of path, query and body. */
  readonly arguments: JsonSchema;
  /** Names of the arguments in the query. */
  readonly query: readonly string[];
  /** Names of the arguments in the body; undefined without a body. */
  readonly body: readonly string[] | undefined;
  /** Accepts an `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** It answers with server-sent events. */
  readonly streams: boolean;
  /** Undefined if a successful answer has no body. */
  readonly answer: JsonSchema | undefined;
  /** For answers in pages: the member with the items, and the schema of an item. */
  readonly pages: { readonly member: string; readonly item: unknown } | undefined;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { readonly schema: JsonSchema }> }>>;
}

/**
 * The operations of an OpenAPI document, in its order.
 * @throws Error if two arguments have one name, or a body is not an object
 */
export function readClientOperations(document: JsonSchema): readonly ClientOperation[] {
  const keys = keyParameters(document);
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      readClientOperation(path, method.toUpperCase(), described, keys, document),
    ),
  );
}

const camelCase = (name: string): string => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function readClientOperation(
  path: string,
  httpMethod: string,
  described: DescribedOperation,
  keys: ReadonlySet<string>,
  document: JsonSchema,
): ClientOperation {
  const { operationId, summary, description, parameters = [], requestBody, responses } = described;
  // The client reads JSON.
  const unused = new Set([...keys, FORMAT_PARAMETER]);
  const named = parameters.filter(({ in: location, name }) => location !== 'header' && !unused.has(name));
  const body = requestBody && resolved(requestBody.content['application/json']!.schema, document);
  if (body && !isObject(body['properties'])) throw new Error(`${operationId}: its body has no named members`);
  const members = (body?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const properties: Record<string, JsonSchema> = {};
  const sent = [...named.map(argumentOf), ...Object.entries(members)] as const;
  for (const [name, schema] of sent) {
    if (Object.hasOwn(properties, name)) throw new Error(`${operationId}: the argument ${name} has two places`);
    properties[name] = schema;
  }
  const required = [
    ...named.filter(({ required: must }) => must).map(({ name }) => name),
    ...((body?.['required'] ?? []) as readonly string[]),
  ];
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))![1];
  const answer = success.content?.['application/json']?.schema;
  return {
    method: camelCase(operationId),
    httpMethod,
    path,
    description: `${summary.replace(/\.?$/, '.')} ${description}`,
    arguments: { type: 'object', properties, required, additionalProperties: false },
    query: named.filter(({ in: location }) => location === 'query').map(({ name }) => name),
    body: body && Object.keys(members),
    idempotent: parameters.some(({ in: location, name }) => location === 'header' && name === 'Idempotency-Key'),
    streams: success.content?.['text/event-stream'] !== undefined,
    answer,
    pages: answer && pagesOf(operationId, answer, document),
  };
}

const argumentOf = ({ name, description, schema }: Parameter): readonly [string, JsonSchema] => [
  name,
  description === undefined ? schema : { ...schema, description },
];

/** Query parameters that carry the API key: the client sends the key by itself. */
function keyParameters(document: JsonSchema): ReadonlySet<string> {
  const { securitySchemes = {} } = (document['components'] ?? {}) as { securitySchemes?: Record<string, JsonSchema> };
  const schemes = Object.values(securitySchemes).filter((scheme) => scheme['in'] === 'query');
  return new Set(schemes.map(({ name }) => String(name)));
}

/**
 * The items are the only list of objects. Lists of texts may exist beside it, such as words that were not understood.
 */
function pagesOf(operationId: string, answer: JsonSchema, document: JsonSchema): ClientOperation['pages'] {
  const members = (resolved(answer, document)['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (!Object.hasOwn(members, 'next_after_id')) return undefined;
  const lists = Object.entries(members).filter(
    ([, { items }]) => isObject(items) && isObject(resolved(items, document)['properties']),
  );
  const [list] = lists;
  if (!list || lists.length > 1) throw new Error(`${operationId}: an answer in pages must have one list of items`);
  return { member: list[0], item: list[1]['items'] };
}

/** The schema itself, or the one it refers to. */
function resolved(schema: JsonSchema, document: JsonSchema): JsonSchema {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const steps = $ref.replace('#/', '').split('/');
  return steps.reduce((value, step) => value[step] as JsonSchema, document);
}

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
