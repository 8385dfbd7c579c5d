import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { DocumentReader, StoredDocument } from './document-reader.ts';

export type { Derivation, DocumentKeys, DocumentReader, Query, StoredDocument } from './document-reader.ts';

export interface DocumentWrite {
  readonly key: string;
  readonly document: unknown;
  readonly position: bigint;
  /** The store holds none of this key, as far as the writer knows: may spare the store to look. Default: false. */
  readonly isNew?: boolean;
}

export interface ProjectionCommit {
  readonly projection: string;
  readonly generation: string;
  readonly partition: string;
  readonly writes: readonly DocumentWrite[];
  /** Where the partition's checkpoint must stand now; null: at the very start. */
  readonly expected: bigint | null;
  /** Where it stands then; as expected: it stays. */
  readonly checkpoint: bigint | null;
}

/** A build, and where the checkpoint of a partition stands in it; null: at the very start. */
export interface GenerationCheckpoint {
  readonly generation: string;
  readonly partition: string;
  readonly checkpoint: bigint | null;
}

/** Another instance has moved the checkpoint: this one has lost the partition of the build, and must stop. */
export class CheckpointMoved extends Error {
  readonly code = 'checkpoint_moved';
  readonly projection: string;
  readonly generation: string;
  readonly partition: string;
  constructor(
    { projection, generation, partition }: Pick<ProjectionCommit, 'projection' | 'generation' | 'partition'>,
    expected: bigint | null,
    actual: bigint | null,
  ) {
    super(`projection ${projection}: expected its checkpoint at ${expected}, but it stands at ${actual}`);
    this.name = 'CheckpointMoved';
    this.projection = projection;
    this.generation = generation;
    this.partition = partition;
  }
}

/** There is no such build: another instance has replaced it, and has the projection. Repeating does not help. */
export class GenerationNotFound extends Error {
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
  readonly key: string;
  constructor(projection: string, key: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`projection ${projection}: document ${key} cannot be stored: ${reason}`, { cause });
    this.name = 'DocumentRejected';
    this.projection = projection;
    this.key = key;
  }
}

/**
 * Read models. A projection's documents live in a *build*, named `v{version}` or `v{version}.{n}`: reads go to the
 * active build, while a rebuild or a new version fills another one beside it. The log comes in partitions, and a document
 * is fed by one of them; each has a checkpoint of its own in a build, so that several processes can fill it.
 */
export interface ReadStore extends DocumentReader {
  /** What it keeps of what was made of documents; absent where it keeps nothing. */
  readonly derivedSize?: CacheSize;
  /** Makes sure that this build exists with the projection's fields and indexes. The first build that a projection
   *  ever gets becomes active at once. Rejects when the build exists with other fields or indexes. */
  prepare(projection: Projection, build: string): Promise<void>;
  activeGeneration(projection: string): Promise<string | null>;
  /** Builds that exist, active or not. */
  generations(projection: string): Promise<readonly string[]>;
  /** Documents of one build, for whoever fills it. @throws BuildGone */
  load(
    projection: string,
    build: string,
    keys: readonly string[],
  ): Promise<readonly (StoredDocument<any> | undefined)[]>;
  /** Documents and checkpoint of each of these parts together, or nothing. A store without transactions may be left with
   *  documents ahead of a checkpoint, by a crash or by another instance that takes over in that very moment. A document
   *  that is stored at a later position than the write's stays as it is. @throws CheckpointMoved, DocumentRejected */
  commit(commits: readonly ProjectionCommit[]): Promise<void>;
  /** Documents ahead of the checkpoint, which must stand at `expected` and stays there: a part of what a commit that
   *  follows completes. @throws CheckpointMoved, DocumentRejected */
  write(part: Omit<ProjectionCommit, 'checkpoint'>): Promise<void>;
  /** Null: at the very start, or there is no such build, or another one has taken over from this place of it. */
  checkpoint(projection: string, build: string, partition: string): Promise<bigint | null>;
  /** Makes this build the active one in one step. The others stay until they are dropped: who looked up the active one
   *  a moment ago may still read it. Where `over` is given, the build takes over from that one only, and only while its
   *  checkpoint stands there, which nobody moves afterwards: another instance that went on filling what is read no longer
   *  would tell of changes that nobody can read. Done already is done. @throws BuildGone, CheckpointMoved */
  activate(projection: string, build: string, over?: GenerationCheckpoint): Promise<void>;
  /** Drops a build that is not active, whatever it holds. Who fills it learns that by `CheckpointMoved`. Done already is
   *  done. */
  drop(projection: string, build: string): Promise<void>;
  /** Every document of a build in pages ordered by key (as text), for verify. @throws BuildGone */
  scan(projection: string, build: string, after: string | null, limit: number): Promise<readonly StoredDocument<any>[]>;
  close(): Promise<void>;
}
