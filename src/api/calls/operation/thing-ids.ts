import { z } from 'zod';
import { IDENTITY_SUBJECTS, type IdentitySubject } from '../../../domain/feed/identity-message.ts';
import type { StreamReplacements } from '../../../domain/identities/stream-replacements.ts';
import { parseTime } from '../../../domain/primitives/time.ts';

/** Which event, team or player an id means, and which ids were merged into it. */
export type MergedThings = Pick<
  StreamReplacements,
  'acts' | 'isEmpty' | 'meaningOf' | 'mergedIds' | 'mergedInto' | 'planAt'
>;

interface ThingIdRules {
  /** What it is the id of; or the name of the parameter that says so. */
  readonly of: IdentitySubject | { readonly parameter: string };
  /** The operation gets the id as it was given, and follows by itself what it means. */
  readonly isKept?: true;
}

const MARKS = z.registry<{ thing: ThingIdRules }>();

/**
 * Marks a schema as the id of an event, a team or a player. Calls then answer for the one that the id means, if it was
 * merged into another. Call it last: a schema that is made from a marked one, as by `meta`, is not marked.
 */
export const markThingId = <Schema extends z.ZodType>(schema: Schema, rules: ThingIdRules): Schema => {
  MARKS.add(schema, { thing: rules });
  return schema;
};

/** Stands for every item of a list. */
const EACH = '*';

interface ThingIdPlace extends ThingIdRules {
  readonly path: readonly string[];
}

/** The schemas of an operation's input. */
interface Input {
  readonly path?: z.ZodType | undefined;
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
}

const placesByInput = new WeakMap<Input, readonly ThingIdPlace[]>();

/** Where the ids of events, teams and players stand in inputs. */
export function thingIdPlacesOf(input: Input): readonly ThingIdPlace[] {
  let places = placesByInput.get(input);
  if (!places) {
    const parts = [input.path, input.query, input.body].flatMap((schema) => schema ?? []);
    places = parts.flatMap((schema) => placesIn(markedSchemaOf(schema), []));
    placesByInput.set(input, places);
  }
  return places;
}

interface MarkedSchema {
  readonly thing?: ThingIdRules;
  readonly properties?: Readonly<Record<string, MarkedSchema>>;
  readonly items?: MarkedSchema;
  readonly anyOf?: readonly MarkedSchema[];
}

const markedSchemaOf = (schema: z.ZodType): MarkedSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: MARKS }) as MarkedSchema;

const placesIn = (
  { thing, properties = {}, items, anyOf = [] }: MarkedSchema,
  path: readonly string[],
): readonly ThingIdPlace[] => [
  ...(thing ? [{ path, ...thing }] : []),
  ...Object.entries(properties).flatMap(([name, member]) => placesIn(member, [...path, name])),
  ...(items ? placesIn(items, [...path, EACH]) : []),
  ...anyOf.flatMap((one) => placesIn(one, path)),
];

/** An input whose ids mean themselves. */
export interface ResolvedInput {
  readonly input: any;
  /** The things into which others were merged that the input named; ascending. */
  readonly mergedInto: readonly number[];
}

const NONE: readonly number[] = [];

/**
 * Puts the thing that an id means in the place of an id that was merged into it; a list then holds it once. An answer
 * as of a moment of recording takes what the id meant at that moment.
 */
export function resolveThingIds(schemas: Input, input: any, merged: MergedThings): ResolvedInput {
  if (merged.isEmpty) return { input, mergedInto: NONE };
  const recordedBy = recordedByOf(input);
  const into = new Set<number>();
  const resolveId = (what: IdentitySubject, value: unknown): unknown => {
    if (typeof value !== 'number') return value;
    const meaning = merged.meaningOf(what, value, recordedBy);
    if (meaning !== value) into.add(meaning);
    return meaning;
  };
  let resolved = input;
  for (const { path, of, isKept } of thingIdPlacesOf(schemas)) {
    const what = typeof of === 'string' ? of : IDENTITY_SUBJECTS.find((subject) => subject === input[of.parameter]);
    if (!what) continue;
    const replaced = replaceAt(resolved, path, (value) => resolveId(what, value));
    if (!isKept) resolved = replaced;
  }
  if (into.size === 0) return { input, mergedInto: NONE };
  return { input: resolved, mergedInto: [...into].sort((a, b) => a - b) };
}

/** The moment of recording that an input asks for, in milliseconds; undefined: now. A malformed one is refused later. */
function recordedByOf({ as_of, as_of_basis }: { readonly as_of?: unknown; readonly as_of_basis?: unknown }) {
  if (typeof as_of !== 'string' || as_of_basis === 'observed') return undefined;
  return parseTime(as_of) ?? undefined;
}

/** A copy with other values at a path; inputs are shared, so they are never changed. */
function replaceAt(value: any, path: readonly string[], replace: (value: unknown) => unknown): any {
  const [step, ...rest] = path;
  if (step === undefined) return Array.isArray(value) ? [...new Set(value.map(replace))] : replace(value);
  if (step === EACH) {
    if (!Array.isArray(value)) return value;
    const items = value.map((item) => replaceAt(item, rest, replace));
    return rest.length === 0 ? [...new Set(items)] : items;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: replaceAt(value[step], rest, replace) };
}
