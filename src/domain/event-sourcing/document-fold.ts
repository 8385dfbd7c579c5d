import type { Projection } from './projection.ts';
import type { LogRecord } from './record.ts';

/** A document, and the position of the newest record that it reflects. */
export interface DocumentAtPosition<Doc = any> {
  readonly document: Doc;
  readonly position: bigint;
}

/** The rules by which everybody folds records into the documents of one projection. */
export interface DocumentFold<Doc = any> {
  /** Whether the projection folds records of this type. */
  handles(type: string): boolean;
  /** The key of the document that a record changes; undefined when it changes none. Throws what the projection throws. */
  keyOf(record: LogRecord): string | undefined;
  /**
   * A document with a record of its key folded in; the very same `before` where that reflects the record already. A
   * document may be ahead of the place from which records are folded: a store without transactions has kept it and lost
   * its checkpoint, or it was read while others went on. Folded twice, a record would be counted twice.
   *
   * `before` must be the caller's own (see `ownCopy`), and is used up: `apply` may change it, also where it throws.
   */
  applyIfNewer(before: DocumentAtPosition<Doc> | undefined, record: LogRecord): DocumentAtPosition<Doc>;
  /**
   * Folds a record into documents by key, which are the caller's own. For whoever has the records of whole streams, in
   * whatever order: in one that is not the log's, positions do not tell what a document reflects.
   * @returns the document that it has changed; undefined when it changes none
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

/** A document that may be folded on, of one that belongs to a store or to somebody else: `apply` would change theirs. */
export const cloneDocument = <Doc>({ document, position }: DocumentAtPosition<Doc>): DocumentAtPosition<Doc> => ({
  document: structuredClone(document),
  position,
});
