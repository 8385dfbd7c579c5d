import type { LogRecord, NewRecord, RecordMeta } from '../../domain/event-sourcing/record.ts';
import { UnknownEventVersion } from '../../domain/event-sourcing/upcast.ts';
import { plainStream } from '../../domain/identities/stream-replacements.ts';
import { PARTITIONS_BY_STREAM } from '../../domain/streams/domain-events.ts';
import {
  pricesChanged,
  pricesOfVenues,
  pricesReconfirmed,
  pricesReconfirmedOfVenues,
  pricesReconfirmedWithDepth,
  pricesWithDecimals,
  pricesWithDepth,
} from './odds-forms.ts';
import { isPlainObject, type PositionalCodec } from './positional-codec.ts';

/** The content of a record as three columns of a table row. */
export interface EncodedContent {
  /** The version of `data`. A compact record adds 1000 times the number of its form. */
  readonly version: number;
  /** JSON text. */
  readonly data: string;
  /** JSON text. */
  readonly meta: string;
}

/** Stands in the column `meta` of a compact record. No record has this JSON as its own `meta`. */
const COMPACT_META = '0';
/**
 * Larger than any version of a domain event. An older server that does not know compact forms meets an unknown version,
 * reports it and stops, as it should.
 */
const FORM_STEP = 1000;
/** The form that leaves out only `meta`; `data` is stored as JSON. */
const JSON_DATA_FORM = 1;

/** Encodes the whole record as JSON. @throws TypeError when the record is not JSON */
export function encodeAsJson({ type, version, data: value, meta: facts }: NewRecord): EncodedContent {
  const data = JSON.stringify(value);
  const meta = JSON.stringify(facts);
  if (data === undefined || typeof facts !== 'object') throw new TypeError(`${type}: its data or meta is not JSON`);
  return { version, data, meta };
}

/**
 * Encodes a record in its compact form if that is exact: without the partition, which follows from the stream's name,
 * and without the names of members. Otherwise encodes the record as JSON.
 * @throws TypeError when the record is not JSON
 */
export function encodeCompact(stream: string, record: NewRecord): EncodedContent {
  const { type, version } = record;
  const facts = factsOfStreamName(stream);
  if (version >= FORM_STEP || !isImpliedByStream(facts, record.meta)) return encodeAsJson(record);
  const { id } = facts;
  if (id !== undefined) {
    for (const form of writtenFormsOf(type, version)) {
      const values: unknown[] = [];
      if (form.codec.encode(record.data, { values, id })) {
        return { version: version + FORM_STEP * form.number, data: JSON.stringify(values), meta: COMPACT_META };
      }
    }
  }
  return { ...encodeAsJson(record), version: version + FORM_STEP * JSON_DATA_FORM, meta: COMPACT_META };
}

/** The version of the record's data, from the version column of its row. */
export const dataVersionOf = (stored: number): number => stored % FORM_STEP;

/** The number of the form of a row of this version; 0: it is not compact. */
export const formOfRow = (stored: number): number => Math.floor(stored / FORM_STEP);

/** Whether a row of this version is compact. */
export const isCompact = (stored: number): boolean => formOfRow(stored) > 0;

/** The newest version of the row of a record that has a form of its own; undefined: this type and version have none. */
export function formedVersionOf(type: string, version: number): number | undefined {
  const [form] = writtenFormsOf(type, version);
  return form && version + FORM_STEP * form.number;
}

type Stored = EncodedContent & Pick<LogRecord, 'stream' | 'type'>;

/** @throws UnknownEventVersion when the record has a form that this code does not know */
export function decodeContent(stored: Stored): Pick<NewRecord, 'version' | 'data' | 'meta'> {
  const { stream, type } = stored;
  if (stored.meta !== COMPACT_META) {
    return { version: stored.version, data: JSON.parse(stored.data), meta: decodeMeta(stored.meta) };
  }
  // A compact record is written only if `id` and `meta` follow from the stream's name.
  const { id, meta } = factsOfStreamName(stream) as { readonly id: number; readonly meta: RecordMeta };
  const version = dataVersionOf(stored.version);
  const number = formOfRow(stored.version);
  const form = number === JSON_DATA_FORM ? undefined : formOf(type, version, number);
  if (number !== JSON_DATA_FORM && !form) throw new UnknownEventVersion({ ...stored, meta }, version);
  const values = JSON.parse(stored.data);
  const data = form ? form.decode({ values, id, at: 0 }) : values;
  return { version, data, meta };
}

function isImpliedByStream({ meta: derived }: StreamNameFacts, meta: RecordMeta): boolean {
  if (derived === undefined || !isPlainObject(meta) || meta.partition !== derived.partition) return false;
  for (const name in meta) if (name !== 'partition') return false;
  return true;
}

