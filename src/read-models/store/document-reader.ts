import type { DocumentAtPosition } from '../../domain/event-sourcing/document-fold.ts';
import type { FieldValue } from '../../domain/event-sourcing/projection.ts';

export interface Query {
  /** Equality on declared fields; an array means "one of". On a `many` field: the array contains the value. */
  readonly where?: Readonly<Record<string, FieldValue | readonly FieldValue[]>>;
  /** A range on one declared field. Both ends are inclusive, except those that `exclusive` names. A bound that is null
   *  or absent is open; a document without a value is in no range that has a bound. */
  readonly range?: {
    readonly field: string;
    readonly from?: FieldValue;
    readonly to?: FieldValue;
    readonly exclusive?: 'from' | 'to' | 'both';
  };
  /** Case-folded substring on a `text` field; the caller folds both sides alike. */
  readonly contains?: { readonly field: string; readonly text: string };
  /** Declared field to sort by, ties by the key's number in the same direction; default: the key's number, ascending.
   *  Values sort as null, then numbers (booleans are 0 and 1), then text by code point. */
  readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' };
  /** Only documents after this place in the order: the values of the order field and of the key's number (only the
   *  number counts without `order`). For projections whose keys are all decimal. */
  readonly after?: { readonly value: FieldValue; readonly id: number };
  readonly limit: number;
}

/** A stored document and the position of the newest record that it reflects. */
export interface StoredDocument<Doc> extends DocumentAtPosition<Doc> {
  readonly key: string;
}

/** Documents of one projection that are asked for. */
export interface DocumentKeys {
  readonly projection: string;
  readonly keys: readonly string[];
}

/** What is made of a document for those who read it, where making it costs something. Pure. */
export interface Derivation<Doc, Made> {
  /** Tells it from all others of its projection. */
  readonly name: string;
  of(document: Doc): Made;
  /** About how much memory it takes. */
  bytesOf(made: Made): number;
}

/**
 * Read models as those see them who answer with them: the active build of each projection. Keys are strings; documents
 * with decimal keys sort and page by that number. Reads reject when the projection has no build, and when a query names
 * a field that the active build does not declare.
 */
export interface DocumentReader {
  get<Doc>(projection: string, key: string): Promise<StoredDocument<Doc> | undefined>;
  /** In the order of `keys`; undefined for what is not there. */
  getMany<Doc>(projection: string, keys: readonly string[]): Promise<readonly (StoredDocument<Doc> | undefined)[]>;
  /** `getMany` of several projections, in the order of `wanted`, with one way to the store. They are not of one moment:
   *  a projection may be ahead of another. */
  getAcross(wanted: readonly DocumentKeys[]): Promise<readonly (readonly (StoredDocument<any> | undefined)[])[]>;
  /** What is made of documents, in the order of `keys`; undefined for what is not there. It may be kept as long as the
   *  document stays as it is, so nobody may change it. */
  getDerived<Doc, Made>(
    projection: string,
    keys: readonly string[],
    derivation: Derivation<Doc, Made>,
  ): Promise<readonly (Made | undefined)[]>;
  find<Doc>(projection: string, query: Query): Promise<readonly StoredDocument<Doc>[]>;
  /** `find` of several queries, in their order, with one way to the store. They may be of different moments. */
  findEach<Doc>(projection: string, queries: readonly Query[]): Promise<readonly (readonly StoredDocument<Doc>[])[]>;
}
