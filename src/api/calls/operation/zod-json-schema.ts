import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Direction of a schema: in an input, members with a default are optional. */
export type SchemaSide = 'input' | 'output';

const known: Readonly<Record<SchemaSide, WeakMap<z.ZodType, JsonSchema>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
};

/**
 * The JSON Schema 2020-12 of a zod schema. The conversion takes milliseconds, and the input reader, the tools, the
 * documents and the playground all need it. So the result is cached; nobody may change it.
 */
export function jsonSchemaOf(schema: z.ZodType, side: SchemaSide): Readonly<JsonSchema> {
  const before = known[side].get(schema);
  if (before) return before;
  const made = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' }) as JsonSchema;
  known[side].set(schema, made);
  return made;
}