/** Neighbouring records often have the same partition, so decoded metas are cached. */
const MAX_CACHED_METAS = 4096;
const metaCache = new Map<string, RecordMeta>();

/** Records with the same text share the object, so the object is frozen. */
function decodeMeta(text: string): RecordMeta {
  let meta = metaCache.get(text);
  if (meta === undefined) {
    meta = Object.freeze(JSON.parse(text) as RecordMeta);
    if (metaCache.size >= MAX_CACHED_METAS) metaCache.clear();
    metaCache.set(text, meta);
  }
  return meta;
}

/**
 * The compact forms of domain events, by type, version and number of the form. Each record stores that number, so a
 * form must never be removed. The numbers that are missing here were used between two versions: nobody has such records.
 */
const COMPACT_FORMS: Readonly<Record<string, Readonly<Record<number, Readonly<Record<number, PositionalCodec>>>>>> = {
  PricesChanged: { 1: { 2: pricesChanged, 3: pricesWithDecimals, 4: pricesWithDepth, 6: pricesOfVenues } },
  PricesReconfirmed: { 1: { 2: pricesReconfirmed, 3: pricesReconfirmedWithDepth, 5: pricesReconfirmedOfVenues } },
};

/**
 * The forms in which new records are written: in the first of these that can encode one. An earlier server reads what is
 * not in a form newer than its own.
 */
const WRITTEN_FORMS: Readonly<Record<string, Readonly<Record<number, readonly number[]>>>> = {
  PricesChanged: { 1: [6, 4] },
  PricesReconfirmed: { 1: [5, 3] },
};

/** The newest form that this code reads, by type of record; other types have none of their own. */
export const NEWEST_FORMS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(COMPACT_FORMS).map(([type, versions]) => [
    type,
    Math.max(...Object.values(versions).flatMap((forms) => Object.keys(forms).map(Number))),
  ]),
);

interface CompactForm {
  readonly number: number;
  readonly codec: PositionalCodec;
}

const writtenForms = new Map(
  Object.entries(WRITTEN_FORMS).flatMap(([type, versions]) =>
    Object.entries(versions).map(([version, numbers]): [string, readonly CompactForm[]] => [
      `${type} ${version}`,
      numbers.map((number) => ({ number, codec: COMPACT_FORMS[type]![Number(version)]![number]! })),
    ]),
  ),
);

/** The forms in which records of this type and version are written; none if they have none. */
const writtenFormsOf = (type: string, version: number): readonly CompactForm[] =>
  writtenForms.get(`${type} ${version}`) ?? [];

/** Undefined if this code does not know the form. */
const formOf = (type: string, version: number, number: number): PositionalCodec | undefined =>
  COMPACT_FORMS[type]?.[version]?.[number];

/**
 * The kind of partition for each kind of stream, if both have the same id: stream `odds-12` belongs to partition
 * `event-12`. A kind of stream that is not listed stores the partition in each record.
 * Never change an entry, nor the partition of a stream's definition: records that were written without their partition depend on it.
 */
const PARTITION_KIND_BY_STREAM_KIND: ReadonlyMap<string, string> = new Map<string, string>([
  ...PARTITIONS_BY_STREAM,
  ['account', 'account'],
  ['calls', 'account'],
]);

/** What follows from a stream's name for its records. */
interface StreamNameFacts {
  /** Undefined if no partition follows from the name. All records of the stream share the object, so it is frozen. */
  readonly meta: RecordMeta | undefined;
  /**
   * The number at the end of the name; undefined if the name ends in no number, or in one that is not in its shortest
   * spelling.
   */
  readonly id: number | undefined;
}

/** An entry takes about 300 bytes. Thousands of streams may alternate in the order of the log. */
const MAX_CACHED_STREAM_NAMES = 16_384;
const streamNameCache = new Map<string, StreamNameFacts>();

function factsOfStreamName(stream: string): StreamNameFacts {
  let facts = streamNameCache.get(stream);
  if (facts === undefined) {
    facts = parseStreamName(stream);
    if (streamNameCache.size >= MAX_CACHED_STREAM_NAMES) streamNameCache.clear();
    streamNameCache.set(stream, facts);
  }
  return facts;
}

function parseStreamName(stream: string): StreamNameFacts {
  const end = stream.indexOf('-');
  const kind = PARTITION_KIND_BY_STREAM_KIND.get(stream.slice(0, end));
  // Of `odds-5~812` as of `odds-5`.
  const plain = plainStream(stream);
  const text = plain.slice(end + 1);
  const id = Number(text);
  return {
    meta: kind === undefined ? undefined : Object.freeze({ partition: kind + plain.slice(end) }),
    id: Number.isSafeInteger(id) && String(id) === text ? id : undefined,
  };
}
