import type { PartitionPositions } from '../../domain/event-sourcing/position.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { DocumentReader, StoredDocument } from './document-reader.ts';
import type { FoldStore } from './fold-store.ts';

export type { Derivation, DocumentKeys, DocumentReader, Query, StoredDocument } from './document-reader.ts';

export interface DocumentPut {
  readonly key: string;
  readonly document: unknown;
  readonly position: bigint;
  /** As far as the writer knows, the store has no document of this key: the store may skip a lookup. Default: false. */
  readonly isNew?: boolean;
}

/**
 * Takes a document away. The store keeps no trace of it, so an older write that comes later would bring it back. Whoever
 * deletes has stored the checkpoint of everything before `position` first.
 */
interface DocumentDeletion {
  readonly key: string;
  readonly position: bigint;
  readonly isDeletion: true;
}

export type DocumentWrite = DocumentPut | DocumentDeletion;

export const isDeletion = (write: DocumentWrite): write is DocumentDeletion => 'isDeletion' in write;

export interface ProjectionCommit {
  readonly projection: string;
  readonly generation: string;
  readonly partition: string;
  readonly writes: readonly DocumentWrite[];
  /** The present checkpoint of the partition, which the commit requires; null: at the very start. */
  readonly expected: bigint | null;
  /** The checkpoint after the commit; the same as `expected`: it does not move. */
  readonly checkpoint: bigint | null;
}

/** A generation with the checkpoint of one of its partitions; null: at the very start. */
export interface GenerationCheckpoint {
  readonly generation: string;
  readonly partition: string;
  readonly checkpoint: bigint | null;
}

/** Another instance has moved the checkpoint: this instance has lost the partition of the generation, and must stop. */
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

/**
 * There is no such generation: another instance has replaced it, and owns the projection now. A retry does not help.
 */
export class GenerationNotFound extends Error {
  readonly code = 'build_gone';
  readonly projection: string;
  constructor(projection: string, generation: string) {
    super(`projection ${projection} has no build ${generation}`);
    this.name = 'BuildGone';
    this.projection = projection;
  }
}

/** A document that cannot be stored: its fields cannot be computed, or it is not JSON. A retry does not help. */
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
 * Read models. The documents of a projection are in a *generation*, named `v{version}` or `v{version}.{n}`. Reads go to
 * the active generation, while a rebuild or a new version fills another one beside it. The log is divided into
 * partitions, and one partition feeds each document. Each partition has a checkpoint of its own in a generation, so
 * that several processes can fill it.
 */
export interface ReadStore extends DocumentReader {
  /** The memory of cached derived values; absent if nothing is cached. */
  readonly derivedSize?: CacheSize;
  /**
   * Creates this generation with the fields and indexes of the projection, unless it exists. The first generation of a
   * projection becomes active at once. Rejects if the generation exists with other fields or indexes.
   */
  prepare(projection: Projection, generation: string): Promise<void>;
  activeGeneration(projection: string): Promise<string | null>;
  /** Existing generations, active or not. */
  generations(projection: string): Promise<readonly string[]>;
  /** Documents of one generation, for the process that fills it. @throws GenerationNotFound */
  load(
    projection: string,
    generation: string,
    keys: readonly string[],
  ): Promise<readonly (StoredDocument<any> | undefined)[]>;
  /**
   * Writes the documents and the checkpoint of each part together, or nothing. In a store without transactions, a
   * crash, or an instance that takes over at that very moment, may leave documents ahead of a checkpoint. A document
   * that is stored at a later position than that of the write or deletion stays as it is. @throws CheckpointMoved, DocumentRejected
   */
  commit(commits: readonly ProjectionCommit[]): Promise<void>;
  /**
   * Writes documents ahead of the checkpoint, which must be at `expected` and stays there: a part of a later commit.
   * @throws CheckpointMoved, DocumentRejected
   */
  write(part: Omit<ProjectionCommit, 'checkpoint'>): Promise<void>;
  /** Null: at the very start, or there is no such generation, or another generation has taken over the partition. */
  checkpoint(projection: string, generation: string, partition: string): Promise<bigint | null>;
  /**
   * Makes this generation active in one step. The others stay until they are dropped: a reader that found the active
   * one a moment ago may still read it. With `over`, the generation takes over from that one only, and only while its
   * checkpoint is as given; nobody can move that checkpoint afterwards. Otherwise another instance could go on filling
   * a generation that is no longer read, and report changes that nobody can read. Repeating it is safe. @throws
   * GenerationNotFound, CheckpointMoved
   */
  activate(projection: string, generation: string, over?: GenerationCheckpoint): Promise<void>;
  /**
   * Drops a generation that is not active, with all its documents. A process that fills it then gets `CheckpointMoved`.
   * Repeating it is safe.
   */
  drop(projection: string, generation: string): Promise<void>;
  /**
   * All documents of a generation in pages ordered by key (as text), for the verification. @throws GenerationNotFound
   */
  scan(
    projection: string,
    generation: string,
    after: string | null,
    limit: number,
  ): Promise<readonly StoredDocument<any>[]>;
  close(): Promise<void>;
}

/** A read store that the processes of a cluster share. */
export interface SharedReadStore extends ReadStore {
  readonly folds: FoldStore;
  /** @throws UnavailableError */
  ping(): Promise<void>;
  /**
   * Called when a connection has broken: the server may have less data afterwards, so whoever fills generations must
   * read its checkpoints again.
   */
  onDisconnected(listener: () => void): void;
  /** Called within two seconds after another generation has become active, if the store is used meanwhile. */
  onReplaced(listener: (projection: string) => void): void;
  /**
   * The checkpoints of the active generations of these projections in these partitions. Projections without one are
   * left out.
   */
  checkpoints(
    projections: readonly string[],
    partitions: readonly string[],
  ): Promise<ReadonlyMap<string, PartitionPositions>>;
}
