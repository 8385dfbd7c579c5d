import type { ProviderRequest } from '../provider-base/provider.ts';

/** Result of a request. `retry`: repeating it soon may help. */
export type RequestResult = 'success' | 'retry' | 'failed';

interface RequestState {
  /** Milliseconds of the monotonic clock. */
  at: number;
  /** Random factor of the current interval. */
  factor: number;
  /** Failures of the current round. */
  failures: number;
  retryAt: number | undefined;
  isDone: boolean;
  isRunning: boolean;
}

/** Seconds until a failed request is repeated; after these it waits for its next interval. */
const RETRY_SECONDS = [1, 2, 4];
/** Seconds until a `once` request is repeated after all quick retries have failed. */
const ONE_TIME_RETRY_SECONDS = 600;

interface RequestScheduleOptions {
  /** Divides every wait. */
  readonly pace: number;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
}

/** Due times of a provider's requests. All times are milliseconds of one clock, given by the caller. */
interface RequestSchedule {
  /** When the request is due: `-Infinity` if it was never sent, `Infinity` while it is running or if it is never sent
   *  again. */
  dueAt(request: ProviderRequest): number;
  begin(request: ProviderRequest, now: number): void;
  end(request: ProviderRequest, now: number, end: RequestResult): void;
  /** Repeats a request that has ended before its interval is over. */
  hasten(request: ProviderRequest, at: number): void;
  /** The request was not sent after all: restores its due time. */
  undoBegin(request: ProviderRequest): void;
  /** Forgets requests that no longer exist. */
  keepOnly(requests: readonly ProviderRequest[]): void;
}

export function createRequestSchedule({ pace, random }: RequestScheduleOptions): RequestSchedule {
  const states = new Map<string, RequestState>();
  /** When a request of each sequence was last sent, by name of the sequence. */
  const sequences = new Map<string, number>();
  const before = new Map<string, { readonly state: RequestState | undefined; readonly line: number | undefined }>();

  const waitOf = ({ intervalSeconds }: ProviderRequest, { factor }: RequestState): number =>
    ((intervalSeconds === 'once' ? ONE_TIME_RETRY_SECONDS : intervalSeconds) * 1000 * factor) / pace;

  function ownDueAt(request: ProviderRequest): number {
    const last = states.get(request.key);
    if (!last) return Number.NEGATIVE_INFINITY;
    if (last.isRunning || (last.isDone && request.intervalSeconds === 'once' && last.retryAt === undefined))
      return Number.POSITIVE_INFINITY;
    return last.retryAt ?? last.at + waitOf(request, last);
  }

  return {
    dueAt(request) {
      const due = ownDueAt(request);
      const { sequence } = request;
      const last = sequence && sequences.get(sequence.name);
      return last === undefined ? due : Math.max(due, last + (sequence!.apart * 1000) / pace);
    },
    begin(request, now) {
      const { key, sequence } = request;
      const last = states.get(key);
      before.set(key, { state: last, line: sequence && sequences.get(sequence.name) });
      const factor = 0.9 + 0.2 * random();
      states.set(key, {
        at: now,
        factor,
        retryAt: undefined,
        isRunning: true,
        failures: last?.failures ?? 0,
        isDone: last?.isDone ?? false,
      });
      if (sequence) sequences.set(sequence.name, now);
    },
    end(request, now, end) {
      before.delete(request.key);
      const last = states.get(request.key);
      if (!last) return;
      last.isRunning = false;
      if (end === 'retry' && last.failures < RETRY_SECONDS.length) {
        last.retryAt = now + (RETRY_SECONDS[last.failures]! * 1000) / pace;
        last.failures++;
        return;
      }
      last.failures = 0;
      last.isDone ||= end === 'success';
      // Skip rounds that were missed.
      const wait = waitOf(request, last);
      if (wait > 0 && now > last.at + wait) last.at += Math.floor((now - last.at) / wait) * wait;
    },
    hasten({ key }, at) {
      const last = states.get(key);
      if (last && !last.isRunning) last.retryAt = Math.min(at, last.retryAt ?? at);
    },
    undoBegin({ key, sequence }) {
      const was = before.get(key);
      before.delete(key);
      if (was?.state) states.set(key, was.state);
      else states.delete(key);
      if (!sequence) return;
      if (was?.line === undefined) sequences.delete(sequence.name);
      else sequences.set(sequence.name, was.line);
    },
    keepOnly(requests) {
      const keys = new Set(requests.map(({ key }) => key));
      for (const [key, { isRunning }] of states) if (!isRunning && !keys.has(key)) states.delete(key);
      const names = new Set(requests.flatMap(({ sequence }) => (sequence ? [sequence.name] : [])));
      for (const name of sequences.keys()) if (!names.has(name)) sequences.delete(name);
    },
  };
}
