import type { Projection } from './projection.ts';
import type { LogRecord } from './record.ts';

/** A document with the position of the last record applied to it. */
export interface DocumentAtPosition<Doc = any> {
  readonly document: Doc;
  readonly position: bigint;
}

/** The common rules for folding records into the documents of a projection. */
export interface DocumentFold<Doc = any> {
  /** Whether the projection folds records of this type. */
  handles(type: string): boolean;
  /** The key of the document that a record changes; undefined if none. Throws what the projection throws. */
  keyOf(record: LogRecord): string | undefined;
  /**
   * Applies a record to the document of its key; returns `before` itself if the document already reflects the record. A
   * document can be ahead of the records: a store without transactions may save a document and lose its checkpoint, or
   * the document was read while others wrote. Applying a record twice would count it twice.
   *
   * The caller must own `before` (see `cloneDocument`) and must not use it afterwards: `apply` may change it, even if
   * it throws.
   */
  applyIfNewer(before: DocumentAtPosition<Doc> | undefined, record: LogRecord): DocumentAtPosition<Doc>;
  /**
   * Applies a record to documents by key, which the caller must own. For callers that have all records of whole
   * streams, in any order: out of log order, positions do not show what a document reflects.
   * @returns the changed document; undefined if none
   */
  applyInto(documents: Map<string, Doc>, record: LogRecord): Doc | undefined;
}

export function createFold<Doc>(projection: Projection<Doc>): DocumentFold<Doc> {
  const types: ReadonlySet<string> = new Set(projection.types);
  const keyOf = (record: LogRecord) => (types.has(record.type) ? projection.key(record) : undefined);
  return {
    handles: (type) => types.has(type),
    keyOf,
    applyIfNewer(before, record) {
      if (before === undefined) return { document: projection.apply(undefined, record), position: record.position };
      if (record.position <= before.position) return before;
      return { document: projection.apply(before.document, record), position: record.position };
    },
    applyInto(documents, record) {
      const key = keyOf(record);
      if (key === undefined) return undefined;
      const document = projection.apply(documents.get(key), record);
      documents.set(key, document);
      return document;
    },
  };
}

/** A copy to fold records into, when the document belongs to a store or to other code: `apply` would change theirs. */
export const cloneDocument = <Doc>({ document, position }: DocumentAtPosition<Doc>): DocumentAtPosition<Doc> => ({
  document: structuredClone(document),
  position,
});
