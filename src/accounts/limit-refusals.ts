import { ApiError } from '../calls/errors.ts';
import { RETRY_AT_ONCE } from '../limits/limit-numbers.ts';
import type { Limited, Refused } from '../limits/limits.ts';

const WORDS: Readonly<Record<Limited, string>> = {
  requests: 'requests',
  streams: 'open streams',
  score_poll: 'polls of scores',
  slip_grading: 'slip gradings',
};

/** What a caller is told whom a limit refuses. @param at the time of the call, in milliseconds */
export function limitRefusal({ by, window }: Refused, at: number): ApiError {
  const { of, most } = by;
  const what = WORDS[of];
  if (by.kind === 'window') {
    const wait = Math.max(1, Math.ceil((window!.resetAt - at) / 1000));
    const message = `Too many ${what}: ${most} are allowed in 60 seconds.`;
    return new ApiError('rate_limit_exceeded', message, { retry_after: wait });
  }
  const wait = { retry_after: RETRY_AT_ONCE };
  if (of === 'streams') return new ApiError('stream_limit_exceeded', `Too many ${what}: ${most} are allowed.`, wait);
  return new ApiError('concurrency_limit_exceeded', `Too many ${what} at the same moment: ${most} are allowed.`, wait);
}
