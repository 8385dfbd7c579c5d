/** A table, or columns of one, that earlier versions stored under other names. */
export interface StoredRename {
  readonly from: string;
  /** The same as `from` if only columns were renamed. */
  readonly to: string;
  /** New names of columns by their old ones. */
  readonly columns?: Readonly<Record<string, string>>;
  /** New names of indexes by their old ones. */
  readonly indexes?: Readonly<Record<string, string>>;
}
