import { z } from 'zod';
import { FIELDS_PARAMETER } from '../calls/operation/answer-fields.ts';
import type { Operation } from '../calls/operation/operation.ts';
import { type JsonSchema, jsonSchemaOf } from '../calls/operation/zod-json-schema.ts';
import { withoutMachineBounds } from '../openapi/schema-collector.ts';

/** The JSON Schema of an object, in version 2020-12, which is MCP's default without `$schema`. */
export type ObjectSchema = JsonSchema & { readonly type: 'object' };

const PARTS = ['path', 'query', 'body'] as const;

/** The members of path, query and body as one object. Accepts what the REST request accepts. */
export function inputSchemaOf({ input }: Pick<Operation, 'input'>): ObjectSchema {
  const properties: JsonSchema = {};
  const required: string[] = [];
  const definitions: JsonSchema = {};
  for (const part of PARTS) {
    const schema = input[part];
    if (!schema) continue;
    const json = jsonSchemaOf(schema, 'input') as RootSchema;
    // Long lists are as they always were: what came later is listed in short ones.
    const { [FIELDS_PARAMETER]: _, ...listed } = json.properties ?? {};
    Object.assign(properties, mergeChoices(withoutMachineBounds(listed)));
    Object.assign(definitions, mergeChoices(withoutMachineBounds(json.$defs ?? {})));
    required.push(...(json.required ?? []));
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
  };
}

/** Choices between null and another type, at any depth, become one list of types with one description. */
function mergeChoices(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(mergeChoices);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([name, member]) => [name, mergeChoices(member)] as const);
  const { anyOf, ...others } = Object.fromEntries(members) as { anyOf?: unknown };
  const merged = Array.isArray(anyOf) ? (nullableOf(anyOf) ?? integerOrListOf(anyOf)) : undefined;
  return merged ? { ...merged, ...others } : anyOf === undefined ? others : { anyOf, ...others };
}

/** One integer or a list of them. */
function integerOrListOf([one, list, ...more]: readonly JsonSchema[]): JsonSchema | undefined {
  if (more.length > 0 || one?.['type'] !== 'integer' || list?.['type'] !== 'array') return undefined;
  return { ...list, type: ['integer', 'array'], items: list['items'] };
}

/** Which tool's answer has a schema, by the schema's name. */
export type AnsweringTools = ReadonlyMap<string, { readonly tool: string; readonly description: string }>;

/** Tools whose whole answer is a named schema, else tools that list such objects; the first of several. */
export function findAnsweringTools(operations: readonly Pick<Operation, 'name' | 'output'>[]): AnsweringTools {
  const answering = new Map<string, { tool: string; description: string }>();
  const note = (schema: z.ZodType, tool: string, description: string): void => {
    const { id } = z.globalRegistry.get(schema) ?? {};
    if (id !== undefined && !answering.has(id)) answering.set(id, { tool, description });
  };
  for (const { name, output } of operations) note(output, name, `As \`${name}\` answers.`);
  for (const { name, output } of operations) {
    if (!(output instanceof z.ZodObject)) continue;
    for (const [member, schema] of Object.entries(output.shape)) {
      if (schema instanceof z.ZodArray) note(schema.element as z.ZodType, name, `As in \`${member}\` of \`${name}\`.`);
    }
  }
  return answering;
}

/**
 * The output schema of a tool. A named schema that is the answer of another tool, or an item of its list, is described
 * there and only referred to here.
 * @throws Error if the answer is not an object: MCP requires one
 */
