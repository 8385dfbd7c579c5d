import type { LimitRule, SharedLimit } from './limits.ts';

/** Concurrent calls of one API key, whatever its plan. */
export const MAX_IN_FLIGHT = 16;
/** Open streams of one API key, of scores and of changes together, whatever its plan. */
const MAX_STREAMS = 5;

/** Limits that calls of one kind share: calls in 60 seconds, and concurrent calls; undefined: no limit. */
export const SHARED_LIMITS: Readonly<Record<SharedLimit, { readonly inWindow?: number; readonly atOnce: number }>> = {
  score_poll: { inWindow: 20, atOnce: 4 },
  slip_grading: { atOnce: 3 },
};

/** `retry_after` for a caller with too many concurrent calls, in seconds. */
export const CONCURRENCY_RETRY_SECONDS = 1;

/** Rules for a request before it is known to be a call. */
export const SLOT_RULES: readonly LimitRule[] = [{ kind: 'slot', of: 'requests', max: MAX_IN_FLIGHT }];

/** Rules that every call must pass first. @param perMinute requests in 60 seconds; null: unlimited */
export function requestRules(
  perMinute: number | null,
): Readonly<Record<'answer' | 'entered' | 'stream', readonly LimitRule[]>> {
  const window: LimitRule[] = perMinute === null ? [] : [{ kind: 'window', of: 'requests', max: perMinute }];
  return {
    answer: [...window, ...SLOT_RULES],
    // Its slot was reserved before.
    entered: window,
    // An open stream does not count as a request in flight.
    stream: [...window, { kind: 'slot', of: 'streams', max: MAX_STREAMS }],
  };
}

/** MCP messages of a key that are no tools/call, and calls in the sessions of an account, in 60 seconds. */
export const MAX_FREE = 600;
export const MCP_MESSAGE_RULES: readonly LimitRule[] = [{ kind: 'window', of: 'mcp_messages', max: MAX_FREE }];
export const SESSION_RULES: readonly LimitRule[] = [{ kind: 'window', of: 'sessions', max: MAX_FREE }];

/** Calls that an account's owner may run in the playground within 60 seconds. */
export const PLAYGROUND_RULES: readonly LimitRule[] = [{ kind: 'window', of: 'playground', max: 20 }];

export const SHARED_LIMIT_RULES: Readonly<Record<SharedLimit, readonly LimitRule[]>> = {
  score_poll: sharedLimitRules('score_poll'),
  slip_grading: sharedLimitRules('slip_grading'),
};

function sharedLimitRules(of: SharedLimit): readonly LimitRule[] {
  const { inWindow, atOnce } = SHARED_LIMITS[of];
  const slot: LimitRule = { kind: 'slot', of, max: atOnce };
  return inWindow === undefined ? [slot] : [slot, { kind: 'window', of, max: inWindow }];
}
