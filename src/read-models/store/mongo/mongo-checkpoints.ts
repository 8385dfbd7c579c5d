import { type ClientBulkWriteModel, type Document, MongoClientBulkWriteError } from 'mongodb';
import { CHECKPOINTS, existsFilter, type MongoGeneration, PROJECTIONS } from './mongo-generations.ts';

/** The checkpoint of a partition in a generation. It exists from the first commit on. */
export interface CheckpointDocument {
  readonly _id: string;
  /** The collection of the generation. */
  readonly build: string;
  readonly partition: string;
  /** Null: at the very start. `CLOSED`: nothing can move it any more. */
  readonly at: bigint | null;
}

/** No position is below 0, so that this value is never expected. */
const CLOSED = -1n;

/** Null: at the very start, or closed. */
export const openPosition = ({ at }: Pick<CheckpointDocument, 'at'>): bigint | null => (at === CLOSED ? null : at);

/** Documents of any collection: each has a text as its id. */
export type AnyCollections = { readonly [namespace: string]: Document & { readonly _id: string } };
/** A write to any collection, in a list of writes. */
export type MongoWrite = ClientBulkWriteModel<AnyCollections>;

export const checkpointId = ({ collection }: Pick<MongoGeneration, 'collection'>, partition: string): string =>
  `${collection}/${partition}`;

/**
 * Makes an update that finds nothing fail, which stops an ordered list of writes: without it the following writes would
 * be done. An upsert inserts a missing document, and its `_id` must be the one in the filter.
 */
export const FAIL_WHERE_MISSING = { $setOnInsert: { _id: '' } } as const;
/** The server's error code then (ImmutableField), and the code if a document exists that must not. */
const IMMUTABLE_FIELD = 66;
const DUPLICATE_KEY = 11_000;

export interface Fence {
  readonly generation: MongoGeneration;
  readonly partition: string;
  readonly expected: bigint | null;
}

/** Writes that change nothing, and fail if the checkpoint is not at `expected` or the generation is gone. */
export function fenceWrites(database: string, { generation, partition, expected }: Fence): MongoWrite[] {
  const checkpoints = { namespace: `${database}.${CHECKPOINTS}`, name: 'updateOne', upsert: true } as const;
  const _id = checkpointId(generation, partition);
  if (expected !== null) return [{ ...checkpoints, filter: { _id, at: expected }, update: FAIL_WHERE_MISSING }];
  const inserted = { $setOnInsert: { build: generation.collection, partition } };
  return [
    {
      ...{ namespace: `${database}.${PROJECTIONS}`, name: 'updateOne', upsert: true },
      filter: { _id: generation.projection, builds: existsFilter(generation) },
      update: FAIL_WHERE_MISSING,
    },
    { ...checkpoints, filter: { _id, at: null }, update: inserted },
  ];
}

/** Moves a checkpoint that is at `expected`; fails otherwise. */
export const moveCheckpointWrite = (
  database: string,
  { generation, partition, expected }: Fence,
  checkpoint: bigint,
): MongoWrite => ({
  ...{ namespace: `${database}.${CHECKPOINTS}`, name: 'updateOne', upsert: true },
  filter: { _id: checkpointId(generation, partition), at: expected },
  update: { $set: { at: checkpoint }, ...FAIL_WHERE_MISSING },
});

/** From now on nothing can move this checkpoint, wherever it is. */
export const closeCheckpointWrite = (
  database: string,
  { generation, partition }: Omit<Fence, 'expected'>,
): MongoWrite => ({
  ...{ namespace: `${database}.${CHECKPOINTS}`, name: 'updateOne', upsert: true },
  filter: { _id: checkpointId(generation, partition) },
  update: { $set: { at: CLOSED }, $setOnInsert: { build: generation.collection, partition } },
});

/**
 * The indexes of the writes that failed as intended. Undefined if anything else went wrong.
 * @param error the error of `request`
 */
export function failedWritesOf(error: unknown): ReadonlySet<number> | undefined {
  const bulkError = (error as { readonly cause?: unknown }).cause;
  if (!(bulkError instanceof MongoClientBulkWriteError) || bulkError.cause || bulkError.writeConcernErrors.length > 0)
    return undefined;
  const isOurs = [...bulkError.writeErrors.values()].every(
    ({ code }) => code === IMMUTABLE_FIELD || code === DUPLICATE_KEY,
  );
  return bulkError.writeErrors.size > 0 && isOurs ? new Set(bulkError.writeErrors.keys()) : undefined;
}
