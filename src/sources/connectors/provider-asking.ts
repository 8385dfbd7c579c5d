import type { Intake } from '../../ingest/intake.ts';
import { ageOf } from '../importing/answer-age.ts';
import { type Provider, type Question, type TakenAnswer, UnknownAnswer } from '../importing/connector.ts';
import type { AnswerArchive } from './answer-archive.ts';
import type { AnswerMemory, RememberedAnswer } from './answer-memory.ts';
import { type Failed, judgeAnswer } from './answer-outcome.ts';
import { handOver, readAnswer } from './answer-taking.ts';
import type { AskedEnd } from './askings.ts';
import type { ConnectorFigures, RequestOutcome } from './connector-figures.ts';
import type { QuotaTold } from './provider-budget.ts';
import type { AskProvider, Exchanged } from './provider-request.ts';
import { SAME_AGAIN_MS, type SaidLately } from './said-lately.ts';

export interface ProviderAskingParts {
  readonly provider: Provider;
  /** Scheme, host and port, perhaps a prefix; without a slash at its end. */
  readonly address: string;
  /** The operator's key, which goes with the query. */
  readonly key?: { readonly name: string; readonly value: string } | undefined;
  readonly ask: AskProvider;
  readonly intake: Intake;
  readonly memory: AnswerMemory;
  readonly said: SaidLately;
  readonly archive?: AnswerArchive | undefined;
  readonly figures: ConnectorFigures;
  /** Milliseconds. */
  readonly now: () => number;
  /** What was read could not be taken, which is no fault of the provider's. */
  readonly onError: (error: unknown) => void;
}

/** What came of one request. */
export interface AskedOnce {
  readonly end: AskedEnd;
  /** The host has failed, or what stands before it; an answer that cannot be used was given all the same. */
  readonly hostFailed: boolean;
  readonly restMs?: number;
  readonly refused?: 'key' | 'quota';
  readonly quota: QuotaTold | 'notSent';
  /** Members that are not as expected, of an answer that was read; undefined where none was. */
  readonly drift?: readonly string[];
}

/** The URL of a question: as it may be told to anybody, and as it is asked. */
export function urlsOf(
  { address, key }: Pick<ProviderAskingParts, 'address' | 'key'>,
  { path, query }: Pick<Question, 'path' | 'query'>,
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
export function createProviderAsking(parts: ProviderAskingParts) {
  const { provider, ask, intake, memory, said, archive, figures, now, onError } = parts;

  return async (question: Question, signal: AbortSignal): Promise<AskedOnce | undefined> => {
    const urls = urlsOf(parts, question);
    const before = memory.get(urls.told);
    const exchanged = await ask(urls.asked, conditions(before), signal);
    if (!exchanged) return undefined;
    if (exchanged.status !== 304) archive?.add(archived(exchanged, urls.told));
    const quota = quotaOf(exchanged);
    const judged = judgeAnswer(exchanged, now());
    if (judged.kind === 'failed') return { ...fail(judged), quota };
    if (judged.kind === 'not_modified') return { ...(await reconfirm(question, exchanged, before, urls.told)), quota };
    return { ...(await take(question, exchanged, judged.body, urls.told)), quota };
  };

  function fail({ outcome, code, message, end, restMs, refused, isMissing }: Failed): Omit<AskedOnce, 'quota'> {
    figures.request(outcome);
    figures.error(code, message, now(), refused !== 'quota');
    return {
      end,
      hostFailed: refused === undefined && isMissing === undefined,
      ...(restMs !== undefined && { restMs }),
      ...(refused !== undefined && { refused }),
    };
  }

  async function take(
    question: Question,
    { headers, body, arrivedAt }: Exchanged,
    value: unknown,
    url: string,
  ): Promise<Omit<AskedOnce, 'quota'>> {
    const lastModified = headers['last-modified'];
    if (memory.isStale(url, lastModified)) {
      figures.request('stale');
      return { end: 'success', hostFailed: false };
    }
    const observedAt = arrivedAt - ageOf(headers);
    return read({ question, body: value, observedAt, arrivedAt }, 'ok', () => {
      memory.took(url, lastModified);
      memory.set(url, { etag: headers['etag'], lastModified, body: body ?? '', readAt: observedAt });
    });
  }

  /** The provider has looked: what it said stands. */
  async function reconfirm(
    question: Question,
    { headers, arrivedAt }: Exchanged,
    before: RememberedAnswer | undefined,
    url: string,
  ): Promise<Omit<AskedOnce, 'quota'>> {
    const observedAt = arrivedAt - ageOf(headers);
    if (!before || observedAt - before.readAt < SAME_AGAIN_MS) {
      figures.request('not_modified');
      figures.succeeded(arrivedAt);
      return { end: 'success', hostFailed: false };
    }
    return read({ question, body: JSON.parse(before.body), observedAt, arrivedAt }, 'not_modified', () =>
      memory.set(url, { ...before, readAt: observedAt }),
    );
  }

  async function read(
    answer: TakenAnswer,
    outcome: RequestOutcome,
    taken: () => void,
  ): Promise<Omit<AskedOnce, 'quota'>> {
    let drift: readonly string[] = [];
    try {
      const { messages, rejected, drift: found } = await readAnswer(provider, answer);
      figures.request(outcome);
      figures.rejected(rejected.length);
      drift = found.map(({ path, problem }) => `${path}: ${problem}`);
      if (drift.length > 0) figures.error('drift', drift[0]!, answer.arrivedAt, false);
      await handOver(intake, said, messages, (message, { status }) => figures.message(String(message['kind']), status));
    } catch (error) {
      provider.forget?.();
      if (error instanceof UnknownAnswer) {
        figures.request('drift');
        figures.error('drift', error.message, answer.arrivedAt, true);
        return { end: 'failed', hostFailed: false, drift: [error.message] };
      }
      onError(error);
      return { end: 'failed', hostFailed: false };
    }
    figures.succeeded(answer.arrivedAt);
    taken();
    return { end: 'success', hostFailed: false, drift };
  }
}

function conditions(before: RememberedAnswer | undefined): Readonly<Record<string, string>> {
  return {
    ...(before?.etag !== undefined && { 'if-none-match': before.etag }),
    ...(before?.lastModified !== undefined && { 'if-modified-since': before.lastModified }),
  };
}

function quotaOf({ headers, failure, status }: Exchanged): AskedOnce['quota'] {
  if (failure?.notSent) return 'notSent';
  const remaining = credits(headers['x-requests-remaining']);
  const last = credits(headers['x-requests-last']);
  // Refused at the door, it costs nothing.
  return { remaining, last: last ?? (status === 401 || status === 429 ? 0 : undefined) };
}

const credits = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;

const archived = ({ arrivedAt, status, headers, body }: Exchanged, url: string) => ({
  received_at: new Date(arrivedAt).toISOString(),
  url,
  status: status ?? null,
  headers,
  body,
});
