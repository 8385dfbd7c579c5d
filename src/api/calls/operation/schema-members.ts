import type { JsonSchema } from './zod-json-schema.ts';

/** A schema with what it may stand for: its choices, what it refers to, and the items of its lists. */
function shapesOf(schema: JsonSchema, root: JsonSchema, seen: Set<JsonSchema> = new Set()): ReadonlySet<JsonSchema> {
  if (seen.has(schema)) return seen;
  seen.add(schema);
  const { $ref, anyOf = [], oneOf = [], allOf = [], items, prefixItems = [] } = schema as SchemaParts;
  const inner = [...anyOf, ...oneOf, ...allOf, ...prefixItems];
  if (items) inner.push(items);
  if ($ref !== undefined) inner.push((root['$defs'] as Record<string, JsonSchema>)[$ref.slice('#/$defs/'.length)]!);
  for (const one of inner) shapesOf(one, root, seen);
  return seen;
}

interface SchemaParts {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
}

/** The named members of what a schema describes, by name. Members of a map, whose names are data, are none. */
function membersOf(schemas: readonly JsonSchema[], root: JsonSchema): ReadonlyMap<string, readonly JsonSchema[]> {
  const members = new Map<string, readonly JsonSchema[]>();
  for (const shape of new Set(schemas.flatMap((schema) => [...shapesOf(schema, root)]))) {
    for (const [name, member] of Object.entries((shape['properties'] ?? {}) as Record<string, JsonSchema>)) {
      members.set(name, [...(members.get(name) ?? []), member]);
    }
  }
  return members;
}

/** Where a path leaves a schema. */
export interface UnknownMember {
  /** The part of the path that the schema has; empty: nothing. */
  readonly known: string;
  /** Names of the members there; none: the path must end there. */
  readonly names: readonly string[];
}

/**
 * Finds where a path of members, joined by dots, leaves a schema; undefined: it does not. Lists are no step of a path.
 * @param root the schema, which holds its own definitions
 */
export function findUnknownMember(path: string, root: JsonSchema): UnknownMember | undefined {
  const steps = path.split('.');
  let at: readonly JsonSchema[] = [root];
  for (const [index, step] of steps.entries()) {
    const members = membersOf(at, root);
    const next = members.get(step);
    if (!next) return { known: steps.slice(0, index).join('.'), names: [...members.keys()] };
    at = next;
  }
  return undefined;
}
