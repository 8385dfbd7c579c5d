import { CheckpointMoved } from '../read-store.ts';
import {
  type AnyCollections,
  type CheckpointDocument,
  checkpointId,
  type Fence,
  failedWritesOf,
  fenceWrites,
  type MongoWrite,
  moveCheckpointWrite,
  openPosition,
} from './mongo-checkpoints.ts';
import type { MongoConnection } from './mongo-connection.ts';
import { isMongoDocument, type MongoChange } from './mongo-documents.ts';
import { CHECKPOINTS } from './mongo-generations.ts';
import { ReadStoreUnavailable } from './read-store-unavailable.ts';

/** Documents of a partition of a generation, and its new checkpoint; the same as `expected`: it does not move. */
export interface MongoCommitPart extends Fence {
  readonly documents: readonly MongoChange[];
  readonly checkpoint: bigint | null;
}

type Write = { readonly model: MongoWrite; readonly part: MongoCommitPart; readonly document?: MongoChange };

/** Limits of one command: most servers write that much within the timeout. */
const MAX_DOCUMENTS = 250;
const MAX_CHARACTERS = 4_000_000;
/** After a timeout the limits are halved, down to this share; after each commit that succeeds, they grow again. */
const MIN_SHARE = 1 / 64;
const SHARE_GROWTH = 1.25;

/**
 * Writes with one command, in this order, up to the first failure: fences, documents, checkpoints. So nothing is
 * written if a checkpoint had moved before, and no checkpoint moves before its documents are stored. An instance that
 * loses the projection between the fences and the end leaves documents ahead of the checkpoint, as a crash does.
 * @throws CheckpointMoved, ReadStoreUnavailable
 */
export function createMongoCommit({ client, database, request }: MongoConnection) {
  const name = database.databaseName;
  let share = 1;

  /** The indexes of the writes that failed; in ordered mode at most one. */
  async function send(writes: readonly Write[], ordered: boolean): Promise<ReadonlySet<number>> {
    try {
      await request(() =>
        client.bulkWrite<AnyCollections>(
          writes.map(({ model }) => model),
          { ordered },
        ),
      );
      return new Set();
    } catch (error) {
      const failedIndex = failedWritesOf(error);
      if (!failedIndex) throw error;
      return failedIndex;
    }
  }

  const change = (part: MongoCommitPart, document: MongoChange, upsert = true): Write => {
    const { _id, ...rest } = document;
    const namespace = `${name}.${part.generation.collection}`;
    const filter = { _id, p: { $lte: document.p } };
    if (!isMongoDocument(document)) return { part, document, model: { namespace, name: 'deleteOne', filter } };
    return { part, document, model: { namespace, name: 'replaceOne', filter, replacement: rest, upsert } };
  };

  const fences = (parts: Iterable<MongoCommitPart>): Write[] =>
    [...parts].flatMap((part) => fenceWrites(name, part).map((model) => ({ model, part })));

  async function commit(parts: readonly MongoCommitPart[]): Promise<void> {
    const moves = parts.flatMap((part): Write[] =>
      part.checkpoint === null || part.checkpoint === part.expected
        ? []
        : [{ part, model: moveCheckpointWrite(name, part, part.checkpoint) }],
    );
    const documents = parts.flatMap((part) => part.documents.map((document) => change(part, document)));
    const batches = batchesOf(documents, share);
    try {
      for (const [index, batch] of batches.entries()) {
        await commitBatch([...fences(parts), ...batch, ...(index === batches.length - 1 ? moves : [])]);
      }
      share = Math.min(1, share * SHARE_GROWTH);
    } catch (error) {
      // The next attempt sends less at a time: a server that stays slow would never finish the whole commit.
      if (error instanceof ReadStoreUnavailable) share = Math.max(MIN_SHARE, share / 2);
      throw error;
    }
  }

  async function commitBatch(writes: readonly Write[]): Promise<void> {
    const [failedIndex] = await send(writes, true);
    if (failedIndex === undefined) return;
    const { part, document } = writes[failedIndex]!;
    if (!document) throw await checkpointMovedError(part);
    await commitGuarded(writes.slice(failedIndex));
  }

  /**
   * Writes the rest after a document failed: the store has the document at a later position, or another process wrote
   * it at the same moment, so that the upsert had to insert and could not. The second attempt without upsert finds the
   * document, and leaves a later one as it is.
   */
  async function commitGuarded(writes: readonly Write[]): Promise<void> {
    const documents = writes.filter(({ document }) => document !== undefined);
    const failedIndex = await send(documents, false);
    const retried = [...failedIndex].map((index) => change(documents[index]!.part, documents[index]!.document!, false));
    const rest = [...retried, ...writes.filter(({ document }) => document === undefined)];
    const [lostIndex] = rest.length > 0 ? await send(rest, true) : [];
    if (lostIndex !== undefined) throw await checkpointMovedError(rest[lostIndex]!.part);
  }

  async function checkpointMovedError({ generation, partition, expected }: MongoCommitPart): Promise<CheckpointMoved> {
    const checkpoints = database.collection<CheckpointDocument>(CHECKPOINTS);
    const found = await request(() => checkpoints.findOne({ _id: checkpointId(generation, partition) }));
    const { projection, name: generationName } = generation;
    return new CheckpointMoved(
      { projection, generation: generationName, partition },
      expected,
      found ? openPosition(found) : null,
    );
  }

  return commit;
}

/**
 * At least one batch.
 * @param share share of the limits of a command
 */
function batchesOf(writes: readonly Write[], share: number): Write[][] {
  const limits = { documents: Math.ceil(MAX_DOCUMENTS * share), characters: MAX_CHARACTERS * share };
  const batches: Write[][] = [[]];
  let characters = 0;
  for (const write of writes) {
    const size = isMongoDocument(write.document!) ? write.document.b.length : 0;
    characters += size;
    if (batches.at(-1)!.length >= limits.documents || (characters > limits.characters && batches.at(-1)!.length > 0)) {
      batches.push([]);
      characters = size;
    }
    batches.at(-1)!.push(write);
  }
  return batches;
}
