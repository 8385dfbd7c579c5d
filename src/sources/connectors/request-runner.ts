import type { Intake, Outcome } from '../../ingest/intake/intake.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { isFull, isHeld } from '../provider-base/answer-notes.ts';
import {
  cacheAgeMs,
  type Provider,
  type ProviderAnswer,
  type ProviderRequest,
  UnknownAnswerShape,
} from '../provider-base/provider.ts';
import type { ScoreGuard } from '../provider-base/score-guard.ts';
import type { AnswerArchive } from './answer-archive.ts';
import { classifyAnswer, type FailedAnswer, parseAnswer, type Refusal } from './answer-classification.ts';
import type { ConnectorFigures, RequestOutcome } from './connector-figures.ts';
import type { CachedProviderAnswer, ProviderAnswerCache } from './provider-answer-cache.ts';
import type { ReportedQuota } from './provider-budget.ts';
import type { HttpExchange, ProviderClient } from './provider-client.ts';
import { MIN_REPEAT_MS, type RecentMessages } from './recent-messages.ts';
import type { RequestResult } from './request-schedule.ts';

export interface RequestRunnerParts {
  /** Name of the connector: that of its provider, but for a second host of the same. */
  readonly name: string;
  readonly provider: Provider;
  /** Scheme, host and port, perhaps a prefix; without a slash at its end. */
  readonly address: string;
  /** The operator's key, added to the query. */
  readonly key?: { readonly name: string; readonly value: string } | undefined;
  readonly client: ProviderClient;
  readonly intake: Intake;
  readonly answerCache: ProviderAnswerCache;
  readonly recentMessages: RecentMessages;
  readonly archive?: AnswerArchive | undefined;
  readonly figures: ConnectorFigures;
  /** Holds back what the provider seems to have told wrongly. */
  readonly guard: Pick<ScoreGuard, 'held' | 'flaps' | 'decidesAt'>;
  /** Milliseconds. */
  readonly now: () => number;
  /** A message could not be ingested; the provider is not at fault. */
  readonly onError: (error: unknown) => void;
}

/** Result of one request. */
export interface RequestReport {
  readonly result: RequestResult;
  /** The host, or a proxy before it, has failed. False if an answer came that cannot be used. */
  readonly hostFailed: boolean;
  readonly waitMs?: number;
  /** The answer is as long as it may be: the provider may be asked in another way. */
  readonly isFull?: true;
  /** Something of the answer was held back: another answer should follow, at this time of the wall clock at the latest. */
  readonly decidesAt?: number;
  readonly refused?: Refusal;
  readonly quota: ReportedQuota | 'notSent';
  /** Needed members that an answer lacks or has otherwise; undefined if none was read. */
  readonly drift?: readonly string[];
}

/** The URL of a request: without the key for display, and with it for sending. */
export function requestUrls(
  { address, key }: Pick<RequestRunnerParts, 'address' | 'key'>,
  { path, query }: Pick<ProviderRequest, 'path' | 'query'>,
): { readonly url: string; readonly publicUrl: string } {
  const url = (value: string) => {
    const parameters = new URLSearchParams({ ...(key ? { [key.name]: value } : {}), ...query });
    // Providers use commas in lists, and some caches distinguish an encoded comma from a plain one.
    const text = parameters.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
    return `${address}${path}${text === '' ? '' : `?${text}`}`;
  };
  return { url: url(key?.value ?? ''), publicUrl: url('***').replaceAll('%2A', '*') };
}

