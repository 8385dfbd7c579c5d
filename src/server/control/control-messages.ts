import type { OutcomeReport } from '../../ingest/intake/intake.ts';

/**
 * The answer of the control endpoint: lines of JSON. The last line has `result` or `error`. If the lines end without it, the
 * server has died.
 */
export type ControlLine =
  | { readonly progress: ControlProgress }
  | { readonly result: unknown }
  | { readonly error: ControlFailure };

export interface ControlFailure {
  readonly message: string;
  /** The result so far. */
  readonly report?: OutcomeReport | undefined;
  /** The work was interrupted, and may succeed when it is repeated. */
  readonly again?: boolean | undefined;
}

export interface ControlProgress {
  readonly name?: string;
  readonly done: number;
  readonly total?: number;
}

export const NDJSON = 'application/x-ndjson';

/** A refusal with a reason that the operator can understand. */
export class ControlError extends Error {
  readonly code = 'control';
  readonly failure: ControlFailure;
  constructor(message: string, more: Omit<ControlFailure, 'message'> = {}) {
    super(message);
    this.name = 'ControlError';
    this.failure = { message, ...more };
  }
}
