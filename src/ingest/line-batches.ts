import { breathe } from '../platform/time/breathe.ts';
import { BATCH, count, emptyReport, type Intake, type IntakeItem, type Outcome, type OutcomeReport } from './intake.ts';
import type { Line } from './lines.ts';

/** Characters after which a batch is handed over, however few its lines are: deciding and writing it holds others up. */
const BATCH_LENGTH = 1024 * 1024;

/** Lines that are handed to the intake in batches, and what became of them. */
export class LineBatches {
  readonly report: OutcomeReport = emptyReport();
  readonly #intake: Intake;
  #lines: Line[] = [];
  #length = 0;

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** @returns whether the batch is full, and is to be handed over before the next line */
  add(line: Line): boolean {
    this.#lines.push(line);
    if ('text' in line) this.#length += line.text.length;
    return this.#lines.length >= BATCH || this.#length >= BATCH_LENGTH;
  }

  /** Resolves when the lines of the batch are counted in the report. Rejects with an error of the intake. */
  async handOver(): Promise<void> {
    // Not before the first: who sends little waits for nobody.
    if (this.report.received > 0) await breathe();
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    count(this.report, await acceptLines(this.#intake, lines));
  }
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
