import { ApiError } from '../api/calls/api-errors.ts';
import { CONCURRENCY_RETRY_SECONDS } from '../api/limits/limit-rules.ts';
import type { LimitName, LimitRefusal } from '../api/limits/limits.ts';

const WORDS: Readonly<Record<LimitName, string>> = {
  requests: 'requests',
  mcp_messages: 'MCP messages beside tools/call',
  streams: 'open streams',
  score_poll: 'polls of scores',
  slip_grading: 'slip gradings',
  sessions: 'requests in sessions',
  playground: 'runs in the playground',
};

/** The error for a caller that a limit refuses. @param at the time of the call, in milliseconds */
export function toLimitError({ by, window, at: windowsTime }: LimitRefusal, at: number): ApiError {
  const { of, max } = by;
  const what = WORDS[of];
  if (by.kind === 'window') {
    return rateExceeded(`Too many ${what}: ${max} are allowed in 60 seconds.`, window!.resetAt, windowsTime ?? at);
  }
  const wait = { retry_after: CONCURRENCY_RETRY_SECONDS };
  if (of === 'streams') return new ApiError('stream_limit_exceeded', `Too many ${what}: ${max} are allowed.`, wait);
  return new ApiError('concurrency_limit_exceeded', `Too many ${what} at the same moment: ${max} are allowed.`, wait);
}

/** The account has made the maximum number of keys. @param resetAt when one of them no longer counts */
export const toKeyCreationLimitError = (maxKeys: number, resetAt: number, at: number): ApiError =>
  rateExceeded(`Too many keys: an account may make ${maxKeys} in 24 hours, revoked ones counted.`, resetAt, at);

function rateExceeded(message: string, resetAt: number, at: number): ApiError {
  const wait = Math.max(1, Math.ceil((resetAt - at) / 1000));
  return new ApiError('rate_limit_exceeded', message, { retry_after: wait });
}
