import type { Projection } from './projection.ts';
import type { LogRecord } from './record.ts';

/** A document, and the position of the newest record that it reflects. */
export interface Reflecting<Doc = any> {
  readonly document: Doc;
  readonly position: bigint;
}

/** The rules by which everybody folds records into the documents of one projection. */
export interface Fold<Doc = any> {
  /** Whether the projection folds records of this type. */
  folds(type: string): boolean;
  /** The key of the document that a record changes; undefined when it changes none. Throws what the projection throws. */
  keyOf(record: LogRecord): string | undefined;
  /**
   * A document with a record of its key folded in; the very same `before` where that reflects the record already. A
   * document may be ahead of the place from which records are folded: a store without transactions has kept it and lost
   * its checkpoint, or it was read while others went on. Folded twice, a record would be counted twice.
   *
   * `before` must be the caller's own (see `ownCopy`), and is used up: `apply` may change it, also where it throws.
   */
  onto(before: Reflecting<Doc> | undefined, record: LogRecord): Reflecting<Doc>;
  /**
   * Folds a record into documents by key, which are the caller's own. For whoever has the records of whole streams, in
   * whatever order: in one that is not the log's, positions do not tell what a document reflects.
   * @returns the document that it has changed; undefined when it changes none
   */
  into(documents: Map<string, Doc>, record: LogRecord): Doc | undefined;
}

export function foldOf<Doc>(projection: Projection<Doc>): Fold<Doc> {
  const types: ReadonlySet<string> = new Set(projection.types);
  const keyOf = (record: LogRecord) => (types.has(record.type) ? projection.key(record) : undefined);
  return {
    folds: (type) => types.has(type),
    keyOf,
    onto(before, record) {
      if (before === undefined) return { document: projection.apply(undefined, record), position: record.position };
      if (record.position <= before.position) return before;
      return { document: projection.apply(before.document, record), position: record.position };
    },
    into(documents, record) {
      const key = keyOf(record);
      if (key === undefined) return undefined;
      const document = projection.apply(documents.get(key), record);
      documents.set(key, document);
      return document;
    },
  };
}

/** A document that may be folded on, of one that belongs to a store or to somebody else: `apply` would change theirs. */
export const ownCopy = <Doc>({ document, position }: Reflecting<Doc>): Reflecting<Doc> => ({
  document: structuredClone(document),
  position,
});