export function outputSchemaOf(
  { name, output }: Pick<Operation, 'name' | 'output'>,
  answering: AnsweringTools,
): ObjectSchema {
  const json = jsonSchemaOf(output, 'output') as RootSchema;
  const { $schema: _, $ref, $defs: { ...definitions } = {}, ...own } = withoutMachineBounds(json) as RootSchema;
  let root: JsonSchema = own;
  if ($ref !== undefined) {
    // The whole answer is a named schema. MCP requires `type: object` at the root, and not a reference.
    const rootName = $ref.replace('#/$defs/', '');
    root = definitions[rootName] as JsonSchema;
  }
  for (const definition of Object.keys(definitions)) {
    const answered = answering.get(definition);
    if (answered === undefined || answered.tool === name) continue;
    definitions[definition] = { type: 'object', description: answered.description };
  }
  const used = usedBy(root, definitions);
  const schema = { ...root, ...(Object.keys(used).length > 0 ? { $defs: used } : {}) };
  if (root['type'] !== 'object') throw new Error(`the answer of ${name} is no object`);
  const { required } = root;
  return { ...(shortenSchema(schema) as ObjectSchema), ...(required === undefined ? {} : { required }) };
}

/** The definitions that a schema refers to, directly or through others. */
function usedBy(root: JsonSchema, definitions: JsonSchema): JsonSchema {
  const used = new Set<string>();
  const collect = (schema: unknown): void => {
    for (const [, name] of JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      collect(definitions[name!]);
    }
  };
  collect(root);
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => used.has(name)));
}

/**
 * Shortens a schema, since every model that is offered the tools reads all of them. Left out are:
 * `additionalProperties: false`; the type of member names; `anyOf` for values that may be null or have one of several
 * plain types, which become a list of types; the type beside an enum; the usual description of times, which `format`
 * implies; long lists of values, which an answer shows by itself; and which members of nested objects are required.
 * Only programs need the last two, and they read the OpenAPI document.
 */
function shortenSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shortenSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { additionalProperties, propertyNames: _, required, ...rest } = schema as JsonSchema;
  const shortened: JsonSchema = {
    ...rest,
    ...(additionalProperties === false || additionalProperties === undefined ? {} : { additionalProperties }),
    // `required` may also be the name of a member: then it is a schema.
    ...(required === undefined || Array.isArray(required) ? {} : { required }),
  };
  const members = Object.entries(shortened).map(([name, member]) => [name, shortenSchema(member)] as const);
  const { anyOf, ...others } = withoutImplied(withoutSpelling(Object.fromEntries(members))) as { anyOf?: any };
  const nullable = Array.isArray(anyOf) ? nullableOf(anyOf) : undefined;
  if (nullable) return { ...nullable, ...others };
  const types = Array.isArray(anyOf) ? anyOf.map((one) => (Object.keys(one).length === 1 ? one.type : undefined)) : [];
  const isPlain = types.length > 0 && types.every((type) => typeof type === 'string');
  if (isPlain) return { ...others, type: types };
  return anyOf === undefined ? others : { ...others, anyOf };
}

/** The description of a time that says nothing more than its format. */
const TIME_SPELLED = 'UTC, ISO 8601 with a trailing Z';

function withoutSpelling(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  return description === TIME_SPELLED && rest['format'] === 'date-time' ? rest : schema;
}

const MAX_VALUES = 8;

/** The type is implied by the allowed values, if they are listed. */
function withoutImplied(schema: JsonSchema): JsonSchema {
  const { enum: words, ...others } = schema;
  const { type, ...rest } = schema;
  if (type === 'string' && Array.isArray(words) && words.length > MAX_VALUES) return others;
  return Array.isArray(rest['enum']) || ['string', 'number', 'boolean'].includes(typeof rest['const']) ? rest : schema;
}

/** Merges `anyOf` of an enum or a typed schema with null: null becomes a further value or type. */
function nullableOf([one, other, ...more]: readonly JsonSchema[]): JsonSchema | undefined {
  if (more.length > 0 || one === undefined || other?.['type'] !== 'null' || Object.keys(other).length > 1)
    return undefined;
  const { type, enum: words, ...rest } = one;
  if (Array.isArray(words)) return { ...rest, enum: [...words, null] };
  if (typeof type === 'string' || Array.isArray(type)) return { ...rest, type: [type, 'null'].flat() };
  return undefined;
}

interface RootSchema extends JsonSchema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly $defs?: JsonSchema;
  readonly properties?: JsonSchema;
  readonly required?: readonly string[];
}
