import type { DocumentAtPosition } from '../../domain/event-sourcing/document-fold.ts';
import type { FieldValue } from '../../domain/event-sourcing/projection.ts';

export interface Query {
  /** Equality on declared fields; an array means "one of". On a `many` field: the array contains the value. */
  readonly where?: Readonly<Record<string, FieldValue | readonly FieldValue[]>>;
  /**
   * A range on one declared field. Both ends are inclusive, except those in `exclusive`. A bound that is null or absent
   * is open. A document without a value is in no range that has a bound.
   */
  readonly range?: {
    readonly field: string;
    readonly from?: FieldValue;
    readonly to?: FieldValue;
    readonly exclusive?: 'from' | 'to' | 'both';
  };
  /** Case-folded substring of a `text` field. The caller folds the case of both sides. */
  readonly contains?: { readonly field: string; readonly text: string };
  /**
   * The declared field to sort by; ties are sorted by the number of the key in the same direction. Default: the number
   * of the key, ascending. Values sort as null, then numbers (booleans are 0 and 1), then text by code point.
   */
  readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' };
  /**
   * Only documents after this position in the order, given by the value of the order field and the number of the key
   * (without `order`, only the number). For projections whose keys are all decimal.
   */
  readonly after?: { readonly value: FieldValue; readonly id: number };
  readonly limit: number;
}

/** A stored document and the position of the newest record that it reflects. */
export interface StoredDocument<Doc> extends DocumentAtPosition<Doc> {
  readonly key: string;
}

/** The requested documents of one projection. */
export interface DocumentKeys {
  readonly projection: string;
  readonly keys: readonly string[];
}

/** A value derived from a document, if computing it is expensive. Pure. */
export interface Derivation<Doc, Made> {
  /** Unique among the derivations of the projection. */
  readonly name: string;
  derive(document: Doc): Made;
  /** Approximate memory in bytes. */
  bytesOf(made: Made): number;
}

/**
 * Reads the active generation of each projection. Keys are strings; documents with decimal keys sort and page by that
 * number. Reads reject if the projection has no generation, or if a query names a field that the active generation does
 * not declare.
 */
export interface DocumentReader {
  get<Doc>(projection: string, key: string): Promise<StoredDocument<Doc> | undefined>;
  /** Documents in the order of `keys`; undefined for missing ones. */
  getMany<Doc>(projection: string, keys: readonly string[]): Promise<readonly (StoredDocument<Doc> | undefined)[]>;
  /**
   * `getMany` of several projections, in the order of `wanted`, with one request to the store. The answers are not of
   * one moment: a projection may be ahead of another.
   */
  getAcross(wanted: readonly DocumentKeys[]): Promise<readonly (readonly (StoredDocument<any> | undefined)[])[]>;
  /**
   * Derived values in the order of `keys`; undefined for missing documents. A value may be cached while its document
   * stays the same, so the caller must not change it.
   */
  getDerived<Doc, Made>(
    projection: string,
    keys: readonly string[],
    derivation: Derivation<Doc, Made>,
  ): Promise<readonly (Made | undefined)[]>;
  find<Doc>(projection: string, query: Query): Promise<readonly StoredDocument<Doc>[]>;
  /**
   * `find` of several queries, in their order, with one request to the store. The answers may be of different moments.
   */
  findEach<Doc>(projection: string, queries: readonly Query[]): Promise<readonly (readonly StoredDocument<Doc>[])[]>;
}
