import type { OutcomeReport } from '../../ingest/intake/intake.ts';

/**
 * What the server answers at its control door: lines of JSON, the last of which holds `result` or `error`. When the
 * lines end without it, the server has died.
 */
export type ControlLine =
  | { readonly progress: ControlProgress }
  | { readonly result: unknown }
  | { readonly error: ControlFailure };

export interface ControlFailure {
  readonly message: string;
  /** What was taken before. */
  readonly report?: OutcomeReport | undefined;
  /** The work was cut off, and may be done when it is asked for once more. */
  readonly again?: boolean | undefined;
}

export interface ControlProgress {
  readonly name?: string;
  readonly done: number;
  readonly total?: number;
}

export const NDJSON = 'application/x-ndjson';

/** What the server refuses with a reason that the operator can understand. */
export class ControlError extends Error {
  readonly code = 'control';
  readonly failure: ControlFailure;
  constructor(message: string, more: Omit<ControlFailure, 'message'> = {}) {
    super(message);
    this.name = 'ControlError';
    this.failure = { message, ...more };
  }
}
