import type { LeagueState, LeagueView, ProviderRequest } from '../provider-base/provider.ts';
import type { ConnectorHealth } from './connector-figures.ts';
import { type ConnectorState, connectorState } from './connector-state.ts';
import type { HostLimiter } from './host-limiter.ts';
import type { LeagueAnswers } from './league-answers.ts';
import type { ProviderBudget } from './provider-budget.ts';
import { createRefusalPause } from './refusal-pause.ts';
import { createRequestRunner, type RequestReport, type RequestRunnerParts, requestUrls } from './request-runner.ts';
import { createRequestSchedule } from './request-schedule.ts';
import type { ConnectorStore } from './store/connector-store.ts';

interface ProviderPollerParts extends RequestRunnerParts {
  readonly host: HostLimiter;
  /** The current views of the polled leagues. */
  readonly leagues: () => readonly LeagueView[];
  readonly answers: Pick<LeagueAnswers, 'expect' | 'answered'>;
  /** A second source, which is asked only while another one is silent. */
  readonly isStandIn: boolean;
  /** Only for a provider whose requests cost credits. */
  readonly budget?: ProviderBudget | undefined;
  readonly connectorStore: Pick<ConnectorStore, 'writeBudget'>;
  readonly pace: number;
  readonly random: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  /** A request has ended: others of the same host may start. */
  readonly onRequestEnd: () => void;
}

/** Polls one provider, whenever its owner calls `poll`. */
export interface ProviderPoller {
  readonly name: string;
  /** False for a second source that is not asked now. */
  readonly isAsking: boolean;
  /** Sends the requests that are due. @returns when to call again, in milliseconds of the monotonic clock */
  poll(): number;
  /** The league views have changed: the next `poll` computes the requests again. */
  leaguesChanged(): void;
  /** Its state while this process polls. */
  readonly state: ConnectorState;
  health(isStandby: boolean): ConnectorHealth;
  /** Aborts the running requests; resolves when the answers that have arrived are ingested. */
  stop(): Promise<void>;
}

const URGENCIES: readonly LeagueState[] = ['live', 'soon', 'later', 'idle'];
/** Requests that fall due within this time of each other are found in one scan, at pace 1. */
const SCAN_EVERY_MS = 100;
/** Seconds after which a free request is repeated of whose answer something was held back. */
const HELD_REPEAT_SECONDS = 15;
/** Seconds after which the requests are computed again even if no view has changed. */
const REFRESH_SECONDS = 10;

interface DueRequest {
  readonly request: ProviderRequest;
  readonly at: number;
}

