import { isDeepStrictEqual } from 'node:util';
import { type Position, toPosition } from '../../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import type { EventStoreLog } from '../../../event-log/eventstore/eventstore-log.ts';
import { ConflictError, type EventLog } from '../../../event-log/port/event-log.ts';
import { type Delay, realDelay } from '../../../platform/async/retry.ts';

/** What was to be moved cannot be: with what is to be done. */
export class MoveRefused extends Error {
  readonly code = 'move_refused';
}

interface MoveRecordsParts {
  readonly from: EventLog;
  readonly to: EventStoreLog;
  /** How many records of all are there. */
  readonly onProgress: (moved: number) => void;
  readonly delay?: Delay;
}

/** Of one append, well below what the event log takes: names of streams and types count, too. */
const MOST_BYTES = 512 * 1024;
const MOST_RECORDS = 500;
const BYTES_BESIDE = 300;
const PAGE = 1000;
/** An engine that is away is waited for so long. */
const PATIENCE_MS = 120_000;
const AGAIN_MS = 500;

/**
 * Appends all records, one after another, in their order, behind those that are there already: where it was interrupted
 * it goes on, and two of them at once do no harm.
 * @returns whether the log was there already as a whole, and the move was over
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
      // Its answer was lost, or another one moves the same: how far it is the log tells.
      const found: Position | null = await patient(() => placeReached(from, to));
      if (found === reached) throw new MoveRefused(`${error.message}: ${NOT_EMPTY}`);
      reached = found;
    }
  }
}

const NOT_EMPTY = 'the cluster holds records of its own, or of another folder; move into an empty one';

/** Up to where the records stand in the other log. @throws MoveRefused where something else stands there */
async function placeReached(from: EventLog, to: EventLog): Promise<Position | null> {
  const [last] = await to.readBackwards(1);
  if (!last) return null;
  const [first] = await to.readAll(null, 1);
  if (!(await isOf(from, first!))) throw new MoveRefused(NOT_EMPTY);
  if (await isOf(from, last)) return last.position;
  // Facts of the cluster's own stand behind what was moved.
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

/** Neighbours of one stream travel together. */
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

/** Asks again what an engine that is away did not answer. */
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
