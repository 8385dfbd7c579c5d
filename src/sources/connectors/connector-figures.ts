import type { Outcome } from '../../ingest/intake/intake.ts';
import type { ConnectorState } from './connector-state.ts';
import type { BudgetFigures } from './provider-budget.ts';

/**
 * What an error means. `failed`: the request failed; `unknown_shape`: its answer could not be read, which counts as a
 * failure too; `quota`: the provider refused it for lack of credits; `partial`: members of an answer are missing, the
 * rest was read.
 */
export type ConnectorErrorKind = 'failed' | 'unknown_shape' | 'quota' | 'partial';

/** Outcome of a request, for the metrics. */
export type RequestOutcome =
  | 'ok'
  | 'full'
  | 'not_modified'
  | 'stale'
  | 'timeout'
  | 'connection'
  | 'http_3xx'
  | 'http_4xx'
  | 'http_429'
  | 'http_5xx'
  | 'too_large'
  | 'not_json'
  | 'drift';

/** State of a connector, as `GET /v1/health` shows it. */
export interface ConnectorHealth {
  readonly name: string;
  readonly state: ConnectorState;
  /** UTC, ISO 8601; null: never. */
  readonly last_success_at: string | null;
  readonly last_error_at: string | null;
  /** Stays after a success. */
  readonly last_error: { readonly code: string; readonly message: string } | null;
  /** Seconds since the last success. */
  readonly lag_seconds: number | null;
  /** Since the start, like all counters here. */
  readonly requests: number;
  readonly failures: number;
  readonly messages: number;
  readonly rejected: number;
  /** Games of which the last answers are held back, since time runs backwards in them. */
  readonly held: number;
  /** How often something was held back that later answers did not confirm. */
  readonly flaps: number;
  /** How the days ahead of each league are asked for; null for a provider that knows one way only. */
  readonly ahead: Readonly<Record<string, 'day' | 'month'>> | null;
  readonly budget: BudgetFigures | null;
}

/** Counters of a connector since it was opened. Times are milliseconds of the wall clock. */
export interface ConnectorFigures {
  /** By outcome. */
  readonly requestsByOutcome: ReadonlyMap<RequestOutcome, number>;
  /** By `kind outcome`, with the words of the outcome report. */
  readonly messagesByOutcome: ReadonlyMap<string, number>;
  readonly lastSuccessAt: number | undefined;
  request(outcome: RequestOutcome): void;
  succeeded(now: number): void;
  error(kind: ConnectorErrorKind, code: string, message: string, now: number): void;
  message(kind: string, outcome: Outcome['status']): void;
  /** Counts events that could not be read at all. */
  rejected(count: number): void;
  /** Whether the last request failed, other than by its shape or for lack of credits. */
  readonly hasFailed: boolean;
  /** Whether the provider refused the last request for lack of credits. */
  readonly isQuotaRefused: boolean;
  health(state: ConnectorState, now: number): Omit<ConnectorHealth, 'name' | 'held' | 'flaps' | 'ahead' | 'budget'>;
}

export function createConnectorFigures(): ConnectorFigures {
  const requestsByOutcome = new Map<RequestOutcome, number>();
  const messagesByOutcome = new Map<string, number>();
  let requests = 0;
  let failures = 0;
  let messages = 0;
  let rejected = 0;
  let lastError: ConnectorHealth['last_error'] = null;
  let lastResult: ConnectorErrorKind | 'succeeded' | undefined;
  let lastSuccessAt: number | undefined;
  let lastErrorAt: number | undefined;
  const iso = (time: number | undefined): string | null => (time === undefined ? null : new Date(time).toISOString());

  return {
    requestsByOutcome,
    messagesByOutcome,
    get lastSuccessAt() {
      return lastSuccessAt;
    },
    request(outcome) {
      requests++;
      requestsByOutcome.set(outcome, (requestsByOutcome.get(outcome) ?? 0) + 1);
    },
    succeeded(now) {
      lastSuccessAt = now;
      lastResult = 'succeeded';
    },
    error(kind, code, message, now) {
      lastErrorAt = now;
      lastError = { code, message };
      if (kind !== 'partial') lastResult = kind;
      if (kind === 'failed' || kind === 'unknown_shape') failures++;
    },
    message(kind, outcome) {
      messages++;
      if (outcome === 'rejected') rejected++;
      const name = `${kind} ${outcome}`;
      messagesByOutcome.set(name, (messagesByOutcome.get(name) ?? 0) + 1);
    },
    rejected(count) {
      rejected += count;
    },
    get hasFailed() {
      return lastResult === 'failed';
    },
    get isQuotaRefused() {
      return lastResult === 'quota';
    },
    health: (state, now) => ({
      state,
      last_success_at: iso(lastSuccessAt),
      last_error_at: iso(lastErrorAt),
      last_error: lastError,
      lag_seconds: lastSuccessAt === undefined ? null : Math.max(0, Math.round((now - lastSuccessAt) / 1000)),
      requests,
      failures,
      messages,
      rejected,
    }),
  };
}
