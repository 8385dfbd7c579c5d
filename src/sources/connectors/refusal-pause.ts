import type { Refusal } from './answer-classification.ts';

/** Seconds after which a provider that refuses this server, or its key, is tried again. */
const TRIAL_SECONDS = 600;

/** Pauses the requests of a provider that refuses them. Times are milliseconds of a monotonic clock. */
export interface RefusalPause {
  /** Why all requests pause; undefined while they do not. */
  readonly reason: Exclude<Refusal, 'quota'> | undefined;
  /** Earliest time for any request: not after `now` if one may start; `Infinity` until a running one has ended. */
  freeAt(now: number, runningRequests: number): number;
  /** Earliest time for this request. */
  requestFreeAt(key: string): number;
  /** A request was refused. */
  refuse(key: string, reason: Exclude<Refusal, 'quota'>, now: number): void;
  /** A request was answered. */
  answer(key: string): void;
  /** Forgets requests that no longer exist. */
  keepOnly(keys: ReadonlySet<string>): void;
}

/**
 * One refusal pauses all requests, and then one trial goes out in ten minutes. If others were answered after a request
 * was refused, a further refusal concerns that request alone.
 * @param pace divides the pause
 */
export function createRefusalPause(pace: number): RefusalPause {
  const refused = new Map<string, { until: number; othersAnswered: boolean }>();
  let trialAt: number | undefined;
  let reason: RefusalPause['reason'];

  return {
    get reason() {
      return reason;
    },
    freeAt(now, runningRequests) {
      if (trialAt === undefined) return Number.NEGATIVE_INFINITY;
      return trialAt <= now && runningRequests > 0 ? Number.POSITIVE_INFINITY : trialAt;
    },
    requestFreeAt: (key) => refused.get(key)?.until ?? Number.NEGATIVE_INFINITY,
    refuse(key, why, now) {
      const until = now + (TRIAL_SECONDS * 1000) / pace;
      const othersAnswered = refused.get(key)?.othersAnswered ?? false;
      refused.set(key, { until, othersAnswered });
      if (othersAnswered) return;
      trialAt = until;
      reason = why;
    },
    answer(key) {
      refused.delete(key);
      for (const one of refused.values()) one.othersAnswered = true;
      trialAt = undefined;
      reason = undefined;
    },
    keepOnly(keys) {
      for (const key of refused.keys()) if (!keys.has(key)) refused.delete(key);
    },
  };
}
