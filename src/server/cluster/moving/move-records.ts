import { isDeepStrictEqual } from 'node:util';
import { type Position, toPosition } from '../../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import type { EventStoreLog } from '../../../event-log/eventstore/eventstore-log.ts';
import { ConflictError, type EventLog } from '../../../event-log/port/event-log.ts';
import { type Delay, realDelay } from '../../../platform/async/retry.ts';

/** The move is impossible. The message says what to do. */
export class MoveRefused extends Error {
  readonly code = 'move_refused';
}

interface MoveRecordsParts {
  readonly from: EventLog;
  readonly to: EventStoreLog;
  /** The number of records that have arrived, and of all. */
  readonly onProgress: (moved: number) => void;
  readonly delay?: Delay;
}

/** The most bytes of one append, well below the event log's limit: names of streams and types count too. */
const MOST_BYTES = 512 * 1024;
const MOST_RECORDS = 500;
const BYTES_BESIDE = 300;
const PAGE = 1000;
/** How long an unavailable engine is waited for. */
const PATIENCE_MS = 120_000;
const AGAIN_MS = 500;

/**
 * Appends all records in order, after those that have arrived already. So an interrupted move continues, and two moves at
 * once do no harm.
 * @returns whether the whole log had arrived before and the move was over
 * @throws MoveRefused, Unavailable
 */
export async function moveRecords(parts: MoveRecordsParts): Promise<void> {
  const { from, to, onProgress } = parts;
  const patient = createPatience(parts.delay ?? realDelay);
  const head = await from.head();
  let reached = await patient(() => placeReached(from, to));
  let hasBegun = reached !== null;
  for (;;) {
    if (reached === head) return;
    if (!hasBegun) await patient(() => to.beginMove());
    hasBegun = true;
    try {
      for await (const page of from.readAllFrom(reached, { batch: PAGE })) {
        for (const run of runsOf(page)) {
          await patient(() => to.move(run[0]!.stream, run, run[0]!.revision === 0 ? 'none' : run[0]!.revision - 1));
          reached = run.at(-1)!.position;
        }
        onProgress(Number(reached));
      }
      return;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error instanceof RangeError ? new MoveRefused(error.message) : error;
      // The answer was lost, or another process moves the same records. The log says how far the move is.
      const found: Position | null = await patient(() => placeReached(from, to));
      if (found === reached) throw new MoveRefused(`${error.message}: ${NOT_EMPTY}`);
      reached = found;
    }
  }
}

const NOT_EMPTY = 'the cluster holds records of its own, or of another folder; move into an empty one';

/** How many records have arrived in the other log. @throws MoveRefused if it holds something else */
async function placeReached(from: EventLog, to: EventLog): Promise<Position | null> {
  const [last] = await to.readBackwards(1);
  if (!last) return null;
  const [first] = await to.readAll(null, 1);
  if (!(await isOf(from, first!))) throw new MoveRefused(NOT_EMPTY);
  if (await isOf(from, last)) return last.position;
  // Records of the cluster itself follow the moved records.
  const head = (await from.head())!;
  const moved = await to.recordAt(head);
  if (moved && (await isOf(from, moved))) return head;
  throw new MoveRefused(
    'the cluster has gone on with facts of its own, and not all records of the folder are there: what came into the ' +
      'folder after it was moved is left out; send it again by replay --to-server, or move into an empty cluster',
  );
}

async function isOf(log: EventLog, there: LogRecord): Promise<boolean> {
  const here = await log.recordAt(toPosition(there.position));
  return (
    here !== undefined &&
    (['stream', 'revision', 'type', 'recordedAt'] as const).every((name) => here[name] === there[name]) &&
    isDeepStrictEqual(here.meta, there.meta)
  );
}

/** Consecutive records of one stream are appended together. */
function* runsOf(records: readonly LogRecord[]): Generator<readonly LogRecord[]> {
  let run: LogRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = Buffer.byteLength(JSON.stringify([record.data, record.meta])) + BYTES_BESIDE;
    const isNext = run.length > 0 && record.stream === run[0]!.stream;
    if (run.length > 0 && (!isNext || run.length === MOST_RECORDS || bytes + size > MOST_BYTES)) {
      yield run;
      [run, bytes] = [[], 0];
    }
    run.push(record);
    bytes += size;
  }
  if (run.length > 0) yield run;
}

/** Repeats a request while the engine is unavailable. */
export function createPatience(delay: Delay) {
  const { signal } = new AbortController();
  return async <T>(work: () => Promise<T>): Promise<T> => {
    for (const latest = performance.now() + PATIENCE_MS; ; ) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof UnavailableError) || performance.now() > latest) throw error;
      }
      await delay(AGAIN_MS, signal);
    }
  };
}
