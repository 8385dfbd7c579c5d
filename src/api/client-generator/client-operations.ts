import { FORMAT_PARAMETER } from '../calls/operation/answer-format.ts';
import type { JsonSchema } from '../calls/operation/zod-json-schema.ts';

/** Languages have an `Error` of their own. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorEnvelope' };

/** The name that a client has for a shared schema. @param reference `#/components/schemas/Odds`, or the last part of it */
export function sharedTypeName(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return RENAMED[name] ?? name;
}

/** The shared schemas of a document by the names that a client has for them. */
export function sharedSchemas(document: JsonSchema): Record<string, JsonSchema> {
  const { schemas } = document['components'] as { schemas: Record<string, JsonSchema> };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [sharedTypeName(name), schema]));
}

/** What the client needs of one operation, from the OpenAPI document. */
export interface ClientOperation {
  /** The `operationId`, in snake case. */
  readonly name: string;
  readonly httpMethod: string;
  readonly path: string;
  /** One sentence. */
  readonly summary: string;
  /** When to call it, if that is said, and what it costs. */
  readonly description: string;
  /** One flat object with the members of path, query and body. */
  readonly arguments: JsonSchema;
  /** Names of the arguments in the path, in its order. */
  readonly parts: readonly string[];
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
  /** Columns of the answer as a table, if it can be one. */
  readonly columns: readonly TableColumn[] | undefined;
}

/** As in `x-columns` of the OpenAPI document. */
interface TableColumn {
  readonly name: string;
  readonly type: string;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Content {
  readonly schema: JsonSchema;
  readonly 'x-columns'?: readonly TableColumn[];
}

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
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
  const body = requestBody && resolved(requestBody.content['application/json']!.schema, document);
  if (body && !isObject(body['properties'])) throw new Error(`${operationId}: its body has no named members`);
  const members = (body?.['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  // What the query may have in the place of the body is sent in the body.
  const isInBody = ({ in: location, name }: { readonly in: string; readonly name: string }) =>
    location === 'query' && Object.hasOwn(members, name);
  const named = parameters.filter((one) => one.in !== 'header' && !unused.has(one.name) && !isInBody(one));
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
    name: operationId,
    httpMethod,
    path,
    summary: summary.replace(/\.?$/, '.'),
    description,
    arguments: { type: 'object', properties, required, additionalProperties: false },
    parts: named.filter(({ in: location }) => location === 'path').map(({ name }) => name),
    query: named.filter(({ in: location }) => location === 'query').map(({ name }) => name),
    body: body && Object.keys(members),
    idempotent: parameters.some(({ in: location, name }) => location === 'header' && name === 'Idempotency-Key'),
    streams: success.content?.['text/event-stream'] !== undefined,
    answer,
    columns: success.content?.['text/csv']?.['x-columns'],
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

/** Beside the items of a list: what an ambiguous name may mean. */
const CANDIDATES = 'candidates';

/**
 * The items are the only list of objects, but for candidates. Lists of texts may exist beside it, such as words that were
 * not understood.
 */
function pagesOf(operationId: string, answer: JsonSchema, document: JsonSchema): ClientOperation['pages'] {
  const members = (resolved(answer, document)['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (!Object.hasOwn(members, 'next_after_id')) return undefined;
  const lists = Object.entries(members).filter(
    ([name, { items }]) => name !== CANDIDATES && isObject(items) && isObject(resolved(items, document)['properties']),
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
