import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import {
  addOutcomes,
  createOutcomeReport,
  INTAKE_BATCH_SIZE,
  type Intake,
  type IntakeItem,
  type Outcome,
  type OutcomeReport,
} from './intake.ts';
import { type Line, splitLines } from './ndjson-lines.ts';

export interface IngestLinesOptions {
  /** Called after each batch, once the batch is durable. */
  readonly onBatch?: (report: OutcomeReport) => void;
  /** Stops the work between two batches, by throwing the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** Thrown if reading fails or is aborted, not if the intake refuses. `report` counts the lines before that. */
export class IngestInterrupted extends Error {
  readonly code = 'input_ended';
  readonly report: OutcomeReport;
  constructor(cause: unknown, report: OutcomeReport) {
    super((cause as Error).message, { cause });
    this.name = 'IngestInterrupted';
    this.report = report;
  }
}

/**
 * Splits NDJSON into lines, submits them to the intake in batches, and counts the outcomes. Reads no faster than the
 * intake accepts, so that a file of any size needs bounded memory.
 * @throws IngestInterrupted, or the error with which the intake refuses a batch
 */
export async function ingestLines(
  intake: Intake,
  input: AsyncIterable<Uint8Array>,
  options: IngestLinesOptions = {},
): Promise<OutcomeReport> {
  const batches = new LineBatches(intake);
  const { report } = batches;
  const { signal, onBatch } = options;
  let refusal: { readonly error: unknown } | undefined;
  const flush = async () => {
    signal?.throwIfAborted();
    await batches.submit().catch((error: unknown) => {
      refusal = { error };
      throw error;
    });
    onBatch?.(report);
  };
  try {
    for await (const lines of splitLines(input)) for (const line of lines) if (batches.add(line)) await flush();
  } catch (error) {
    // While the caller ends the work, the intake may refuse for that reason.
    if (refusal && !signal?.aborted) throw refusal.error;
    if (!batches.isEmpty && !signal?.aborted) await flush();
    throw new IngestInterrupted(error, report);
  }
  if (!batches.isEmpty) {
    await flush().catch((error) => {
      throw signal?.aborted ? new IngestInterrupted(error, report) : error;
    });
  }
  return report;
}

/**
 * Characters after which a batch is submitted, even if it has few lines: deciding and writing a large batch delays
 * others.
 */
const BATCH_LENGTH = 1024 * 1024;

/** Collects lines into batches for the intake, and counts their outcomes. */
export class LineBatches {
  readonly report: OutcomeReport = createOutcomeReport();
  readonly #intake: Intake;
  #lines: Line[] = [];
  #length = 0;

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** @returns whether the batch is full and must be submitted before the next line */
  add(line: Line): boolean {
    this.#lines.push(line);
    if ('text' in line) this.#length += line.text.length;
    return this.#lines.length >= INTAKE_BATCH_SIZE || this.#length >= BATCH_LENGTH;
  }

  /** Resolves when the lines of the batch are counted in the report. Rejects with an error of the intake. */
  async submit(): Promise<void> {
    // Not before the first batch: a small input must not wait.
    if (this.report.received > 0) await yieldToEventLoop();
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    addOutcomes(this.report, await submitLines(this.#intake, lines));
  }
}

/** Outcomes in the order of the lines. A line that could not be read is rejected without the intake. */
async function submitLines(intake: Intake, lines: readonly Line[]): Promise<readonly Outcome[]> {
  const items = lines.filter((line): line is Extract<IntakeItem, { text: string }> => 'text' in line);
  const outcomes = items.length > 0 ? (await intake.accept(items)).outcomes : [];
  if (items.length === lines.length) return outcomes;
  let next = 0;
  return lines.map((line) =>
    'text' in line ? outcomes[next++]! : { line: line.line, status: 'rejected', ...line.rejection },
  );
}
