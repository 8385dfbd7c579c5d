import type { OutcomeReport } from '../ingest/intake.ts';

/**
 * What the server answers at its control door: lines of JSON, the last of which holds `result` or `error`. When the
 * lines end without it, the server has died.
 */
export type ControlLine =
  | { readonly progress: ControlProgress }
  | { readonly result: unknown }
  | { readonly error: { readonly message: string; readonly report?: OutcomeReport } };

export interface ControlProgress {
  readonly name?: string;
  readonly done: number;
  readonly total?: number;
}

export const NDJSON = 'application/x-ndjson';

/** What the server refuses with a reason that the operator can understand. */
export class ControlError extends Error {
  readonly code = 'control';
  readonly report: OutcomeReport | undefined;
  constructor(message: string, report?: OutcomeReport) {
    super(message);
    this.name = 'ControlError';
    this.report = report;
  }
}
