import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { effectOf, type Operation } from '../calls/operation/operation.ts';
import type { JsonSchema } from '../calls/operation/zod-json-schema.ts';
import { SIZE_PARAMETERS } from './fit-answer.ts';

/**
 * A tool in few words, for clients that name a toolset: one sentence and the price, and a schema that says only what a
 * model needs to fill it. The server checks the bounds that are left out.
 */
export function shortTool(operation: Operation, listed: ListedTool, hasOutputSchema: boolean): ListedTool {
  const effect = effectOf(operation);
  const { outputSchema } = listed;
  const reads = effect === 'reads';
  const input = listed.inputSchema as unknown as JsonSchema;
  const inputSchema = shortSchema(reads ? withSizes(input) : input, true);
  return {
    name: listed.name,
    description: shortDescription(operation),
    inputSchema: inputSchema as ListedTool['inputSchema'],
    ...(hasOutputSchema && outputSchema ? { outputSchema } : {}),
    annotations: reads ? { readOnlyHint: true } : { readOnlyHint: false, destructiveHint: effect !== 'adds' },
  };
}

/** One sentence and the price. */
const shortDescription = ({ summary, brief = summary, cost }: Operation): string =>
  `${brief.replace(/[.!?]$/, '')}. ${cost.description.replace(/[.!?]$/, '')}.`;

function withSizes(schema: JsonSchema): JsonSchema {
  const properties = schema['properties'] as JsonSchema;
  return { ...schema, properties: { ...properties, ...SIZE_PARAMETERS } };
}

/** Parameters of many tools: the instructions describe them once. */
const SHARED = {
  sport: 'a sport’s slug',
  league: 'a league’s slug',
  bookmaker: 'slug(s) or `all`',
  limit: 'most rows',
  after_id: '`next_after_id` of the page before',
  as_of: 'answer as of this past UTC time; as_of_basis: recorded (by us) or observed (by the source)',
  fields: 'comma list of dotted paths: only these members',
  max_tokens: 'most tokens of the answer (8000; `truncated: true` where rows were cut)',
} as const;

/** For the instructions that go with short tools. */
export const describeSharedParameters = (): string =>
  Object.entries(SHARED)
    .map(([name, text]) => `${name}: ${text}`)
    .join('; ');

const isShared = (name: string): boolean => name === 'as_of_basis' || Object.hasOwn(SHARED, name);

/** Members of a schema that a model can do without. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'pattern',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'examples',
  'additionalProperties',
]);

function shortSchema(schema: JsonSchema, isRoot = false): JsonSchema {
  const short: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(name)) continue;
    if (name === 'properties') short[name] = shortProperties(value as JsonSchema, isRoot);
    else if (name === '$defs') short[name] = shortProperties(value as JsonSchema, false);
    else if (name === 'items') short[name] = shortSchema(value as JsonSchema);
    else if (name === 'anyOf') short[name] = (value as JsonSchema[]).map((one) => shortSchema(one));
    else short[name] = value;
  }
  return short;
}

const shortProperties = (properties: JsonSchema, isRoot: boolean): JsonSchema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const schema = shortSchema(value as JsonSchema);
      return [name, isRoot && isShared(name) ? typeOnly(schema) : schema];
    }),
  );

/** The type of a shared parameter. */
const typeOnly = ({ type = 'string' }: JsonSchema): JsonSchema => ({ type });
