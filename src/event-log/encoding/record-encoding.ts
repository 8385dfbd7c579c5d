import type { LogRecord, NewRecord, RecordMeta } from '../../domain/event-sourcing/record.ts';
import { UnknownEventVersion } from '../../domain/event-sourcing/upcast.ts';
import { pricesChanged, pricesReconfirmed, pricesWithDecimals } from './odds-forms.ts';
import { isPlainObject, type PositionalCodec } from './positional-codec.ts';

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
const COMPACT_META = '0';
/** Beyond all versions of domain events. A server of before the lean forms meets versions that it does not know then,
 *  says so and stops, as it should. */
const FORM_STEP = 1000;
/** The form in which only `meta` is left out; `data` is as it is in a record that is not lean. */
const JSON_DATA_FORM = 1;

/** A record as it lies in a table: all of it as JSON. @throws TypeError when it is not JSON */
export function encodeAsJson({ type, version, data: value, meta: facts }: NewRecord): EncodedContent {
  const data = JSON.stringify(value);
  const meta = JSON.stringify(facts);
  if (data === undefined || typeof facts !== 'object') throw new TypeError(`${type}: its data or meta is not JSON`);
  return { version, data, meta };
}

/**
 * The same, leaner where that is exact: without the partition, which follows from the stream's name, and without the
 * names of members. @throws TypeError when it is not JSON
 */
export function encodeCompact(stream: string, record: NewRecord): EncodedContent {
  const { type, version } = record;
  const facts = factsOfStreamName(stream);
  if (version >= FORM_STEP || !isImpliedByStream(facts, record.meta)) return encodeAsJson(record);
  const form = newestFormOf(type, version);
  const { id } = facts;
  if (form && id !== undefined) {
    const values: unknown[] = [];
    if (form.codec.encode(record.data, { values, id })) {
      return { version: version + FORM_STEP * form.number, data: JSON.stringify(values), meta: COMPACT_META };
    }
  }
  return { ...encodeAsJson(record), version: version + FORM_STEP * JSON_DATA_FORM, meta: COMPACT_META };
}

/** The version of the data of a record, of what stands in its row. */
export const dataVersionOf = (stored: number): number => stored % FORM_STEP;

type Stored = EncodedContent & Pick<LogRecord, 'stream' | 'type'>;

/** @throws UnknownEventVersion when it is in a form that this code does not know */
export function decodeContent(stored: Stored): Pick<NewRecord, 'version' | 'data' | 'meta'> {
  const { stream, type } = stored;
  if (stored.meta !== COMPACT_META) {
    return { version: stored.version, data: JSON.parse(stored.data), meta: decodeMeta(stored.meta) };
  }
  // It was written so because both follow from the stream's name.
  const { id, meta } = factsOfStreamName(stream) as { readonly id: number; readonly meta: RecordMeta };
  const version = dataVersionOf(stored.version);
  const number = Math.floor(stored.version / FORM_STEP);
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

/** Neighbours in the log mostly share their partition: what was decoded last is kept. */
const MAX_CACHED_METAS = 4096;
const metaCache = new Map<string, RecordMeta>();

/** Records with the same text share the object, so it cannot be changed. */
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
 * The lean forms of domain events, by type, version and the number of the form. That number is stored with each record,
 * so that one that has been given stays for ever; the last one of a version is the one that is written.
 */
const COMPACT_FORMS: Readonly<Record<string, Readonly<Record<number, Readonly<Record<number, PositionalCodec>>>>>> = {
  PricesChanged: { 1: { 2: pricesChanged, 3: pricesWithDecimals } },
  PricesReconfirmed: { 1: { 2: pricesReconfirmed } },
};

interface CompactForm {
  readonly number: number;
  readonly codec: PositionalCodec;
}

const newestForms = new Map(
  Object.entries(COMPACT_FORMS).flatMap(([type, versions]) =>
    Object.entries(versions).map(([version, forms]): [string, CompactForm] => {
      const number = Math.max(...Object.keys(forms).map(Number));
      return [`${type} ${version}`, { number, codec: forms[number]! }];
    }),
  ),
);

/** What records of this type and version are written in; undefined where they have no form of their own. */
const newestFormOf = (type: string, version: number): CompactForm | undefined => newestForms.get(`${type} ${version}`);

/** Undefined where this code knows no such form. */
const formOf = (type: string, version: number, number: number): PositionalCodec | undefined =>
  COMPACT_FORMS[type]?.[version]?.[number];

/**
 * The kind of partition of each kind of stream, where both have the same id: `odds-12` is of `event-12`. Records that
 * have been written without their partition depend on it, so that nothing in here may ever be changed; a kind of stream
 * that is not in here has its partition in each record.
 */
const PARTITION_KIND_BY_STREAM_KIND: ReadonlyMap<string, string> = new Map([
  ['event', 'event'],
  ['odds', 'event'],
  ['splits', 'event'],
  ['box', 'event'],
  ['lineup', 'event'],
  ['team', 'team'],
  ['injuries', 'team'],
  ['player', 'player'],
  ['season', 'season'],
  ['intelligence', 'event'],
  ['account', 'account'],
  ['calls', 'account'],
]);

/** What of its records follows from a stream's name. */
interface StreamNameFacts {
  /** Undefined where no partition follows. All records share it, so it cannot be changed. */
  readonly meta: RecordMeta | undefined;
  /** The number at the name's end; undefined where there is none that is spelt as numbers are. */
  readonly id: number | undefined;
}

/** About 300 bytes each. A log is read in the order of its records, in which thousands of streams may take turns. */
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
  const text = stream.slice(end + 1);
  const id = Number(text);
  return {
    meta: kind === undefined ? undefined : Object.freeze({ partition: kind + stream.slice(end) }),
    id: Number.isSafeInteger(id) && String(id) === text ? id : undefined,
  };
}
