import { BATCH, count, emptyReport, type Intake, type IntakeItem, type Outcome, type OutcomeReport } from './intake.ts';
import { type Line, splitLines } from './lines.ts';

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
  const report = emptyReport();
  let batch: Line[] = [];
  const flush = async () => {
    const lines = batch;
    batch = [];
    options.signal?.throwIfAborted();
    count(report, await acceptLines(intake, lines));
    options.onBatch?.(report);
  };
  try {
    for await (const lines of splitLines(input)) {
      for (const line of lines) {
        batch.push(line);
        if (batch.length >= BATCH) await flush();
      }
    }
  } catch (error) {
    if (batch.length > 0 && !options.signal?.aborted) await flush();
    throw new InputEnded(error, report);
  }
  if (batch.length > 0) {
    await flush().catch((error) => {
      throw options.signal?.aborted ? new InputEnded(error, report) : error;
    });
  }
  return report;
}

/** Outcomes in the order of the lines; what could not be read is rejected without asking the intake. */
async function acceptLines(intake: Intake, lines: readonly Line[]): Promise<readonly Outcome[]> {
  const items = lines.filter((line): line is Extract<IntakeItem, { text: string }> => 'text' in line);
  const outcomes = items.length > 0 ? (await intake.accept(items)).outcomes : [];
  if (items.length === lines.length) return outcomes;
  let next = 0;
  return lines.map((line) =>
    'text' in line ? outcomes[next++]! : { line: line.line, status: 'rejected', ...line.rejection },
  );
}
