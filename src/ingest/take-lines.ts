import type { Intake, OutcomeReport } from './intake.ts';
import { LineBatches } from './line-batches.ts';
import { splitLines } from './lines.ts';

export interface TakeOptions {
  /** Called after each batch, when it is on disk. */
  readonly onBatch?: (report: OutcomeReport) => void;
  /** Ends the work between two batches, by throwing the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Thrown when reading fails or is ended early: what came before counts, and is in `report`. */
export class InputEnded extends Error {
  readonly code = 'input_ended';
  readonly report: OutcomeReport;
  constructor(cause: unknown, report: OutcomeReport) {
    super((cause as Error).message, { cause });
    this.name = 'InputEnded';
    this.report = report;
  }
}

/**
 * Takes NDJSON in: cuts it into lines, hands them to the intake in batches, counts. Reads no faster than the intake
 * takes, so that a file of any size passes through in bounded memory.
 * @throws InputEnded
 */
export async function takeLines(
  intake: Intake,
  input: AsyncIterable<Uint8Array>,
  options: TakeOptions = {},
): Promise<OutcomeReport> {
  const batches = new LineBatches(intake);
  const { report } = batches;
  const flush = async () => {
    options.signal?.throwIfAborted();
    await batches.handOver();
    options.onBatch?.(report);
  };
  try {
    for await (const lines of splitLines(input)) for (const line of lines) if (batches.add(line)) await flush();
  } catch (error) {
    if (!batches.isEmpty && !options.signal?.aborted) await flush();
    throw new InputEnded(error, report);
  }
  if (!batches.isEmpty) {
    await flush().catch((error) => {
      throw options.signal?.aborted ? new InputEnded(error, report) : error;
    });
  }
  return report;
}
