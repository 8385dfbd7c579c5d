import type { FieldValue, Projection } from '../domain/projection.ts';

export interface Query {
  /** Equality on declared fields; an array means "one of". On a `many` field: the array contains the value. */
  readonly where?: Readonly<Record<string, FieldValue | readonly FieldValue[]>>;
  /** A range on one declared field, both ends inclusive unless `exclusive`. */
  readonly range?: { readonly field: string; readonly from?: FieldValue; readonly to?: FieldValue };
  /** Case-folded substring on a `text` field; the caller folds both sides alike. */
  readonly contains?: { readonly field: string; readonly text: string };
  /** Declared field to sort by, ties by `id` in the same direction. */
  readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' };
  /** Only documents after this place in the order: the values of the order field and of the key's number. */
  readonly after?: { readonly value: FieldValue; readonly id: number };
  readonly limit: number;
}

/** A stored document and the position of the newest record that it reflects. */
export interface Stored<Doc> {
  readonly key: string;
  readonly document: Doc;
  readonly position: bigint;
}

export interface DocumentWrite {
  readonly key: string;
  readonly document: unknown;
  readonly position: bigint;
}

export interface ProjectionCommit {
  readonly projection: string;
  readonly version: number;
  readonly writes: readonly DocumentWrite[];
  /** Where the checkpoint must stand now; null: at the very start. */
  readonly expected: bigint | null;
  readonly checkpoint: bigint;
}

/** Another instance has moved the checkpoint: this one has lost the projection, and must stop. */
export class CheckpointMoved extends Error {
  readonly code = 'checkpoint_moved';
  readonly projection: string;
  constructor(projection: string, expected: bigint | null, actual: bigint | null) {
    super(`projection ${projection}: expected its checkpoint at ${expected}, but it stands at ${actual}`);
    this.name = 'CheckpointMoved';
    this.projection = projection;
  }
}

/**
 * Read models. Each projection has one active version that reads go to, and perhaps one being built beside it.
 * Keys of documents are strings; a key that is a decimal number sorts as that number.
 */
export interface ReadStore {
  /** Makes sure that a place for this version exists, and tells whether it is the active one. The first version of
   *  a projection ever prepared becomes active at once. */
  prepare(projection: Projection): Promise<{ readonly active: boolean; readonly checkpoint: bigint | null }>;
  get<Doc>(projection: string, key: string): Promise<Stored<Doc> | undefined>;
  /** In the order of `keys`; undefined for what is not there. */
  getMany<Doc>(projection: string, keys: readonly string[]): Promise<readonly (Stored<Doc> | undefined)[]>;
  find<Doc>(projection: string, query: Query): Promise<readonly Stored<Doc>[]>;
  /** Documents of one version, for the runner; `get` reads the active one. */
  load(projection: string, version: number, keys: readonly string[]): Promise<readonly (Stored<any> | undefined)[]>;
  /** Documents and checkpoints of all these projections together, or nothing. @throws CheckpointMoved */
  commit(commits: readonly ProjectionCommit[]): Promise<void>;
  checkpoint(projection: string, version: number): Promise<bigint | null>;
  /** Empties what a version holds, checkpoint included. */
  clear(projection: string, version: number): Promise<void>;
  /** Makes this version the active one in one step, and drops the others. */
  activate(projection: string, version: number): Promise<void>;
  /** Every document of a version in pages ordered by key, for verify. */
  scan(projection: string, version: number, after: string | null, limit: number): Promise<readonly Stored<any>[]>;
  close(): Promise<void>;
}
