import type { FieldValue, Projection } from '../../domain/event-sourcing/projection.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import type { Query } from './document-reader.ts';
import { DocumentRejected } from './read-store.ts';

/** The value of a field as every store holds it: booleans are 0 and 1, numbers that are not finite are null. */
export type StoredValue = string | number | null;

/**
 * The fields and indexes of a generation. Stored with the generation, since the code that reads it may declare other
 * fields.
 */
export interface DocumentLayout {
  readonly fields: Readonly<Record<string, string>>;
  readonly indexes: readonly (readonly string[])[];
}

interface EncodedDocument {
  readonly id: number | null;
  /** One entry per declared field: a value, or the distinct members of a `many` field. */
  readonly values: readonly (StoredValue | readonly StoredValue[])[];
  readonly body: string;
}

export function toStoredValue(value: FieldValue | undefined): StoredValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return value;
}

const DECIMAL = /^(?:0|[1-9]\d{0,15})$/;

/** The number of a decimal key; null for any other key, so that no two keys share a number. */
function numericKey(key: string): number | null {
  if (!DECIMAL.test(key)) return null;
  const id = Number(key);
  return Number.isSafeInteger(id) ? id : null;
}

/** Fields and indexes of a projection. @throws when an index names a field that is not declared, or two `many` fields. */
export function documentLayoutOf(projection: Projection): DocumentLayout {
  const fields: Record<string, string> = {};
  for (const [name, spec] of Object.entries(projection.fields)) fields[name] = spec.kind;
  for (const index of projection.indexes) {
    const unknown = index.find((name) => !(name in fields));
    if (unknown !== undefined) throw new Error(`projection ${projection.name}: an index names no field: ${unknown}`);
    if (index.filter((name) => fields[name] === 'many').length > 1) {
      throw new Error(`projection ${projection.name}: an index has two many fields: ${index.join(', ')}`);
    }
  }
  return { fields, indexes: projection.indexes };
}

/** Checks that an existing generation fits the code. Rows with other columns would give wrong answers. */
export function assertSameLayout(generation: string, existing: DocumentLayout, projection: Projection): void {
  if (JSON.stringify(existing) === JSON.stringify(documentLayoutOf(projection))) return;
  throw new Error(
    `projection ${projection.name}: build ${generation} has other fields or indexes; raise the projection's version`,
  );
}

/**
 * The kind of a field in a query. @throws if the generation does not declare the field, or it cannot be used this way
 */
export function fieldKind(layout: DocumentLayout, name: string, use: 'where' | 'single' | 'text'): string {
  const kind = Object.hasOwn(layout.fields, name) ? layout.fields[name] : undefined;
  if (kind === undefined) throw new Error(`no such field: ${name}`);
  if (use === 'text' && kind !== 'text') throw new Error(`not a text field: ${name}`);
  if (use === 'single' && kind === 'many') throw new Error(`a many field cannot order or bound: ${name}`);
  return kind;
}

/** @throws if a query names a field that the generation does not declare, or uses it in a wrong way */
export function checkFields(layout: DocumentLayout, { where, range, contains, order }: Query): void {
  for (const field of Object.keys(where ?? {})) fieldKind(layout, field, 'where');
  if (range) fieldKind(layout, range.field, 'single');
  if (contains) fieldKind(layout, contains.field, 'text');
  if (order) fieldKind(layout, order.field, 'single');
}

/** The stored form of a document. @throws DocumentRejected */
export function encodeDocument(projection: Projection, key: string, document: unknown): EncodedDocument {
  try {
    // Some drivers cut a text at this character when they read it.
    if (key.includes('\0')) throw new Error('its key holds a NUL character');
    const body = JSON.stringify(document);
    if (body === undefined) throw new Error('it is not JSON');
    const values: (StoredValue | readonly StoredValue[])[] = [];
    for (const name in projection.fields) {
      const spec = projection.fields[name]!;
      const value = spec.of(document);
      if (spec.kind === 'many') values.push(distinctMembers(name, value));
      else if (Array.isArray(value)) throw new Error(`field ${name} is an array, but is not declared as many`);
      else values.push(assertKind(name, spec.kind, toStoredValue(value as FieldValue | undefined)));
    }
    return { id: numericKey(key), values, body };
  } catch (error) {
    throw new DocumentRejected(projection.name, key, error);
  }
}

/** A store that compares only values of the same type would not find a value of another type. */
function assertKind(name: string, kind: string, value: StoredValue): StoredValue {
  const isText = kind === 'string' || kind === 'text';
  if (value === null || (typeof value === 'string') === isText) return value;
  throw new Error(`field ${name} is declared as ${kind}, but holds ${JSON.stringify(value)}`);
}

function distinctMembers(name: string, value: FieldValue | readonly FieldValue[] | undefined): readonly StoredValue[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error(`field ${name} is declared as many, but is not an array`);
  return [...new Set(value.map(toStoredValue))];
}

/** The order of every store: null, numbers, text. */
export function compareValues(a: StoredValue, b: StoredValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareByCodePoint(a, b);
  return rank(a) - rank(b);
}

function rank(value: StoredValue): number {
  return value === null ? 0 : typeof value === 'number' ? 1 : 2;
}