/** Sends a request once and ingests the messages of the answer. Undefined if the signal aborted it. */
export function createRequestRunner(parts: RequestRunnerParts) {
  const { name, provider, client, intake, answerCache, recentMessages, archive, figures, guard, now, onError } = parts;

  return async (request: ProviderRequest, signal: AbortSignal): Promise<RequestReport | undefined> => {
    const urls = requestUrls(parts, request);
    const before = answerCache.get(urls.publicUrl);
    const exchanged = await client(urls.url, conditionalHeaders(before), signal);
    if (!exchanged) return undefined;
    if (exchanged.status !== 304) archive?.add(toArchivedAnswer(exchanged, urls.publicUrl));
    const quota = quotaOf(exchanged);
    const classified = await classifyAnswer(exchanged, now(), parts.key !== undefined);
    if (classified.kind === 'failed') {
      if (classified.isMissing) provider.missing?.(request);
      return { ...fail(classified), quota };
    }
    if (classified.kind === 'not_modified')
      return { ...(await reconfirm(request, exchanged, before, urls.publicUrl)), quota };
    return { ...(await ingestAnswer(request, exchanged, classified.body, urls.publicUrl)), quota };
  };

  function fail({
    outcome,
    code,
    message,
    result,
    waitMs,
    refused,
    isMissing,
  }: FailedAnswer): Omit<RequestReport, 'quota'> {
    figures.request(outcome);
    figures.error(refused === 'quota' ? 'quota' : 'failed', code, message, now());
    return {
      result,
      hostFailed: refused === undefined && isMissing === undefined,
      ...(waitMs !== undefined && { waitMs }),
      ...(refused !== undefined && { refused }),
    };
  }

  async function ingestAnswer(
    request: ProviderRequest,
    { headers, body, arrivedAt }: HttpExchange,
    value: unknown,
    url: string,
  ): Promise<Omit<RequestReport, 'quota'>> {
    const lastModified = headers['last-modified'];
    if (answerCache.isStale(url, lastModified)) {
      figures.request('stale');
      return { result: 'success', hostFailed: false };
    }
    const observedAt = arrivedAt - cacheAgeMs(headers);
    return read({ request, body: value, observedAt, arrivedAt }, 'ok', () => {
      answerCache.noteLastModified(url, lastModified);
      answerCache.set(url, { etag: headers['etag'], lastModified, body: body ?? '', readAt: observedAt });
    });
  }

  /** The provider confirms that its last answer is still true. */
  async function reconfirm(
    request: ProviderRequest,
    { headers, arrivedAt }: HttpExchange,
    before: CachedProviderAnswer | undefined,
    url: string,
  ): Promise<Omit<RequestReport, 'quota'>> {
    const observedAt = arrivedAt - cacheAgeMs(headers);
    // An answer that was held back is believed when it is confirmed.
    const isNews = guard.held(name) > 0 || (before && observedAt - before.readAt >= MIN_REPEAT_MS);
    if (!before || !isNews) {
      figures.request('not_modified');
      figures.succeeded(arrivedAt);
      return { result: 'success', hostFailed: false };
    }
    return read({ request, body: await parseAnswer(before.body), observedAt, arrivedAt }, 'not_modified', () =>
      answerCache.set(url, { ...before, readAt: observedAt }),
    );
  }

  async function read(
    answer: ProviderAnswer,
    outcome: RequestOutcome,
    ingested: () => void,
  ): Promise<Omit<RequestReport, 'quota'>> {
    let drift: readonly string[] = [];
    try {
      const { messages, rejected, drift: found } = await readAnswer(provider, answer);
      figures.request(isFull(answer) ? 'full' : outcome);
      figures.rejected(rejected.length);
      drift = found.map(({ path, problem }) => `${path}: ${problem}`);
      if (drift.length > 0) figures.error('partial', 'drift', drift[0]!, answer.arrivedAt);
      await ingestMessages(intake, recentMessages, messages, (message, { status }) =>
        figures.message(String(message['kind']), status),
      );
    } catch (error) {
      provider.forgetPublished?.();
      if (error instanceof UnknownAnswerShape) {
        figures.request('drift');
        figures.error('unknown_shape', 'drift', error.message, answer.arrivedAt);
        return { result: 'failed', hostFailed: false, drift: [error.message] };
      }
      onError(error);
      return { result: 'failed', hostFailed: false };
    }
    figures.succeeded(answer.arrivedAt);
    ingested();
    return {
      result: 'success',
      hostFailed: false,
      drift,
      ...(isHeld(answer) && { decidesAt: guard.decidesAt(name) ?? now() }),
      ...(isFull(answer) && { isFull: true }),
    };
  }
}

function conditionalHeaders(before: CachedProviderAnswer | undefined): Readonly<Record<string, string>> {
  return {
    ...(before?.etag !== undefined && { 'if-none-match': before.etag }),
    ...(before?.lastModified !== undefined && { 'if-modified-since': before.lastModified }),
  };
}

function quotaOf({ headers, failure, status }: HttpExchange): RequestReport['quota'] {
  if (failure?.notSent) return 'notSent';
  const remaining = credits(headers['x-requests-remaining']);
  const last = credits(headers['x-requests-last']);
  // A refused request costs nothing.
  return { remaining, last: last ?? (status === 401 || status === 429 ? 0 : undefined) };
}

const credits = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;

const toArchivedAnswer = ({ arrivedAt, status, headers, body }: HttpExchange, url: string) => ({
  received_at: new Date(arrivedAt).toISOString(),
  url,
  status: status ?? null,
  headers,
  body,
});

type Message = Readonly<Record<string, unknown>>;

/** Contents of an answer. */
export interface AnswerContents {
  readonly messages: readonly Message[];
  /** Why events of the answer could not be read. */
  readonly rejected: readonly { readonly code: string; readonly message: string }[];
  /** Needed members are missing or otherwise in a fifth of the answer's events or more. */
  readonly drift: readonly { readonly path: string; readonly problem: string }[];
}

/** Reads the whole answer before anything is ingested: an answer of unknown shape is dropped as a whole. @throws
 *  UnknownAnswerShape */
export async function readAnswer(provider: Provider, answer: ProviderAnswer): Promise<AnswerContents> {
  const read = {
    messages: [] as Message[],
    rejected: [] as AnswerContents['rejected'][number][],
    drift: [] as AnswerContents['drift'][number][],
  };
  for await (const item of provider.read(answer)) {
    await yieldToEventLoop();
    if ('message' in item) read.messages.push(item.message);
    else if ('rejected' in item) read.rejected.push(item.rejected);
    else if ('drift' in item) read.drift.push(item.drift);
  }
  return read;
}

/** Number of messages ingested at once. */
const BATCH = 200;

/** Ingests the messages that are no recent repeats. @param onOutcome called with the outcome of each ingested message */
async function ingestMessages(
  intake: Intake,
  recentMessages: RecentMessages,
  messages: readonly Message[],
  onOutcome: (message: Message, outcome: Outcome) => void,
): Promise<void> {
  const news: Message[] = [];
  for (const message of messages) {
    await yieldToEventLoop();
    if (!recentMessages.isRepeat(message)) news.push(message);
  }
  for (let from = 0; from < news.length; from += BATCH) {
    const batch = news.slice(from, from + BATCH);
    const items = batch.map((value, index) => ({
      line: from + index + 1,
      value,
      throttleMs: MIN_REPEAT_MS,
      senderForgets: !recentMessages.hasSubject(value),
    }));
    const { outcomes } = await intake.accept(items);
    for (const [index, message] of batch.entries()) {
      const outcome = outcomes[index]!;
      onOutcome(message, outcome);
      if (outcome.status !== 'rejected') recentMessages.add(message);
    }
  }
}
