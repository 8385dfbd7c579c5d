import type { FieldValue, Projection } from '../domain/projection.ts';

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
export interface Stored<Doc> {
  readonly key: string;
  readonly document: Doc;
  readonly position: bigint;
}

export interface DocumentWrite {
  readonly key: string;
  readonly document: unknown;
  readonly position: bigint;
  /** The store holds none of this key, as far as the writer knows: may spare the store to look. Default: false. */
  readonly isNew?: boolean;
}

export interface ProjectionCommit {
  readonly projection: string;
  readonly build: string;
  readonly writes: readonly DocumentWrite[];
  /** Where the checkpoint must stand now; null: at the very start. */
  readonly expected: bigint | null;
  readonly checkpoint: bigint;
}

/** A build, and where its checkpoint stands; null: at the very start. */
export interface BuildPlace {
  readonly build: string;
  readonly checkpoint: bigint | null;
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

/** There is no such build: another instance has replaced it, and has the projection. Repeating does not help. */
export class BuildGone extends Error {
  readonly code = 'build_gone';
  readonly projection: string;
  constructor(projection: string, build: string) {
    super(`projection ${projection} has no build ${build}`);
    this.name = 'BuildGone';
    this.projection = projection;
  }
}

/** A document that cannot be stored: its fields cannot be computed, or it is not JSON. Repeating does not help. */
export class DocumentRejected extends Error {
  readonly code = 'document_rejected';
  readonly projection: string;
  constructor(projection: string, key: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`projection ${projection}: document ${key} cannot be stored: ${reason}`, { cause });
    this.name = 'DocumentRejected';
    this.projection = projection;
  }
}

/**
 * Read models. A projection's documents live in a *build*, named `v{version}` or `v{version}.{n}`: reads go to the
 * active build, while a rebuild or a new version fills another one beside it.
 * Keys are strings; documents with decimal keys sort and page by that number.
 * Reads reject when the projection has no build, and when a query names a field that the active build does not declare.
 */
export interface ReadStore {
  /** Makes sure that this build exists with the projection's fields and indexes. The first build that a projection
   *  ever gets becomes active at once. Rejects when the build exists with other fields or indexes. */
  prepare(projection: Projection, build: string): Promise<void>;
  activeBuild(projection: string): Promise<string | null>;
  /** Builds that exist, active or not. */
  builds(projection: string): Promise<readonly string[]>;
  /** From the active build. */
  get<Doc>(projection: string, key: string): Promise<Stored<Doc> | undefined>;
  /** From the active build, in the order of `keys`; undefined for what is not there. */
  getMany<Doc>(projection: string, keys: readonly string[]): Promise<readonly (Stored<Doc> | undefined)[]>;
  /** From the active build. */
  find<Doc>(projection: string, query: Query): Promise<readonly Stored<Doc>[]>;
  /** Documents of one build, for whoever fills it. @throws BuildGone */
  load(projection: string, build: string, keys: readonly string[]): Promise<readonly (Stored<any> | undefined)[]>;
  /** Documents and checkpoints of all these builds together, or nothing. A document that is stored at a later position
   *  than the write's stays as it is. @throws CheckpointMoved, DocumentRejected */
  commit(commits: readonly ProjectionCommit[]): Promise<void>;
  /** Documents ahead of the checkpoint, which must stand at `expected` and stays there: a part of what a commit that
   *  follows completes. @throws CheckpointMoved, DocumentRejected */
  write(part: Omit<ProjectionCommit, 'checkpoint'>): Promise<void>;
  checkpoint(projection: string, build: string): Promise<bigint | null>;
  /** Makes this build the active one in one step, and drops the others. Where `over` is given, it takes over from that
   *  build only, and only while its checkpoint stands there. Done already is done. @throws BuildGone, CheckpointMoved */
  activate(projection: string, build: string, over?: BuildPlace): Promise<void>;
  /** Drops a build that is not active, whatever it holds. */
  drop(projection: string, build: string): Promise<void>;
  /** Every document of a build in pages ordered by key (as text), for verify. */
  scan(projection: string, build: string, after: string | null, limit: number): Promise<readonly Stored<any>[]>;
  close(): Promise<void>;
}
