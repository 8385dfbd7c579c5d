import type { ProviderRequest } from '../provider-base/provider.ts';

/** Result of a request. `again`: repeating it soon may help. */
export type RequestResult = 'success' | 'again' | 'failed';

interface RequestState {
  /** Milliseconds of the monotonic clock. */
  at: number;
  /** Random factor of the current interval. */
  factor: number;
  /** Failures of the current round. */
  failures: number;
  retryAt: number | undefined;
  isDone: boolean;
  isUnderWay: boolean;
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
  dueAt(question: ProviderRequest): number;
  begin(question: ProviderRequest, now: number): void;
  end(question: ProviderRequest, now: number, end: RequestResult): void;
  /** The request was not sent after all: restores its due time. */
  undoBegin(question: ProviderRequest): void;
  /** Forgets requests that no longer exist. */
  keepOnly(questions: readonly ProviderRequest[]): void;
}

export function createRequestSchedule({ pace, random }: RequestScheduleOptions): RequestSchedule {
  const asked = new Map<string, RequestState>();
  /** When a request of each sequence was last sent, by name of the sequence. */
  const lines = new Map<string, number>();
  const before = new Map<string, { readonly asked: RequestState | undefined; readonly line: number | undefined }>();

  const waitOf = ({ intervalSeconds }: ProviderRequest, { factor }: RequestState): number =>
    ((intervalSeconds === 'once' ? ONE_TIME_RETRY_SECONDS : intervalSeconds) * 1000 * factor) / pace;

  function ownDueAt(question: ProviderRequest): number {
    const last = asked.get(question.key);
    if (!last) return Number.NEGATIVE_INFINITY;
    if (last.isUnderWay || (last.isDone && question.intervalSeconds === 'once')) return Number.POSITIVE_INFINITY;
    return last.retryAt ?? last.at + waitOf(question, last);
  }

  return {
    dueAt(question) {
      const due = ownDueAt(question);
      const { sequence } = question;
      const last = sequence && lines.get(sequence.name);
      return last === undefined ? due : Math.max(due, last + (sequence!.apart * 1000) / pace);
    },
    begin(question, now) {
      const { key, sequence } = question;
      const last = asked.get(key);
      before.set(key, { asked: last, line: sequence && lines.get(sequence.name) });
      const factor = 0.9 + 0.2 * random();
      asked.set(key, {
        ...{ at: now, factor, retryAt: undefined, isUnderWay: true },
        failures: last?.failures ?? 0,
        isDone: last?.isDone ?? false,
      });
      if (sequence) lines.set(sequence.name, now);
    },
    end(question, now, end) {
      before.delete(question.key);
      const last = asked.get(question.key);
      if (!last) return;
      last.isUnderWay = false;
      if (end === 'again' && last.failures < RETRY_SECONDS.length) {
        last.retryAt = now + (RETRY_SECONDS[last.failures]! * 1000) / pace;
        last.failures++;
        return;
      }
      last.failures = 0;
      last.isDone ||= end === 'success';
      // Skip rounds that were missed.
      const wait = waitOf(question, last);
      if (wait > 0 && now > last.at + wait) last.at += Math.floor((now - last.at) / wait) * wait;
    },
    undoBegin({ key, sequence }) {
      const was = before.get(key);
      before.delete(key);
      if (was?.asked) asked.set(key, was.asked);
      else asked.delete(key);
      if (!sequence) return;
      if (was?.line === undefined) lines.delete(sequence.name);
      else lines.set(sequence.name, was.line);
    },
    keepOnly(questions) {
      const keys = new Set(questions.map(({ key }) => key));
      for (const [key, { isUnderWay }] of asked) if (!isUnderWay && !keys.has(key)) asked.delete(key);
      const names = new Set(questions.flatMap(({ sequence }) => (sequence ? [sequence.name] : [])));
      for (const name of lines.keys()) if (!names.has(name)) lines.delete(name);
    },
  };
}
