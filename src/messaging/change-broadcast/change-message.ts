import type { DocumentChange, DocumentChanges } from '../../read-models/projector/document-changes.ts';

/**
 * A change as it is sent. Without the document if that is too large, or gone; then the reader gets it from the read model.
 */
interface PublishedChange extends Omit<DocumentChange, 'document'> {
  readonly document?: unknown;
}

export interface PublishedChanges extends Omit<DocumentChanges, 'changes'> {
  readonly changes: readonly PublishedChange[];
}

/** Maximum bytes of JSON in one message. A larger document is not sent. */
const MAX_BYTES = 400 * 1024;

/** Encodes the changes as message values, in order. Copies the borrowed documents before it returns. */
export function encodeChanges({ projection, changes }: DocumentChanges): Buffer[] {
  const values: Buffer[] = [];
  let part: string[] = [];
  let bytes = 0;
  const end = () => {
    if (part.length > 0)
      values.push(Buffer.from(`{"projection":${JSON.stringify(projection)},"changes":[${part.join()}]}`));
    part = [];
    bytes = 0;
  };
  for (const { key, position, document } of changes) {
    const start = `{"key":${JSON.stringify(key)},"position":"${position}"`;
    const withDocument = document === undefined ? `${start}}` : `${start},"document":${JSON.stringify(document)}}`;
    const text = Buffer.byteLength(withDocument) > MAX_BYTES ? `${start}}` : withDocument;
    const size = Buffer.byteLength(text);
    if (bytes + size > MAX_BYTES) end();
    part.push(text);
    bytes += size;
  }
  end();
  return values;
}

export function decodeChanges(value: Buffer): PublishedChanges {
  const { projection, changes } = JSON.parse(value.toString('utf8')) as {
    projection: string;
    changes: readonly (Omit<PublishedChange, 'position'> & { readonly position: string })[];
  };
  return { projection, changes: changes.map((change) => ({ ...change, position: BigInt(change.position) })) };
}