export function createProviderPoller(parts: ProviderPollerParts): ProviderPoller {
  const { name, provider, figures, guard, answers, host, budget, connectorStore, pace, steadyNow, now, onError } =
    parts;
  const schedule = createRequestSchedule(parts);
  const runRequest = createRequestRunner(parts);
  const stopping = new AbortController();
  const runningByUrl = new Map<string, Promise<void>>();
  /** By key of the request. */
  const drifting = new Map<string, string>();
  const urls = new WeakMap<ProviderRequest, string>();
  let requests: readonly ProviderRequest[] = [];
  let requestsUntil = Number.NEGATIVE_INFINITY;
  /** Requests that are due and not sent yet, in sending order. */
  let queue: readonly DueRequest[] = [];
  /** No other request falls due before this time. */
  let scanAt = Number.NEGATIVE_INFINITY;
  let isFirstRound = false;
  const refusal = createRefusalPause(pace);

  /** The URL identifies a running request: two requests with the same URL never run at the same time. */
  function urlOf(request: ProviderRequest): string {
    const known = urls.get(request) ?? requestUrls(parts, request).publicUrl;
    urls.set(request, known);
    return known;
  }

  function refresh(time: number): void {
    if (time < requestsUntil) return;
    scanAt = Number.NEGATIVE_INFINITY;
    requestsUntil = time + (REFRESH_SECONDS * 1000) / pace;
    requests = provider.requests(parts.leagues(), now());
    schedule.keepOnly(requests);
    answers.expect(name, requests, time);
    const keys = new Set(requests.map(({ key }) => key));
    for (const key of drifting.keys()) if (!keys.has(key)) drifting.delete(key);
    refusal.keepOnly(keys);
  }

  /** Scans all requests: those that are due join the queue in sending order. */
  function scan(time: number): void {
    const wall = now();
    const due: DueRequest[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const request of requests) {
      const at = dueAt(request, time, wall);
      if (at > time) next = Math.min(next, at);
      else due.push({ request, at });
    }
    const firsts = due.filter(({ request, at }) => request.isPrerequisite && at === Number.NEGATIVE_INFINITY);
    // A trial after a refusal takes another request first: the refusal may concern one address alone.
    const wasRefused = ({ request: { key } }: DueRequest) =>
      Number(refusal.requestFreeAt(key) > Number.NEGATIVE_INFINITY);
    queue = (firsts.length > 0 ? firsts : due).sort((a, b) => wasRefused(a) - wasRefused(b) || byUrgency(a, b));
    isFirstRound = firsts.length > 0;
    // Also finds requests that fall due a moment later: there may be thousands.
    scanAt = Math.max(next, time + SCAN_EVERY_MS / pace);
  }

  function dueAt(request: ProviderRequest, time: number, wall: number): number {
    const own = Math.max(schedule.dueAt(request), refusal.requestFreeAt(request.key));
    return request.notBefore === undefined ? own : Math.max(own, time + request.notBefore - wall);
  }

  function poll(): number {
    if (stopping.signal.aborted) return Number.POSITIVE_INFINITY;
    const time = steadyNow();
    refresh(time);
    if (time >= scanAt) scan(time);
    let next = sendQueued(time);
    // The first round is over: queue the requests that waited for it.
    if (isFirstRound && queue.length === 0) {
      scan(time);
      next = sendQueued(time);
    }
    // More requests may be due then than are known now.
    return Math.min(next, scanAt, requestsUntil);
  }

  /**
   * Sends the queued requests that may be sent; the rest waits. @returns earliest known time at which more may be sent
   */
  function sendQueued(time: number): number {
    const waiting: DueRequest[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const [index, due] of queue.entries()) {
      const { request } = due;
      const at = dueAt(request, time, now());
      if (at > time) {
        // Another request of the same sequence was sent before it.
        scanAt = Math.min(scanAt, at);
        continue;
      }
      const freeAt = Math.max(host.freeAt(time), refusal.freeAt(time, runningByUrl.size));
      if (freeAt > time) {
        next = Math.min(next, freeAt);
        waiting.push(...queue.slice(index));
        break;
      }
      const payableIn = payableAfter(request);
      if (payableIn > 0 || runningByUrl.has(urlOf(request))) {
        if (payableIn > 0) next = Math.min(next, time + payableIn);
        waiting.push(due);
        continue;
      }
      begin(request, time);
    }
    queue = waiting;
    return next;
  }

  /** Milliseconds. */
  const payableAfter = ({ cost = 0 }: ProviderRequest): number =>
    cost > 0 && budget ? budget.freeAt(cost, now()) - now() : 0;

  function begin(request: ProviderRequest, time: number): void {
    const url = urlOf(request);
    schedule.begin(request, time);
    host.begin();
    const running = runPaidRequest(request)
      .catch((error: unknown) => {
        onError(error);
        return { result: 'failed', hostFailed: false } as const;
      })
      .then((report) => {
        runningByUrl.delete(url);
        end(request, report);
        parts.onRequestEnd();
      });
    runningByUrl.set(url, running);
  }

  async function runPaidRequest(request: ProviderRequest): Promise<Omit<RequestReport, 'quota'> | undefined> {
    const { cost = 0 } = request;
    const reservation = cost > 0 ? budget?.reserve(cost, now()) : undefined;
    // Store the reservation before the request leaves: after a crash, unknown costs count as spent.
    if (reservation) await connectorStore.writeBudget(name, budget!.stored);
    const report = await runRequest(request, stopping.signal);
    if (!report || !budget) return report;
    if (report.refused === 'quota') budget.markExhausted(now());
    if (reservation) budget.settle(reservation, report.quota, now());
    else if (report.quota !== 'notSent') budget.updateRemaining(report.quota.remaining);
    if (reservation || report.refused === 'quota') await connectorStore.writeBudget(name, budget.stored);
    return report;
  }

  function end(request: ProviderRequest, report: Omit<RequestReport, 'quota'> | undefined): void {
    const time = steadyNow();
    if (!report) {
      schedule.undoBegin(request);
      host.undoBegin();
      return;
    }
    schedule.end(request, time, report.result);
    if (report.result === 'success') answers.answered(name, request, time);
    if (report.decidesAt !== undefined && !request.cost) schedule.hasten(request, time + heldRepeat(report.decidesAt));
    // The provider may ask in another way now.
    if (report.result === 'failed' || report.isFull) requestsUntil = Number.NEGATIVE_INFINITY;
    scanAt = Math.min(scanAt, schedule.dueAt(request));
    host.end(time, report.hostFailed);
    if (report.waitMs !== undefined) host.waitFor(report.waitMs, time);
    if (report.refused === 'key' || report.refused === 'sender') refusal.refuse(request.key, report.refused, time);
    else if (!report.hostFailed && report.refused === undefined) refusal.answer(request.key);
    if (report.drift === undefined) return;
    if (report.drift.length > 0) drifting.set(request.key, report.drift[0]!);
    else drifting.delete(request.key);
  }

  /** Milliseconds until an answer is asked for again, of which something was held back. */
  function heldRepeat(decidesAt: number): number {
    const usual = (HELD_REPEAT_SECONDS * 1000) / pace;
    const left = decidesAt - now();
    return left > 0 ? Math.min(usual, left) : usual;
  }

  /** No request that costs credits can be sent any more. */
  function isExhausted(): boolean {
    if (figures.isQuotaRefused) return true;
    if (!budget) return false;
    const costs = requests.flatMap(({ cost = 0 }) => (cost > 0 ? [cost] : []));
    // Which requests cost credits may not be known yet, but that the provider refuses them all is.
    return budget.isExhausted(costs.length > 0 ? Math.min(...costs) : 0, now());
  }

  const isAsking = (): boolean => !parts.isStandIn || requests.length > 0;

  const stateNow = (isStandby: boolean): ConnectorState =>
    connectorState({
      isStandby,
      hasFailed: figures.hasFailed,
      isHostPaused: host.isPaused,
      isSenderRefused: refusal.reason === 'sender',
      isKeyRefused: refusal.reason === 'key',
      isExhausted: isExhausted(),
      hasDrifted: drifting.size > 0,
      hasSucceeded: figures.lastSuccessAt !== undefined,
    });

  return {
    name,
    poll,
    get isAsking() {
      return isAsking();
    },
    leaguesChanged() {
      requestsUntil = Number.NEGATIVE_INFINITY;
    },
    get state() {
      return stateNow(false);
    },
    health: (isStandby) => ({
      name,
      ...figures.health(stateNow(isStandby || !isAsking()), now()),
      held: guard.held(name),
      flaps: guard.flaps(name),
      ahead: provider.ahead?.(parts.leagues().map(({ league }) => league)) ?? null,
      budget: budget?.figures(now()) ?? null,
    }),
    async stop() {
      stopping.abort();
      await Promise.all(runningByUrl.values());
    },
  };
}

const byUrgency = (a: DueRequest, b: DueRequest): number =>
  URGENCIES.indexOf(a.request.urgency) - URGENCIES.indexOf(b.request.urgency) ||
  (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);
