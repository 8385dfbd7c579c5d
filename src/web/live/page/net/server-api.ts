import type {
  Board,
  EventLines,
  EventSnapshot,
  EventStatistics,
  LiveFeeds,
  Story,
} from '../../answers/live-page-answers.ts';
import type { EventIntelligence, EventProbabilities } from '../../answers/live-page-intelligence.ts';
import type { OddsScreen } from '../../answers/odds-screen-answers.ts';

/** The server answered with an error, or not at all (status 0). */
export class ServerError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const fetchOddsScreen = (query: string, signal: AbortSignal): Promise<OddsScreen> =>
  fetchJson(`/live/odds?${query}`, signal);

/** An aborted `signal` rejects with an AbortError. All functions may throw ServerError. */
export const fetchBoard = (date: string | null, signal: AbortSignal): Promise<Board> =>
  fetchJson(date === null ? '/live/board' : `/live/board?date=${date}`, signal);

export const fetchEventSnapshot = (id: number, asOf: number | null, signal: AbortSignal): Promise<EventSnapshot> =>
  fetchJson(`/live/events/${id}${asOfQuery(asOf)}`, signal);

export const fetchLines = (id: number, asOf: number | null, signal: AbortSignal): Promise<EventLines> =>
  fetchJson(`/live/events/${id}/lines${asOfQuery(asOf)}`, signal);

export const fetchIntelligence = (id: number, asOf: number | null, signal: AbortSignal): Promise<EventIntelligence> =>
  fetchJson(`/live/events/${id}/intelligence${asOfQuery(asOf)}`, signal);

export const fetchFeeds = (signal: AbortSignal): Promise<LiveFeeds> => fetchJson('/live/feeds', signal);

const asOfQuery = (asOf: number | null): string => (asOf === null ? '' : `?as_of=${new Date(asOf).toISOString()}`);

export const fetchStatistics = (id: number, signal: AbortSignal): Promise<EventStatistics> =>
  fetchJson(`/live/events/${id}/stats`, signal);

export const fetchProbabilities = (id: number, signal: AbortSignal): Promise<EventProbabilities> =>
  fetchJson(`/live/events/${id}/probabilities`, signal);

export const fetchStory = (id: number, signal: AbortSignal): Promise<Story> =>
  fetchJson(`/live/events/${id}/story`, signal);

async function fetchJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal, headers: { Accept: 'application/json' } }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new ServerError(0, 'The server cannot be reached.');
  });
  if (!response.ok) throw new ServerError(response.status, await messageOf(response));
  return (await response.json()) as T;
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { error?: { message?: unknown } } | null;
  const message = body?.error?.message;
  return typeof message === 'string' ? message : `The server answered ${response.status}.`;
}
