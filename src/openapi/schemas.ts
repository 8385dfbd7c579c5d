import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/**
 * JSON Schemas of zod schemas for one document. Those with an id of their own (`.meta({id})`) stand once, under
 * `components.schemas`, and are referred to.
 */
export class SchemaCollector {
  readonly #shared: Record<string, unknown> = {};

  define(name: string, schema: z.ZodType): void {
    this.#shared[name] = this.#convert(schema, 'output');
  }

  /** Of what a client sends: parameters with a default are optional. */
  input(schema: z.ZodType): JsonSchema;
  input(schema: z.ZodType | undefined): JsonSchema | undefined;
  input(schema: z.ZodType | undefined): JsonSchema | undefined {
    return schema && this.#convert(schema, 'input');
  }

  output(schema: z.ZodType): JsonSchema {
    return this.#convert(schema, 'output');
  }

  all(): Record<string, unknown> {
    return this.#shared;
  }

  #convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    const { $schema: _, $defs = {}, ...own } = pointToComponents(json) as JsonSchema & { $defs?: JsonSchema };
    for (const [name, definition] of Object.entries($defs)) this.#shared[name] ??= withoutId(definition as JsonSchema);
    return withoutId(own);
  }
}

/** An id would change what references inside are relative to. */
const withoutId = ({ id: _, $id: __, ...rest }: JsonSchema): JsonSchema => rest;

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === '$ref' && typeof member === 'string'
        ? [name, member.replace('#/$defs/', '#/components/schemas/')]
        : [name, pointToComponents(member)],
    ),
  );
}
