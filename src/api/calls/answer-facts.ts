import type { Call, RequestWindow } from './stages.ts';

/** What every answer tells beside itself: REST says it in headers, MCP in `_meta`. */
export interface AnswerFacts {
  readonly requestId: string;
  /** What this call has cost. */
  readonly credits: number;
  /** Where credits have a limit. */
  readonly creditsRemaining: number | undefined;
  /** Where a limit of requests holds. */
  readonly window: RequestWindow | undefined;
  /** It is the answer to an earlier call with the same `Idempotency-Key`. */
  readonly isRepeated: boolean;
  /** The demo feeds the server. */
  readonly isSimulated: boolean;
}

/** What a way out knows of an answer. */
export interface Answering {
  readonly requestId: string;
  /** Where the caller is known. */
  readonly call?: Call | undefined;
  /** Default 0. */
  readonly credits?: number | undefined;
  /** Of a caller without a key, where a limit of its own holds; else the call tells. */
  readonly window?: RequestWindow | undefined;
  readonly isRepeated?: boolean | undefined;
}

export const factsOf = (
  { requestId, call, credits = 0, window = call?.window, isRepeated = false }: Answering,
  isSimulated: boolean,
): AnswerFacts => ({
  requestId,
  credits,
  creditsRemaining: call?.creditsRemaining,
  window,
  isRepeated,
  isSimulated,
});
