import { Unavailable } from '../../domain/unavailable.ts';
import { BrokenOff } from './broken-off.ts';
import { ApiError, type ErrorCode } from './errors.ts';
import type { CallKind } from './stages.ts';

/** Is told of every call, on every way in: it must cost next to nothing. */
export interface CallMeter {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** @param operation undefined where the request fits none
   *  @param milliseconds from the call's arrival to its end; of a stream as long as it was open */
  answered(operation: string | undefined, kind: CallKind, status: number, milliseconds: number): void;
  /** With an error of this code, whatever else is told of the call. */
  refused(code: ErrorCode): void;
}

/** As which a call's error is counted; undefined where nobody was there to be refused. */
export function refusalCode(error: unknown): ErrorCode | undefined {
  if (error instanceof ApiError) return error.code;
  if (error instanceof BrokenOff) return undefined;
  return error instanceof Unavailable ? 'service_unavailable' : 'internal_error';
}
