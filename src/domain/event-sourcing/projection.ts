import type { LogRecord } from './record.ts';

export type FieldValue = string | number | boolean | null;

/**
 * A queryable field of a document. A `many` field holds an array, and the document is found by each member. A `text`
 * field matches by "contains".
 */
interface FieldSpec<Doc> {
  readonly kind: 'string' | 'number' | 'boolean' | 'text' | 'many';
  readonly of: (document: Doc) => FieldValue | readonly FieldValue[] | undefined;
}

export type TableRow = readonly [table: string, row: unknown];

/**
 * Table documents of a projection: each collects rows from many documents, such as all games of a season. The changed
 * document says which tables get a row; the record does not.
 */
interface Tables<Doc = any, Table = any> {
  /**
   * The rows that the record at this position changed, if no later record changed them again, by key of the table. A
   * table key must differ from all document keys. Undefined: no rows. A row is never removed, but may say that it no
   * longer counts. Called for every record, so it must return quickly if there are no rows.
   */
  rowsOf(document: Doc, position: bigint): readonly TableRow[] | undefined;
  /** Sets or replaces the row of this document. May change and return the table. */
  put(table: Table | undefined, tableKey: string, key: string, row: unknown): Table;
  /**
   * Takes the row of this document away, if there is one. May change and return the table; undefined: no row is left.
   * Required if the documents are of events, teams or players and `restate` is absent.
   */
  remove?(table: Table, key: string): Table | undefined;
}

/**
 * A pure fold from records to documents. All records of a document, and all rows of a table, come from one partition
 * (`meta.partition`), so that partitions can be processed separately; otherwise set `needsWholeLog`. `apply` may change
 * and return the document that it gets.
 */
export interface Projection<Doc = any> {
  readonly name: string;
  /** A new version is built beside the old one and replaces it after catching up. */
  readonly version: number;
  /** The domain event types to fold; all others are skipped. */
  readonly types: readonly string[];
  /** The key of the document that the record changes; undefined if none. */
  key(record: LogRecord<any, any>): string | undefined;
  apply(document: Doc | undefined, record: LogRecord<any, any>): Doc;
  /**
   * The document after an `EventRestated`, if it depends on what was there before. Default, also for restated teams and
   * players: their present streams are folded from their start, and nothing of the former ones stays.
   * @param before as it was until now
   * @param folded what the present streams give; undefined: no document
   */
  restate?(before: Doc | undefined, folded: Doc | undefined, restated: LogRecord<any, any>): Doc | undefined;
  readonly tables?: Tables;
  /**
   * The tables collect rows from several partitions, so the whole log is folded in order. Workers with separate
   * partitions would overwrite each other's rows.
   */
  readonly needsWholeLog?: true;
  readonly fields: Readonly<Record<string, FieldSpec<Doc>>>;
  /**
   * Each index is a list of field names: queries match the first ones by equality and sort by the last ones. At most
   * one field of an index may be of kind `many`. Ties are ordered by document key.
   */
  readonly indexes: readonly (readonly string[])[];
  /**
   * Each record creates its own document, which no other record changes, so no document is looked up or cached. For
   * `usage`, whose documents come as fast as calls do: every lookup would find nothing.
   */
  readonly hasDocumentPerRecord?: true;
  /**
   * Its documents may lag behind the log by some hundredths of a second, so that frequent records are folded in
   * batches. For charges, which are frequent and rarely read at once: every saved commit leaves time for calls.
   */
  readonly toleratesDelay?: true;
  /** Its documents hold records, which a later version of the code reads in another form: its folds are not stored. */
  readonly holdsRecords?: true;
  /** The streams that feed the document, for answers `as_of` a moment. Absent: no such answers. */
  readonly streams?: (key: string) => readonly string[];
}
