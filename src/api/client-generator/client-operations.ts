import type { JsonSchema } from '../calls/json-schema.ts';

/** What the client needs to know of one operation, read from the OpenAPI document. */
export interface ClientOperation {
  /** Name of the client's method: the `operationId` in camel case. */
  readonly method: string;
  readonly httpMethod: string;
  readonly path: string;
  /** For the reader of the types. */
  readonly description: string;
  /** One flat object of the path's, the query's and the body's members. */
  readonly arguments: JsonSchema;
  /** Arguments that go into the query. */
  readonly query: readonly string[];
  /** Arguments that go into the body; undefined where there is none. */
  readonly body: readonly string[] | undefined;
  /** It honours an `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** It answers with server-sent events. */
  readonly streams: boolean;
  /** Undefined where success has no body. */
  readonly answer: JsonSchema | undefined;
  /** Of answers that come in pages: the member that holds the items, and what an item is. */
  readonly pages: { readonly member: string; readonly item: unknown } | undefined;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { readonly schema: JsonSchema }> }>>;
}

/**
 * The operations of an OpenAPI document, in its order.
 * @throws where one argument would have two places, or a body is no object of named members
 */
export function clientOperations(document: JsonSchema): readonly ClientOperation[] {
  const keys = keyParameters(document);
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Described>>>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => read(path, method.toUpperCase(), described, keys, document)),
  );
}

const camelCase = (name: string): string => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

function read(
  path: string,
  httpMethod: string,
  described: Described,
  keys: ReadonlySet<string>,
  document: JsonSchema,
): ClientOperation {
  const { operationId, summary, description, parameters = [], requestBody, responses } = described;
  const named = parameters.filter(({ in: place, name }) => place !== 'header' && !keys.has(name));
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
    query: named.filter(({ in: place }) => place === 'query').map(({ name }) => name),
    body: body && Object.keys(members),
    idempotent: parameters.some(({ in: place, name }) => place === 'header' && name === 'Idempotency-Key'),
    streams: success.content?.['text/event-stream'] !== undefined,
    answer,
    pages: answer && pagesOf(operationId, answer, document),
  };
}

const argumentOf = ({ name, description, schema }: Parameter): readonly [string, JsonSchema] => [
  name,
  description === undefined ? schema : { ...schema, description },
];

/** Query parameters that carry the API key: the client has its own way of sending it. */
function keyParameters(document: JsonSchema): ReadonlySet<string> {
  const { securitySchemes = {} } = (document['components'] ?? {}) as { securitySchemes?: Record<string, JsonSchema> };
  const schemes = Object.values(securitySchemes).filter((scheme) => scheme['in'] === 'query');
  return new Set(schemes.map(({ name }) => String(name)));
}

/** The items are the one list of objects: beside it may stand lists of texts, such as words that were not understood. */
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

/** The schema itself, where it is referred to. */
function resolved(schema: JsonSchema, document: JsonSchema): JsonSchema {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const steps = $ref.replace('#/', '').split('/');
  return steps.reduce((value, step) => value[step] as JsonSchema, document);
}

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
