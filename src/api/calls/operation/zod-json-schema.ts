import { z } from 'zod';

/** A schema in JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>;

/** Whose word a schema is of: in what a client sends, members with a default may miss. */
export type SchemaSide = 'input' | 'output';

const known: Readonly<Record<SchemaSide, WeakMap<z.ZodType, JsonSchema>>> = {
  input: new WeakMap(),
  output: new WeakMap(),
};

/**
 * What JSON Schema says of a zod schema. Zod takes milliseconds for it, and several ask for one operation: the reader of
 * its input, the tools, the documents, the playground. So it is made once, and nobody changes it.
 */
export function jsonSchemaOf(schema: z.ZodType, side: SchemaSide): Readonly<JsonSchema> {
  const before = known[side].get(schema);
  if (before) return before;
  const made = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' }) as JsonSchema;
  known[side].set(schema, made);
  return made;
}
