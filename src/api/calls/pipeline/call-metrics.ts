import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { ApiError, CallAborted, type ErrorCode } from '../api-errors.ts';
import type { CallKind } from './admission.ts';

/** Is told of every call, on every way in: it must cost next to nothing. */
export interface CallMetrics {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** @param operation undefined where the request fits none
   *  @param milliseconds from the call's arrival to its end; of a stream as long as it was open */
  recordCall(operation: string | undefined, kind: CallKind, status: number, milliseconds: number): void;
  /** With an error of this code, whatever else is told of the call. */
  recordError(code: ErrorCode): void;
}

/** As which a call's error is counted; undefined where nobody was there to be refused. */
export function errorCodeOf(error: unknown): ErrorCode | undefined {
  if (error instanceof ApiError) return error.code;
  if (error instanceof CallAborted) return undefined;
  return error instanceof UnavailableError ? 'service_unavailable' : 'internal_error';
}
