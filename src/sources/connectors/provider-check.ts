import { findLeague } from '../../domain/catalogue/catalogue.ts';
import { parseMessage } from '../../domain/feed/parse-message.ts';
import { cacheAgeMs, type LeagueView, type ProviderRequest, UnknownAnswerShape } from '../provider-base/provider.ts';
import { classifyAnswer } from './answer-classification.ts';
import type { PolledProvider } from './connectors.ts';
import type { HttpExchange, ProviderClient } from './provider-client.ts';
import { type AnswerContents, readAnswer, requestUrls } from './request-runner.ts';

/** Result of a first round of requests. */
interface ProviderCheckReport {
  /** What to do about it if the provider refuses this server, else null. The other requests are then not sent. */
  refused: string | null;
  readonly source: string;
  /** The headers of the first request, as they were sent. */
  headers: Readonly<Record<string, string>>;
  readonly requests: {
    /** Without the operator's key. */
    readonly url: string;
    /** Null if no answer came. */
    readonly status: number | null;
    readonly ms: number;
    readonly bytes: number;
    readonly error: { readonly code: string; readonly message: string } | null;
  }[];
  /** Number of events for each requested league. */
  readonly leagues: Record<string, number>;
  /** By kind. */
  readonly messages: Record<string, number>;
  rejected: number;
  readonly drift: { readonly path: string; readonly problem: string }[];
  /** Cost in the provider's credits, as the provider reports it. */
  credits: number;
}

interface ProviderCheckParts {
  readonly polled: PolledProvider;
  readonly leagues: readonly string[];
  /** Requests every league as if it played soon, which may cost credits. */
  readonly isSoon: boolean;
  readonly client: ProviderClient;
  /** Milliseconds. */
  readonly now: () => number;
  readonly onMessage: (message: Readonly<Record<string, unknown>>) => void;
}

const AT_ONCE = 4;
const OF_EVENTS: ReadonlySet<unknown> = new Set(['schedule', 'score', 'odds', 'splits', 'box', 'lineup']);

/** Sends once the requests that a provider gets before anything is known. Records nothing. */
export async function checkProvider(parts: ProviderCheckParts): Promise<ProviderCheckReport> {
  const { polled, leagues, isSoon, client, now, onMessage } = parts;
  const { provider } = polled;
  const views = (state: LeagueView['state']): LeagueView[] =>
    leagues.map((league) => ({ sport: findLeague(league)!.sport, league, state, events: [], teamRefs: [] }));
  const idle = provider.requests(views('idle'), now());
  // A provider without requests for idle leagues would not be checked at all, so check it as if the leagues played
  // soon.
  const requests = isSoon || idle.length === 0 ? provider.requests(views('soon'), now()) : idle;
  const report: ProviderCheckReport = {
    refused: null,
    source: provider.name,
    headers: {},
    requests: [],
    leagues: Object.fromEntries(leagues.map((league) => [league, 0])),
    messages: {},
    rejected: 0,
    drift: [],
    credits: 0,
  };
  const events = new Set<string>();
  const waiting = [...requests];

  async function sendAll(): Promise<void> {
    for (let next = waiting.shift(); next && report.refused === null; next = waiting.shift()) await sendOne(next);
  }

  async function sendOne(request: ProviderRequest): Promise<void> {
    const urls = requestUrls(polled, request);
    const exchanged = await client(urls.url, {}, new AbortController().signal);
    if (!exchanged) return;
    if (report.requests.length === 0) report.headers = exchanged.sentHeaders;
    report.credits += Number(exchanged.headers['x-requests-last'] ?? 0) || 0;
    const { status, durationMs, bytes } = exchanged;
    const error = await read(request, exchanged);
    report.requests.push({ url: urls.publicUrl, status: status ?? null, ms: Math.round(durationMs), bytes, error });
  }

  async function read(
    request: ProviderRequest,
    exchanged: HttpExchange,
  ): Promise<ProviderCheckReport['requests'][number]['error']> {
    const judged = await classifyAnswer(exchanged, now(), polled.key !== undefined);
    if (judged.kind === 'not_modified') return null;
    if (judged.kind === 'failed') {
      if (judged.refused === 'sender') report.refused ??= judged.message;
      return { code: judged.code, message: judged.message };
    }
    const { arrivedAt, headers } = exchanged;
    try {
      const answer = { request, body: judged.body, arrivedAt, observedAt: arrivedAt - cacheAgeMs(headers) };
      collect(await readAnswer(provider, answer), request);
      return null;
    } catch (error) {
      if (!(error instanceof UnknownAnswerShape)) throw error;
      report.drift.push({ path: error.path, problem: error.problem });
      return { code: error.code, message: error.message };
    }
  }

  function collect({ messages, rejected, drift }: AnswerContents, { league }: ProviderRequest): void {
    report.rejected += rejected.length;
    report.drift.push(...drift);
    for (const message of messages) {
      const { kind, ref, match } = message;
      if (!('message' in parseMessage(message))) report.rejected++;
      report.messages[String(kind)] = (report.messages[String(kind)] ?? 0) + 1;
      const event = `${league} ${JSON.stringify(ref ?? match)}`;
      if (league !== undefined && OF_EVENTS.has(kind) && !events.has(event)) {
        events.add(event);
        report.leagues[league] = (report.leagues[league] ?? 0) + 1;
      }
      onMessage(message);
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
  return report;
}

/** Whether the check found no problem. */
export const isCleanCheck = ({ requests, rejected, drift }: ProviderCheckReport): boolean =>
  requests.every(({ error }) => error === null) && rejected === 0 && drift.length === 0;
