import type { Intake, Outcome } from '../../ingest/intake/intake.ts';
import {
  cacheAgeMs,
  type Provider,
  type ProviderAnswer,
  type ProviderRequest,
  UnknownAnswerShape,
} from '../provider-base/provider.ts';
import type { AnswerArchive } from './answer-archive.ts';
import { classifyAnswer, type FailedAnswer } from './answer-classification.ts';
import type { ConnectorFigures, RequestOutcome } from './connector-figures.ts';
import type { CachedProviderAnswer, ProviderAnswerCache } from './provider-answer-cache.ts';
import type { ReportedQuota } from './provider-budget.ts';
import type { HttpExchange, ProviderClient } from './provider-client.ts';
import { MIN_REPEAT_MS, type RecentMessages } from './recent-messages.ts';
import type { RequestResult } from './request-schedule.ts';

export interface RequestRunnerParts {
  readonly provider: Provider;
  /** Scheme, host and port, perhaps a prefix; without a slash at its end. */
  readonly address: string;
  /** The operator's key, which goes with the query. */
  readonly key?: { readonly name: string; readonly value: string } | undefined;
  readonly client: ProviderClient;
  readonly intake: Intake;
  readonly answerCache: ProviderAnswerCache;
  readonly recentMessages: RecentMessages;
  readonly archive?: AnswerArchive | undefined;
  readonly figures: ConnectorFigures;
  /** Milliseconds. */
  readonly now: () => number;
  /** What was read could not be taken, which is no fault of the provider's. */
  readonly onError: (error: unknown) => void;
}

/** What came of one request. */
export interface RequestReport {
  readonly result: RequestResult;
  /** The host has failed, or what stands before it; an answer that cannot be used was given all the same. */
  readonly hostFailed: boolean;
  readonly restMs?: number;
  readonly refused?: 'key' | 'quota';
  readonly quota: ReportedQuota | 'notSent';
  /** Members that are not as expected, of an answer that was read; undefined where none was. */
  readonly drift?: readonly string[];
}

/** The URL of a question: as it may be told to anybody, and as it is asked. */
export function requestUrls(
  { address, key }: Pick<RequestRunnerParts, 'address' | 'key'>,
  { path, query }: Pick<ProviderRequest, 'path' | 'query'>,
): { readonly asked: string; readonly told: string } {
  const url = (value: string) => {
    const parameters = new URLSearchParams({ ...(key ? { [key.name]: value } : {}), ...query });
    // Commas stand in lists of providers, and some caches tell an encoded one from a plain one.
    const text = parameters.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
    return `${address}${path}${text === '' ? '' : `?${text}`}`;
  };
  return { asked: url(key?.value ?? ''), told: url('***').replaceAll('%2A', '*') };
}

