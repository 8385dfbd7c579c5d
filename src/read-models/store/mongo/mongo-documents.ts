import type { Document } from 'mongodb';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { encodeDocument } from '../document-layout.ts';
import type { StoredDocument } from '../document-reader.ts';
import { type DocumentPut, DocumentRejected, type DocumentWrite, isDeletion } from '../read-store.ts';

/**
 * A document in the collection of its generation. Its fields are members, by which it is found. The document itself is
 * JSON text, so that its members keep their order and its numbers their digits.
 */
export interface MongoDocument extends Document {
  /** The key. */
  readonly _id: string;
  /** The number of a decimal key. */
  readonly n: number | null;
  /** The position of the newest record that it reflects. */
  readonly p: bigint;
  readonly b: string;
}

/** A document to take away; see `DocumentDeletion`. */
export type MongoDeletion = Pick<MongoDocument, '_id' | 'p'>;
/** A write of one document. */
export type MongoChange = MongoDocument | MongoDeletion;

export const isMongoDocument = (change: MongoChange): change is MongoDocument => 'b' in change;

/** The members that reads return. */
export type MongoRow = Pick<MongoDocument, '_id' | 'p' | 'b'>;
export const ROW = { p: 1, b: 1 } as const;

const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

/** The member of a declared field. */
export const memberOf = (field: string): string => `f_${field}`;

/** The newest write of each document; at the same position, the last one. @throws DocumentRejected */
export async function encodeWrites(
  projection: Projection,
  writes: readonly DocumentWrite[],
): Promise<readonly MongoChange[]> {
  const newest = new Map<string, MongoChange>();
  for (const write of writes) {
    const encoded = isDeletion(write) ? { _id: write.key, p: write.position } : encode(projection, write);
    const before = newest.get(write.key);
    if (!before || before.p <= encoded.p) newest.set(write.key, encoded);
    await yieldToEventLoop();
  }
  return [...newest.values()];
}

function encode(projection: Projection, { key, document, position }: DocumentPut): MongoDocument {
  const { id, values, body } = encodeDocument(projection, key, document);
  const bytes = Buffer.byteLength(body);
  if (bytes > MAX_DOCUMENT_BYTES) {
    throw new DocumentRejected(
      projection.name,
      key,
      new Error(`it takes ${bytes} bytes, more than ${MAX_DOCUMENT_BYTES}`),
    );
  }
  const fields = Object.keys(projection.fields).map((name, index) => [memberOf(name), values[index]] as const);
  return { _id: key, n: id, p: position, ...Object.fromEntries(fields), b: body };
}

export const storedDocumentOf = <Doc>({ _id, p, b }: MongoRow): StoredDocument<Doc> => ({
  key: _id,
  document: JSON.parse(b) as Doc,
  position: p,
});

export async function storedDocumentsOf<Doc>(rows: readonly MongoRow[]): Promise<StoredDocument<Doc>[]> {
  const found: StoredDocument<Doc>[] = [];
  for (const row of rows) {
    found.push(storedDocumentOf<Doc>(row));
    await yieldToEventLoop();
  }
  return found;
}

/** Documents in the order of `keys`; undefined for missing ones. */
export async function storedInOrder<Doc>(
  keys: readonly string[],
  rows: readonly MongoRow[],
): Promise<(StoredDocument<Doc> | undefined)[]> {
  const byKey = new Map(rows.map((row) => [row._id, row]));
  const found: (StoredDocument<Doc> | undefined)[] = [];
  for (const key of keys) {
    const row = byKey.get(key);
    found.push(row && storedDocumentOf<Doc>(row));
    await yieldToEventLoop();
  }
  return found;
}
