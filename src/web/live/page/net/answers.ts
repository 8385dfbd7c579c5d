import type { EventIntelligence, EventProbabilities } from '../../intelligence-answers.ts';
import type { Board, EventLines, EventMoment, EventStatistics, LiveFeeds, Story } from '../../live-answers.ts';

/** The server answered with an error, or not at all (status 0). */
export class AnswerError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** `signal` gives a request up; it then rejects with an AbortError. Every function may throw AnswerError. */
export const fetchBoard = (date: string | null, signal: AbortSignal): Promise<Board> =>
  answer(date === null ? '/live/board' : `/live/board?date=${date}`, signal);

export const fetchMoment = (id: number, asOf: number | null, signal: AbortSignal): Promise<EventMoment> =>
  answer(`/live/events/${id}${then(asOf)}`, signal);

export const fetchLines = (id: number, asOf: number | null, signal: AbortSignal): Promise<EventLines> =>
  answer(`/live/events/${id}/lines${then(asOf)}`, signal);

export const fetchIntelligence = (id: number, asOf: number | null, signal: AbortSignal): Promise<EventIntelligence> =>
  answer(`/live/events/${id}/intelligence${then(asOf)}`, signal);

export const fetchFeeds = (signal: AbortSignal): Promise<LiveFeeds> => answer('/live/feeds', signal);

const then = (asOf: number | null): string => (asOf === null ? '' : `?as_of=${new Date(asOf).toISOString()}`);

export const fetchStatistics = (id: number, signal: AbortSignal): Promise<EventStatistics> =>
  answer(`/live/events/${id}/stats`, signal);

export const fetchProbabilities = (id: number, signal: AbortSignal): Promise<EventProbabilities> =>
  answer(`/live/events/${id}/probabilities`, signal);

export const fetchStory = (id: number, signal: AbortSignal): Promise<Story> =>
  answer(`/live/events/${id}/story`, signal);

async function answer<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal, headers: { Accept: 'application/json' } }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new AnswerError(0, 'The server cannot be reached.');
  });
  if (!response.ok) throw new AnswerError(response.status, await messageOf(response));
  return (await response.json()) as T;
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { error?: { message?: unknown } } | null;
  const message = body?.error?.message;
  return typeof message === 'string' ? message : `The server answered ${response.status}.`;
}
