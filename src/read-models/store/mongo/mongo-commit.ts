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
import { type MongoConnection, SERVER_TIMEOUT_MS } from './mongo-connection.ts';
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
const MAX_WRITES = 400;
const MAX_CHARACTERS = 4_000_000;
/** After a timeout the limits are halved, down to this share; after each commit that succeeds, they grow again. */
const MIN_SHARE = 1 / 64;
const SHARE_GROWTH = 1.25;

/**
 * Writes in this order, up to the first failure: fences, documents, checkpoints. So nothing is written if a checkpoint
 * had moved before, and no checkpoint moves before its documents are stored. An instance that loses the projection
 * between the fences and the end leaves documents ahead of the checkpoint, as a crash does. One command is enough for
 * most commits. Of several each begins with the fences of its documents, and the server ends the one that nobody waits
 * for any more: else those of former attempts would slow down the next one until none is ever done.
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
          { ordered, maxTimeMS: SERVER_TIMEOUT_MS },
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

  const fencesOf = (part: MongoCommitPart): Write[] => fenceWrites(name, part).map((model) => ({ model, part }));

  const moveOf = (part: MongoCommitPart): Write[] =>
    part.checkpoint === null || part.checkpoint === part.expected
      ? []
      : [{ part, model: moveCheckpointWrite(name, part, part.checkpoint) }];

  /** The writes of each command. @param shareOfLimits share of the limits of a command */
  function* commandsOf(parts: readonly MongoCommitPart[], shareOfLimits: number): Iterable<readonly Write[]> {
    const [most, mostCharacters] = [Math.ceil(MAX_WRITES * shareOfLimits), MAX_CHARACTERS * shareOfLimits];
    const all = [
      ...parts.flatMap(fencesOf),
      ...parts.flatMap((part) => part.documents.map((document) => change(part, document))),
      ...parts.flatMap(moveOf),
    ];
    let command: Write[] = [];
    let characters = 0;
    const fenced = new Set<MongoCommitPart>();
    for (const write of all) {
      const { part, document } = write;
      const size = document && isMongoDocument(document) ? document.b.length : 0;
      const isFull = command.length >= most || characters + size > mostCharacters;
      if (isFull && command.length > 0) {
        yield command;
        [command, characters] = [[], 0];
        fenced.clear();
      }
      if (document && !fenced.has(part)) command.push(...fencesOf(part));
      fenced.add(part);
      command.push(write);
      characters += size;
    }
    yield command;
  }

  async function commit(parts: readonly MongoCommitPart[]): Promise<void> {
    try {
      for (const writes of commandsOf(parts, share)) await commitWrites(writes);
      share = Math.min(1, share * SHARE_GROWTH);
    } catch (error) {
      // The next attempt sends less at a time: a server that stays slow would never finish the whole commit.
      if (error instanceof ReadStoreUnavailable) share = Math.max(MIN_SHARE, share / 2);
      throw error;
    }
  }

  async function commitWrites(writes: readonly Write[]): Promise<void> {
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
