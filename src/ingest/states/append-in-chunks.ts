import { advancePositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import type { NewRecord } from '../../domain/event-sourcing/record.ts';
import type { AppendOutcome, EventLog, StreamAppend } from '../../event-log/port/event-log.ts';

/** The events that a batch appends to one stream. */
export interface StagedAppend extends StreamAppend {
  /** The number of events after which each message ends. The append may be split there. */
  readonly messageEnds: readonly number[];
}

/** Bytes that a log may count for a record besides its JSON. */
const RECORD_BYTES = 256;

/**
 * Appends the staged events of a batch, in chunks if the log limits the size of an append. A chunk holds whole
 * messages, so that no message is ever in the log in part. Each chunk waits for the one before. After a conflict
 * nothing more goes to that stream, since its events were decided on records that are not there.
 * @returns the outcome of the last chunk of each append
 */
export async function appendInChunks(
  log: Pick<EventLog, 'appendAll' | 'maxAppendBytes'>,
  appends: readonly StagedAppend[],
): Promise<readonly AppendOutcome[]> {
  const maxBytes = log.maxAppendBytes;
  if (maxBytes === undefined) return log.appendAll(appends);
  const streamChunks = appends.map((append) => chunksOf(append, maxBytes));
  const outcomes = [...(await log.appendAll(streamChunks.map(([first]) => first!)))];
  for (let round = 1; ; round++) {
    const open = [...streamChunks.keys()].filter((i) => streamChunks[i]![round] && outcomes[i]!.ok);
    if (open.length === 0) return outcomes;
    const nextOutcomes = await log.appendAll(open.map((i) => streamChunks[i]![round]!));
    for (const [n, i] of open.entries()) outcomes[i] = nextOutcomes[n]!;
  }
}

function chunksOf({ stream, events, expected, messageEnds }: StagedAppend, maxBytes: number): StreamAppend[] {
  const before = typeof expected === 'number' ? expected : -1;
  const streamChunks: StreamAppend[] = [];
  let begin = 0;
  let end = 0;
  let bytes = 0;
  function close(): void {
    const lastRevision = before + begin;
    streamChunks.push({
      stream,
      events: events.slice(begin, end),
      expected: lastRevision === -1 ? 'none' : lastRevision,
    });
    begin = end;
    bytes = 0;
  }
  for (const next of messageEnds) {
    const added = events.slice(end, next).reduce((sum, event) => sum + bytesOf(event), 0);
    if (bytes > 0 && bytes + added > maxBytes) close();
    bytes += added;
    end = next;
  }
  close();
  return streamChunks;
}

const bytesOf = (event: NewRecord): number => Buffer.byteLength(JSON.stringify(event)) + RECORD_BYTES;

/** The positions of appended records by partition: all records of a stream have the same one. */
export function positionsOf(appends: readonly StreamAppend[], outcomes: readonly AppendOutcome[]): PartitionPositions {
  const positions = new Map<string, bigint>();
  for (const [index, { events }] of appends.entries()) {
    const outcome = outcomes[index]!;
    if (!outcome.ok || outcome.position === null) continue;
    advancePositions(positions, new Map([[events[0]!.meta.partition, outcome.position]]));
  }
  return positions;
}
