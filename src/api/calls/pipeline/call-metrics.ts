import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { ApiError, CallAborted, type ErrorCode } from '../api-errors.ts';
import type { CallKind } from './admission.ts';

/** Records every call, of every transport. Called on the hot path, so it must be very cheap. */
export interface CallMetrics {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /**
   * @param operation undefined if the request matches none
   * @param milliseconds from arrival to end; for a stream, how long it was open
   */
  recordCall(operation: string | undefined, kind: CallKind, status: number, milliseconds: number): void;
  /** Counts an error by its code, in addition to `recordCall`. */
  recordError(code: ErrorCode): void;
}

/** The code under which an error is counted; undefined if the client had disconnected. */
export function errorCodeOf(error: unknown): ErrorCode | undefined {
  if (error instanceof ApiError) return error.code;
  if (error instanceof CallAborted) return undefined;
  return error instanceof UnavailableError ? 'service_unavailable' : 'internal_error';
}
