import type { DocumentChange, DocumentChanges } from '../../read-models/projector/document-changes.ts';

/** A change on its way. Without a document, which was too large: the read model has it. */
interface PublishedChange extends Omit<DocumentChange, 'document'> {
  readonly document?: unknown;
}

export interface PublishedChanges extends Omit<DocumentChanges, 'changes'> {
  readonly changes: readonly PublishedChange[];
}

/** Bytes of JSON in one message; a document that is longer stays at home. */
const MOST_BYTES = 400 * 1024;

/** As values of messages, in order. What is lent is written down before this returns. */
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
    const begun = `{"key":${JSON.stringify(key)},"position":"${position}"`;
    const whole = `${begun},"document":${JSON.stringify(document)}}`;
    const text = Buffer.byteLength(whole) > MOST_BYTES ? `${begun}}` : whole;
    const own = Buffer.byteLength(text);
    if (bytes + own > MOST_BYTES) end();
    part.push(text);
    bytes += own;
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