/** Asks a question once, and hands over what the answer says. Undefined where it was broken off by the signal. */
export function createRequestRunner(parts: RequestRunnerParts) {
  const { provider, client, intake, answerCache, recentMessages, archive, figures, now, onError } = parts;

  return async (question: ProviderRequest, signal: AbortSignal): Promise<RequestReport | undefined> => {
    const urls = requestUrls(parts, question);
    const before = answerCache.get(urls.told);
    const exchanged = await client(urls.asked, conditionalHeaders(before), signal);
    if (!exchanged) return undefined;
    if (exchanged.status !== 304) archive?.add(toArchivedAnswer(exchanged, urls.told));
    const quota = quotaOf(exchanged);
    const judged = classifyAnswer(exchanged, now());
    if (judged.kind === 'failed') return { ...fail(judged), quota };
    if (judged.kind === 'not_modified') return { ...(await reconfirm(question, exchanged, before, urls.told)), quota };
    return { ...(await take(question, exchanged, judged.body, urls.told)), quota };
  };

  function fail({
    outcome,
    code,
    message,
    result,
    restMs,
    refused,
    isMissing,
  }: FailedAnswer): Omit<RequestReport, 'quota'> {
    figures.request(outcome);
    figures.error(code, message, now(), refused !== 'quota');
    return {
      result,
      hostFailed: refused === undefined && isMissing === undefined,
      ...(restMs !== undefined && { restMs }),
      ...(refused !== undefined && { refused }),
    };
  }

  async function take(
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

  /** The provider has looked: what it said stands. */
  async function reconfirm(
    request: ProviderRequest,
    { headers, arrivedAt }: HttpExchange,
    before: CachedProviderAnswer | undefined,
    url: string,
  ): Promise<Omit<RequestReport, 'quota'>> {
    const observedAt = arrivedAt - cacheAgeMs(headers);
    if (!before || observedAt - before.readAt < MIN_REPEAT_MS) {
      figures.request('not_modified');
      figures.succeeded(arrivedAt);
      return { result: 'success', hostFailed: false };
    }
    return read({ request, body: JSON.parse(before.body), observedAt, arrivedAt }, 'not_modified', () =>
      answerCache.set(url, { ...before, readAt: observedAt }),
    );
  }

  async function read(
    answer: ProviderAnswer,
    outcome: RequestOutcome,
    taken: () => void,
  ): Promise<Omit<RequestReport, 'quota'>> {
    let drift: readonly string[] = [];
    try {
      const { messages, rejected, drift: found } = await readAnswer(provider, answer);
      figures.request(outcome);
      figures.rejected(rejected.length);
      drift = found.map(({ path, problem }) => `${path}: ${problem}`);
      if (drift.length > 0) figures.error('drift', drift[0]!, answer.arrivedAt, false);
      await ingestMessages(intake, recentMessages, messages, (message, { status }) =>
        figures.message(String(message['kind']), status),
      );
    } catch (error) {
      provider.forgetPublished?.();
      if (error instanceof UnknownAnswerShape) {
        figures.request('drift');
        figures.error('drift', error.message, answer.arrivedAt, true);
        return { result: 'failed', hostFailed: false, drift: [error.message] };
      }
      onError(error);
      return { result: 'failed', hostFailed: false };
    }
    figures.succeeded(answer.arrivedAt);
    taken();
    return { result: 'success', hostFailed: false, drift };
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
  // Refused at the door, it costs nothing.
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

/** What an answer said. */
export interface AnswerContents {
  readonly messages: readonly Message[];
  /** Why events of it could not be read. */
  readonly rejected: readonly { readonly code: string; readonly message: string }[];
  /** Members that are not as expected in a fifth of its events or more. */
  readonly drift: readonly { readonly path: string; readonly problem: string }[];
}

/** All of it before anything is handed over: an answer of no known shape is dropped whole. @throws UnknownAnswer */
export async function readAnswer(provider: Provider, answer: ProviderAnswer): Promise<AnswerContents> {
  const read = {
    messages: [] as Message[],
    rejected: [] as AnswerContents['rejected'][number][],
    drift: [] as AnswerContents['drift'][number][],
  };
  for await (const item of provider.read(answer)) {
    if ('message' in item) read.messages.push(item.message);
    else if ('rejected' in item) read.rejected.push(item.rejected);
    else if ('drift' in item) read.drift.push(item.drift);
  }
  return read;
}

/** Messages that are handed over at once. */
const BATCH = 200;

/** Hands over what was not said a moment ago. @param told what became of each that was handed over */
async function ingestMessages(
  intake: Intake,
  said: RecentMessages,
  messages: readonly Message[],
  told: (message: Message, outcome: Outcome) => void,
): Promise<void> {
  const news = messages.filter((message) => !said.isRepeat(message));
  for (let from = 0; from < news.length; from += BATCH) {
    const batch = news.slice(from, from + BATCH);
    const items = batch.map((value, index) => ({
      ...{ line: from + index + 1, value, throttleMs: MIN_REPEAT_MS, senderForgets: !said.hasSubject(value) },
    }));
    const { outcomes } = await intake.accept(items);
    for (const [index, message] of batch.entries()) {
      const outcome = outcomes[index]!;
      told(message, outcome);
      if (outcome.status !== 'rejected') said.add(message);
    }
  }
}
