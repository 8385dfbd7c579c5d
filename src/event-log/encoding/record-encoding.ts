import type { LogRecord, NewRecord, RecordMeta } from '../../domain/record.ts';
import { UnknownEventVersion } from '../../domain/upcast.ts';
import { formOf, writtenForm } from './lean-forms.ts';
import { isPlainObject } from './positional.ts';
import { type StreamFacts, streamFacts } from './stream-facts.ts';

/** What of a record lies in the row of a table, in three columns. */
export interface EncodedContent {
  /** The version of `data`; of a lean record 1000 times the number of its form is added. */
  readonly version: number;
  /** JSON text. */
  readonly data: string;
  /** JSON text. */
  readonly meta: string;
}

/** In the place of `meta`: the record is lean. It is JSON that no record has for its `meta`. */
const LEAN = '0';
/** Beyond all versions of domain events. A server of before the lean forms meets versions that it does not know then,
 *  says so and stops, as it should. */
const STEP = 1000;
/** The form in which only `meta` is left out; `data` is as it is in a record that is not lean. */
const WHOLE_DATA = 1;

/** A record as it lies in a table: all of it as JSON. @throws TypeError when it is not JSON */
export function encodeWhole({ type, version, data: value, meta: facts }: NewRecord): EncodedContent {
  const data = JSON.stringify(value);
  const meta = JSON.stringify(facts);
  if (data === undefined || typeof facts !== 'object') throw new TypeError(`${type}: its data or meta is not JSON`);
  return { version, data, meta };
}

/**
 * The same, leaner where that is exact: without the partition, which follows from the stream's name, and without the
 * names of members. @throws TypeError when it is not JSON
 */
export function encodeLean(stream: string, record: NewRecord): EncodedContent {
  const { type, version } = record;
  const facts = streamFacts(stream);
  if (version >= STEP || !followsFrom(facts, record.meta)) return encodeWhole(record);
  const form = writtenForm(type, version);
  const { id } = facts;
  if (form && id !== undefined) {
    const values: unknown[] = [];
    if (form.piece.put(record.data, { values, id })) {
      return { version: version + STEP * form.number, data: JSON.stringify(values), meta: LEAN };
    }
  }
  return { ...encodeWhole(record), version: version + STEP * WHOLE_DATA, meta: LEAN };
}

/** The version of the data of a record, of what stands in its row. */
export const versionOf = (stored: number): number => stored % STEP;

type Stored = EncodedContent & Pick<LogRecord, 'stream' | 'type'>;

/** @throws UnknownEventVersion when it is in a form that this code does not know */
export function decodeContent(stored: Stored): Pick<NewRecord, 'version' | 'data' | 'meta'> {
  const { stream, type } = stored;
  if (stored.meta !== LEAN) {
    return { version: stored.version, data: JSON.parse(stored.data), meta: decodeMeta(stored.meta) };
  }
  // It was written so because both follow from the stream's name.
  const { id, meta } = streamFacts(stream) as { readonly id: number; readonly meta: RecordMeta };
  const version = versionOf(stored.version);
  const number = Math.floor(stored.version / STEP);
  const form = number === WHOLE_DATA ? undefined : formOf(type, version, number);
  if (number !== WHOLE_DATA && !form) throw new UnknownEventVersion({ ...stored, meta }, version);
  const values = JSON.parse(stored.data);
  const data = form ? form.take({ values, id, at: 0 }) : values;
  return { version, data, meta };
}

function followsFrom({ meta: derived }: StreamFacts, meta: RecordMeta): boolean {
  if (derived === undefined || !isPlainObject(meta) || meta.partition !== derived.partition) return false;
  for (const name in meta) if (name !== 'partition') return false;
  return true;
}

/** Neighbours in the log mostly share their partition: what was decoded last is kept. */
const METAS_KEPT = 4096;
const metas = new Map<string, RecordMeta>();

/** Records with the same text share the object, so it cannot be changed. */
function decodeMeta(text: string): RecordMeta {
  let meta = metas.get(text);
  if (meta === undefined) {
    meta = Object.freeze(JSON.parse(text) as RecordMeta);
    if (metas.size >= METAS_KEPT) metas.clear();
    metas.set(text, meta);
  }
  return meta;
}
