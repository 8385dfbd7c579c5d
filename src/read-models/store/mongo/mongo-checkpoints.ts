import { type ClientBulkWriteModel, type Document, MongoClientBulkWriteError } from 'mongodb';
import { CHECKPOINTS, existsFilter, type MongoGeneration, PROJECTIONS } from './mongo-generations.ts';

/** The checkpoint of a partition in a build. It is there from the first commit on. */
export interface CheckpointDocument {
  readonly _id: string;
  /** The build's collection. */
  readonly build: string;
  readonly partition: string;
  /** Null: at the very start. `CLOSED`: nothing moves it any more. */
  readonly at: bigint | null;
}

/** No position is below 0, so that none is ever expected there. */
const CLOSED = -1n;

/** Null: at the very start, or closed. */
export const openPosition = ({ at }: Pick<CheckpointDocument, 'at'>): bigint | null => (at === CLOSED ? null : at);

/** Any collection's documents: all have a text for their id. */
export type AnyCollections = { readonly [namespace: string]: Document & { readonly _id: string } };
/** One of a list of writes, to any collection. */
export type MongoWrite = ClientBulkWriteModel<AnyCollections>;

export const checkpointId = ({ collection }: Pick<MongoGeneration, 'collection'>, partition: string): string =>
  `${collection}/${partition}`;

/**
 * Makes an update that finds nothing an error, which ends an ordered list of writes: without it the writes that follow
 * would be done. An upsert has to insert what it does not find, and `_id` cannot be another than the one that is asked for.
 */
export const FAIL_WHERE_MISSING = { $setOnInsert: { _id: '' } } as const;
/** What the server says then (ImmutableField), and where something is there that must not be. */
const IMMUTABLE_FIELD = 66;
const DUPLICATE_KEY = 11_000;

export interface Fence {
  readonly generation: MongoGeneration;
  readonly partition: string;
  readonly expected: bigint | null;
}

/** Writes that change nothing, and fail where the checkpoint does not stand at `expected`, or the build is gone. */
export function fenceWrites(database: string, { generation, partition, expected }: Fence): MongoWrite[] {
  const checkpoints = { namespace: `${database}.${CHECKPOINTS}`, name: 'updateOne', upsert: true } as const;
  const _id = checkpointId(generation, partition);
  if (expected !== null) return [{ ...checkpoints, filter: { _id, at: expected }, update: FAIL_WHERE_MISSING }];
  const begun = { $setOnInsert: { build: generation.collection, partition } };
  return [
    {
      ...{ namespace: `${database}.${PROJECTIONS}`, name: 'updateOne', upsert: true },
      filter: { _id: generation.projection, builds: existsFilter(generation) },
      update: FAIL_WHERE_MISSING,
    },
    { ...checkpoints, filter: { _id, at: null }, update: begun },
  ];
}

/** Moves a checkpoint that stands at `expected`, and fails where it does not. */
export const moveCheckpointWrite = (
  database: string,
  { generation, partition, expected }: Fence,
  checkpoint: bigint,
): MongoWrite => ({
  ...{ namespace: `${database}.${CHECKPOINTS}`, name: 'updateOne', upsert: true },
  filter: { _id: checkpointId(generation, partition), at: expected },
  update: { $set: { at: checkpoint }, ...FAIL_WHERE_MISSING },
});

/** From now on nothing moves this one, wherever it stands. */
export const closeCheckpointWrite = (
  database: string,
  { generation, partition }: Omit<Fence, 'expected'>,
): MongoWrite => ({
  ...{ namespace: `${database}.${CHECKPOINTS}`, name: 'updateOne', upsert: true },
  filter: { _id: checkpointId(generation, partition) },
  update: { $set: { at: CLOSED }, $setOnInsert: { build: generation.collection, partition } },
});

/**
 * Of a list of writes the places of those that failed as they had to. Undefined where more went wrong than that.
 * @param error what `ask` has made of the driver's
 */
export function failedWritesOf(error: unknown): ReadonlySet<number> | undefined {
  const told = (error as { readonly cause?: unknown }).cause;
  if (!(told instanceof MongoClientBulkWriteError) || told.cause || told.writeConcernErrors.length > 0)
    return undefined;
  const isOurs = [...told.writeErrors.values()].every(({ code }) => code === IMMUTABLE_FIELD || code === DUPLICATE_KEY);
  return told.writeErrors.size > 0 && isOurs ? new Set(told.writeErrors.keys()) : undefined;
}
