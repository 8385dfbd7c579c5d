import type { Document, Filter } from 'mongodb';
import { checkFields, type DocumentLayout, type StoredValue, toStoredValue } from '../document-layout.ts';
import type { Query } from '../document-reader.ts';
import { type MongoDocument, memberOf } from './mongo-documents.ts';

/** A query in the form of MongoDB. */
export interface MongoQuery {
  readonly filter: Filter<MongoDocument>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit: number;
}

type Condition = Document;

/** MongoDB compares only values of the same type, so comparisons across types need conditions of their own. */
const ALL: Condition = {};
const NONE = null;

/**
 * Undefined if nothing can match. The sort order of MongoDB is that of every store: null, numbers, text by code point.
 * @throws if the query names a field that the layout does not declare, or uses it in a wrong way
 */
export function mongoQueryOf(layout: DocumentLayout, query: Query): MongoQuery | undefined {
  checkFields(layout, query);
  const { limit, order } = query;
  const conditions = [
    ...Object.entries(query.where ?? {}).map(([field, wanted]) => isOneOf(memberOf(field), [wanted].flat())),
    ...inRange(layout, query),
    containsText(query),
    isAfterKeyset(layout, query),
  ];
  if (limit <= 0 || conditions.includes(NONE)) return undefined;
  const present = conditions.filter((one) => one !== NONE && Object.keys(one).length > 0) as Condition[];
  const direction = order?.direction === 'desc' ? -1 : 1;
  return {
    filter: (present.length > 1 ? { $and: present } : (present[0] ?? {})) as Filter<MongoDocument>,
    sort: { ...(order && { [memberOf(order.field)]: direction }), n: direction, _id: direction },
    limit,
  };
}

function isOneOf(member: string, wanted: readonly unknown[]): Condition | null {
  const values = [...new Set(wanted.map((value) => toStoredValue(value as StoredValue)))];
  if (values.length === 0) return NONE;
  return { [member]: values.length === 1 ? values[0] : { $in: values } };
}

function inRange(layout: DocumentLayout, { range }: Query): readonly (Condition | null)[] {
  if (!range) return [];
  const { field, exclusive } = range;
  const bounds: (Condition | null)[] = [];
  const [from, to] = [toStoredValue(range.from), toStoredValue(range.to)];
  const isOpen = (end: 'from' | 'to') => exclusive === end || exclusive === 'both';
  if (from !== null) bounds.push(isAbove(layout, field, from, isOpen('from')));
  if (to !== null) bounds.push(isBelow(layout, field, to, isOpen('to')));
  return bounds;
}

function containsText({ contains }: Query): Condition {
  if (!contains) return ALL;
  return { [memberOf(contains.field)]: { $regex: escapeRegex(contains.text) } };
}

/** A regular expression that matches this text and no other. */
const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');

/** The condition of the keyset position after which the page begins. */
function isAfterKeyset(layout: DocumentLayout, { after, order }: Query): Condition | null {
  if (!after) return ALL;
  if (!order) return { n: { $gt: after.id } };
  const member = memberOf(order.field);
  const value = toStoredValue(after.value);
  const isUp = order.direction === 'asc';
  const alternatives = [
    // Documents of the same value that follow by the number of the key.
    { [member]: value, n: isUp ? { $gt: after.id } : { $lt: after.id } },
    isUp ? followsUp(layout, order.field, value) : followsDown(layout, order.field, value),
    isUp || value === null ? NONE : { [member]: null },
  ].filter((one) => one !== NONE);
  return { $or: alternatives };
}

const followsUp = (layout: DocumentLayout, field: string, value: StoredValue): Condition | null =>
  value === null ? hasValue(layout, field) : isAbove(layout, field, value, true);

const followsDown = (layout: DocumentLayout, field: string, value: StoredValue): Condition | null =>
  value === null ? NONE : isBelow(layout, field, value, true);

/** Text sorts after numbers; a field has only values of its kind. */
function isAbove(layout: DocumentLayout, field: string, value: string | number, isOpen: boolean): Condition | null {
  if (isText(layout, field) === (typeof value === 'string')) {
    return { [memberOf(field)]: isOpen ? { $gt: value } : { $gte: value } };
  }
  return typeof value === 'number' ? hasValue(layout, field) : NONE;
}

function isBelow(layout: DocumentLayout, field: string, value: string | number, isOpen: boolean): Condition | null {
  if (isText(layout, field) === (typeof value === 'string')) {
    return { [memberOf(field)]: isOpen ? { $lt: value } : { $lte: value } };
  }
  return typeof value === 'string' ? hasValue(layout, field) : NONE;
}

const hasValue = (layout: DocumentLayout, field: string): Condition => ({
  [memberOf(field)]: { $gte: isText(layout, field) ? '' : Number.NEGATIVE_INFINITY },
});

const isText = ({ fields }: DocumentLayout, field: string): boolean =>
  fields[field] === 'string' || fields[field] === 'text';
