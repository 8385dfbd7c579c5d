import type { LogRecord } from './record.ts';

export type FieldValue = string | number | boolean | null;

/**
 * What of a document can be asked for. `many` fields hold an array, and a document is found under each member.
 * Values of `text` fields are compared by "contains".
 */
interface FieldSpec<Doc> {
  readonly kind: 'string' | 'number' | 'boolean' | 'text' | 'many';
  readonly of: (document: Doc) => FieldValue | readonly FieldValue[] | undefined;
}

export type TableRow = readonly [table: string, row: unknown];

/**
 * Documents beside those that records are folded into, in the same projection: each gathers a row from many of these,
 * such as all games of a season. A record does not tell which tables it concerns; the document that it changes does.
 */
interface Tables<Doc = any, Table = any> {
  /**
   * The rows of a document that the record at this position changed, and no later one has changed again; by the key of
   * the table, which no key of a record's document may be. Undefined: none. A row that was there once stays, if only to
   * say that it no longer counts. Asked for each record that is folded: it should see at once where there is nothing.
   */
  rowsOf(document: Doc, position: bigint): readonly TableRow[] | undefined;
  /** Puts the row of the document with this key in the place of its former one. May change and return the table. */
  put(table: Table | undefined, tableKey: string, key: string, row: unknown): Table;
}

/**
 * A pure fold from records to documents. A document is fed by the records of one partition (`meta.partition`) only, and
 * so is a table, so that partitions can be processed apart; a projection of which that is not true is `isUndivided`.
 * `apply` may change the document that it is given and return it.
 */
export interface Projection<Doc = any> {
  readonly name: string;
  /** A new version is built beside the old one, and takes over when it has caught up. */
  readonly version: number;
  /** The types of domain events it folds; others pass by. */
  readonly types: readonly string[];
  /** The document that this record belongs to; undefined when it concerns none. */
  key(record: LogRecord<any, any>): string | undefined;
  apply(document: Doc | undefined, record: LogRecord<any, any>): Doc;
  readonly tables?: Tables;
  /** Its tables gather rows from several partitions. The log is folded into it as a whole, in its order: two who fold
   *  partitions apart would overwrite each other's rows. */
  readonly needsWholeLog?: true;
  readonly fields: Readonly<Record<string, FieldSpec<Doc>>>;
  /** Each a list of field names, for queries by equality on the first ones and in the order of the last ones.
   *  At most one field of an index may be of kind `many`. The document's key is always the last tie-breaker. */
  readonly indexes: readonly (readonly string[])[];
  /** Each record makes a document of its own, which no other changes: none is looked up, or kept for the next. `usage`
   *  gets documents as fast as a busy server is called, and looking for each of them would find none. */
  readonly hasDocumentPerRecord?: true;
  /** Its documents may be some hundredths of a second behind the log: what comes often is then folded together.
   *  Charges come often and nobody reads their documents at once; each commit that they spare is time for calls. */
  readonly toleratesDelay?: true;
  /** The streams that feed the document of this key, for answers `as_of` a moment. Absent: no such answers. */
  readonly streams?: (key: string) => readonly string[];
}
