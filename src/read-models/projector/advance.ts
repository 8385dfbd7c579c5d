import { isBefore, type Position } from '../../domain/position.ts';
import type { LogRecord } from '../../domain/record.ts';
import { breathe } from '../../platform/time/breathe.ts';
import { type Delay, withRetries } from '../../platform/time/retry.ts';
import {
  BuildGone,
  CheckpointMoved,
  DocumentRejected,
  type DocumentWrite,
  type ProjectionCommit,
  type ReadStore,
} from '../store/read-store.ts';
import { type Folded, foldRecords, isRead, type Lane } from './projection-lane.ts';
import { beginStretch, type Stretch } from './stretch.ts';

export interface AdvanceOptions {
  readonly store: ReadStore;
  readonly delay: Delay;
  /** Gives up retrying. */
  readonly signal: AbortSignal;
  /** Documents of a stretch that are written in one go, at most; default 500. */
  readonly pieceDocuments?: number;
  /** Records that may pass a lane without a document before its checkpoint is stored nevertheless: what a restart reads
   *  again. Default 1000; 1 where others learn from the checkpoint what is folded. */
  readonly checkpointEvery?: number;
  /** Lanes wait for the store at the same time, not one after another, as where it is far away; default false. */
  readonly isFar?: boolean;
  readonly onCommitted: (folded: Folded) => void;
  readonly onStopped: (lane: Lane) => void;
  readonly onRetry: (error: unknown, attempt: number, lanes: readonly Lane[]) => void;
}

export interface Advance {
  /** Folds records (in order) into all lanes that are not stopped and stand before them, and commits them together.
   *  Rejects only when the signal is aborted. */
  records(lanes: readonly Lane[], records: readonly LogRecord[]): Promise<void>;
  /** Stores that lanes which are not stopped have everything up to a position, though no record is there. */
  pass(lanes: readonly Lane[], position: Position): Promise<void>;
  /** A stretch from where the lane stands. */
  begin(lane: Lane): Stretch;
  /** Folds records (in order) onto stretches, each from where it stands. */
  fold(stretches: readonly Stretch[], records: readonly LogRecord[]): Promise<void>;
  /**
   * Commits what stretches have folded, document by document and the checkpoints last: the write lock and the event
   * loop are free in between. Until then documents may be ahead of the checkpoint; they carry their own position, so
   * that a start after a crash folds nothing into them twice.
   */
  commit(stretches: readonly Stretch[]): Promise<void>;
  /** Stores the checkpoints that were put off. */
  flush(lanes: readonly Lane[]): Promise<void>;
}

/** Characters of JSON that are written in one go: with as many documents some milliseconds of work. */
const PIECE_CHARACTERS = 2_000_000;

