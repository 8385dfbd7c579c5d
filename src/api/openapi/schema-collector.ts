import type { z } from 'zod';
import { type JsonSchema, jsonSchemaOf, type SchemaSide } from '../calls/operation/zod-json-schema.ts';

/**
 * Collects the JSON Schemas for one document. Schemas with an id (`.meta({id})`) are put into `components.schemas`
 * once, and referred to.
 */
export class SchemaCollector {
  readonly #shared: Record<string, unknown> = {};

  define(name: string, schema: z.ZodType): void {
    this.#shared[name] = this.#convert(schema, 'output');
  }

  /** The schema of an input: parameters with a default are optional. */
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

  #convert(schema: z.ZodType, side: SchemaSide): JsonSchema {
    // Number bounds are enforced in inputs; in answers they say nothing.
    const { $schema: _, $defs = {}, ...own } = jsonSchemaOf(schema, side) as JsonSchema & { $defs?: JsonSchema };
    const adapted = (json: JsonSchema): JsonSchema =>
      withoutId(pointToComponents(side === 'output' ? withoutMachineBounds(json) : json) as JsonSchema);
    for (const [name, definition] of Object.entries($defs)) this.#shared[name] ??= adapted(definition as JsonSchema);
    return adapted(own);
  }
}

/** Removes bounds that only reflect the safe range of numbers, and minimum lengths of 0. */
export function withoutMachineBounds(schema: JsonSchema): JsonSchema {
  return mapObjects(schema, (name, value) =>
    (name === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (name === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (name === 'minLength' && value === 0)
      ? undefined
      : value,
  ) as JsonSchema;
}

/** Removes minimum lengths of 0. */
export const withoutEmptyBounds = (schema: JsonSchema): JsonSchema =>
  mapObjects(schema, (name, value) => (name === 'minLength' && value === 0 ? undefined : value)) as JsonSchema;

/** An id would change how references inside the schema are resolved. */
const withoutId = ({ id: _, $id: __, ...rest }: JsonSchema): JsonSchema => rest;

const pointToComponents = (schema: unknown): unknown =>
  mapObjects(schema, (name, value) =>
    name === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  );

/** A deep copy in which `change` replaces every member; undefined removes the member. */
function mapObjects(value: unknown, change: (name: string, member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const changed = change(name, member);
      return changed === undefined ? [] : [[name, mapObjects(changed, change)]];
    }),
  );
}