export function createAdvance(options: AdvanceOptions): Advance {
  const { store, delay, signal, pieceDocuments = 500, checkpointEvery = 1000, isFar = false } = options;
  const { onCommitted, onStopped, onRetry } = options;
  let passed = 0;

  function stop(lane: Lane, reason: string, isLost = false): void {
    lane.stopped = reason;
    lane.isLost = isLost;
    lane.trouble = null;
    lane.cache.clear();
    onStopped(lane);
  }

  async function retrying<T>(lanes: readonly Lane[], work: (attempt: number) => Promise<T>): Promise<T> {
    const result = await withRetries(work, {
      delay,
      signal,
      isFinal: (error) =>
        error instanceof BuildGone || error instanceof CheckpointMoved || error instanceof DocumentRejected,
      onRetry: (error, attempt) => {
        for (const lane of lanes) lane.trouble = describe(error);
        onRetry(error, attempt, lanes);
      },
    });
    for (const lane of lanes) lane.trouble = null;
    return result;
  }

  /** Undefined when the lane has stopped over it: its build was replaced, which waiting does not undo. */
  async function unlessGone<T>(lane: Lane, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await retrying([lane], work);
    } catch (error) {
      if (!(error instanceof BuildGone)) throw error;
      stop(lane, error.message, true);
      return undefined;
    }
  }

  async function records(lanes: readonly Lane[], all: readonly LogRecord[]): Promise<void> {
    const folded: Folded[] = [];
    const foldInto = async (lane: Lane): Promise<void> => {
      if (lane.stopped !== null) return;
      // Lanes may stand at different places, and after an error the subscription starts again before some of them:
      // a record folded twice would be counted twice.
      const first = all.findIndex(({ position }) => isBefore(lane.position, position));
      if (first === -1) return;
      const own = first === 0 ? all : all.slice(first);
      const one = await unlessGone(lane, () => foldRecords(store, lane, own));
      if (one) folded.push(one);
    };
    const begun: Promise<void>[] = [];
    for (const lane of lanes) {
      const folding = foldInto(lane);
      if (!isFar) await folding;
      else {
        begun.push(folding);
        // Who waits for all of them is told.
        folding.catch(() => {});
      }
      await breathe();
    }
    await Promise.all(begun);
    passed += all.length;
    const areDue = passed >= checkpointEvery;
    if (areDue) passed = 0;
    const isPutOff = ({ documents }: Folded) => !areDue && documents.size === 0;
    for (const one of folded.filter(isPutOff)) settle(one, one.lane.checkpoint);
    await commit(folded.filter((one) => !isPutOff(one)));
    await breathe();
  }

  async function fold(stretches: readonly Stretch[], all: readonly LogRecord[]): Promise<void> {
    for (const stretch of stretches) {
      if (stretch.lane.stopped !== null) continue;
      await unlessGone(stretch.lane, () => stretch.fold(all));
      // What is read already gets no document before its neighbours.
      if (stretch.lane.awaitsActivation && !stretch.spoiled) await writeSettled(stretch);
      await breathe();
    }
  }

  async function commitStretches(stretches: readonly Stretch[]): Promise<void> {
    const folded: Folded[] = [];
    const rest = new Map<Folded, number>();
    for (const stretch of stretches) {
      const one = stretch.spoiled || stretch.lane.stopped !== null ? null : stretch.folded();
      if (one === null) continue;
      const size = pieceOf(stretch, pieceDocuments);
      // What is read already gets no document before its neighbours.
      const ahead = stretch.lane.awaitsActivation ? Math.floor((stretch.changed - 1) / size) * size : 0;
      if (ahead > 0 && !(await writeAhead(one.lane, writesOf(one.documents).slice(0, ahead), size))) continue;
      folded.push(one);
      rest.set(one, ahead);
    }
    await commit(folded, (one) => writesOf(one.documents).slice(rest.get(one)));
    await breathe();
  }

  /** Once they are written, the stretch holds them no longer: they are read again where a record changes them. */
  async function writeSettled(stretch: Stretch): Promise<void> {
    const writes = writesOf(stretch.takeSettled());
    if (writes.length > 0) await writeAhead(stretch.lane, writes, pieceOf(stretch, pieceDocuments));
  }

  /** Piece by piece. False when the lane has stopped over it. */
  async function writeAhead(lane: Lane, writes: readonly DocumentWrite[], size: number): Promise<boolean> {
    const { projection, build, partition, checkpoint: expected } = lane;
    for (let from = 0; from < writes.length; from += size) {
      const part = { projection: projection.name, build, partition, expected, writes: writes.slice(from, from + size) };
      try {
        await retrying([lane], () => store.write(part));
      } catch (error) {
        if (!(error instanceof CheckpointMoved || error instanceof DocumentRejected)) throw error;
        stop(lane, error.message, error instanceof CheckpointMoved);
        return false;
      }
      await breathe();
    }
    return true;
  }

  async function commit(folded: readonly Folded[], writes = (one: Folded) => writesOf(one.documents)): Promise<void> {
    // First what is to take over: behind what is read it would take that back, if only half of this is carried out.
    let open = folded
      .filter(({ lane, position }) => isBefore(lane.checkpoint, position))
      .sort((a, b) => Number(b.lane.awaitsActivation) - Number(a.lane.awaitsActivation));
    for (const one of folded) if (!open.includes(one)) settle(one, one.lane.checkpoint);
    // Once: by what is read, which may move on while this waits for the store.
    const goals = new Map(open.map((one) => [one, checkpointOf(one)]));
    const goalOf = (one: Folded): bigint | null => goals.get(one)!;
    let retried = false;
    while (open.length > 0) {
      const lanes = open.map(({ lane }) => lane);
      try {
        await retrying(lanes, (attempt) => {
          retried ||= attempt > 1;
          return store.commit(open.map((one) => toCommit(one, writes(one), goalOf(one))));
        });
        // Only after the commit: a lane that went on before it would leave out these records for good if it failed.
        for (const one of open) settle(one, goalOf(one));
        return;
      } catch (error) {
        if (!(error instanceof CheckpointMoved || error instanceof DocumentRejected)) throw error;
        const lost = refusedOf(open, error);
        if (!lost) throw error;
        open = open.filter((one) => one !== lost);
        const isMoved = error instanceof CheckpointMoved;
        // An attempt whose answer got lost may have been carried out. Then the checkpoint stands where we wanted it,
        // and stopping would take our own commit for another instance's.
        if (retried && isMoved && (await hasArrived(lost, goalOf(lost)))) {
          settle(lost, goalOf(lost));
          continue;
        }
        if (isMoved && (await isReplaced(lost.lane))) {
          stop(lost.lane, `build ${lost.lane.build} was replaced`, true);
          continue;
        }
        // Who has moved it has the partition. What is read would go on beyond what that one has folded into its successor.
        const others = isMoved ? open.filter(({ lane }) => isSamePart(lane, lost.lane)) : [];
        for (const { lane } of [lost, ...others]) stop(lane, error.message, isMoved);
        open = open.filter((one) => !others.includes(one));
      }
    }
  }

  /** The one over which the store has refused all of them. Of a projection there may be several, in other builds. */
  function refusedOf(open: readonly Folded[], error: CheckpointMoved | DocumentRejected): Folded | undefined {
    const suspects = open.filter(({ lane }) => lane.projection.name === error.projection);
    if (error instanceof CheckpointMoved) {
      return suspects.find(({ lane: { build, partition } }) => build === error.build && partition === error.partition);
    }
    return suspects.length < 2 ? suspects[0] : suspects.find(({ documents }) => documents.has(error.key));
  }

  async function hasArrived({ lane }: Folded, goal: bigint | null): Promise<boolean> {
    const { projection, build, partition } = lane;
    return (await retrying([lane], () => store.checkpoint(projection.name, build, partition))) === goal;
  }

  /** Another build has taken over from this one, which is closed by that. Its successor goes on. */
  async function isReplaced(lane: Lane): Promise<boolean> {
    return isRead(lane) && (await retrying([lane], () => store.activeBuild(lane.projection.name))) !== lane.build;
  }

  function settle(one: Folded, checkpoint: bigint | null): void {
    const { lane, documents, position, foldedAt, count, failure } = one;
    // The cache takes documents only now: before the commit they are not what the store holds. And only as many as it
    // keeps: a long stretch has many times as many, and would hold up the event loop by putting in what goes out again.
    let beyond = lane.projection.onePerRecord ? documents.size : documents.size - lane.cache.max;
    for (const [key, entry] of documents) {
      entry.stored = true;
      if (--beyond < 0) lane.cache.set(key, entry);
    }
    lane.position = position;
    lane.checkpoint = checkpoint;
    lane.foldedAt = foldedAt;
    lane.folded += count;
    // Before the stop: whoever is told that the lane stopped finds everything before the failing record in place.
    onCommitted(one);
    if (failure !== null) stop(lane, failure);
  }

  async function storePlaces(lanes: readonly Lane[], placeOf: (lane: Lane) => bigint | null): Promise<void> {
    const behind = lanes.filter((lane) => lane.stopped === null && isBefore(lane.checkpoint, placeOf(lane)));
    await commit(
      behind.map((lane) => {
        const { foldedAt } = lane;
        return { lane, documents: new Map(), position: placeOf(lane), foldedAt, count: 0, failure: null };
      }),
    );
  }

  const flush = (lanes: readonly Lane[]) => storePlaces(lanes, ({ position }) => position);
  const pass = (lanes: readonly Lane[], position: Position) => storePlaces(lanes, () => position);

  return { records, pass, begin: (lane) => beginStretch(store, lane), fold, commit: commitStretches, flush };
}

const writesOf = (documents: Folded['documents']): DocumentWrite[] =>
  [...documents].map(([key, { document, position, stored }]) => ({ key, document, position, isNew: !stored }));

function pieceOf({ changed, characters }: Stretch, most: number): number {
  const average = characters / Math.max(1, changed);
  return Math.max(1, Math.min(most, Math.floor(PIECE_CHARACTERS / Math.max(1, average))));
}

const isSamePart = (a: Lane, b: Lane): boolean => a.projection === b.projection && a.partition === b.partition;

/** Where the lane's checkpoint shall stand when this is committed. */
function checkpointOf({ lane, position }: Folded): bigint | null {
  const { staysBelow, checkpoint } = lane;
  return !staysBelow || isBefore(position, staysBelow.checkpoint) ? position : checkpoint;
}

function toCommit({ lane }: Folded, writes: readonly DocumentWrite[], checkpoint: bigint | null): ProjectionCommit {
  return {
    projection: lane.projection.name,
    build: lane.build,
    partition: lane.partition,
    writes,
    // Compare-and-set on what this instance stored last: if another one has taken over, both would fold the same
    // records, and the slower one would overwrite the newer documents' checkpoint.
    expected: lane.checkpoint,
    checkpoint,
  };
}

export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
