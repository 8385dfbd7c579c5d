import type { z } from 'zod';
import type { ForecastReader } from '../../../forecasting/learning/forecast-service.ts';
import type { TrackRecord } from '../../../forecasting/track-record/track-record.ts';
import type { Identities } from '../../../ingest/identities/identities.ts';
import type { DocumentHistory } from '../../../read-models/as-of/document-history.ts';
import type { ChangeFeed } from '../../../read-models/change-feed/change-feed.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import type { DocumentReader } from '../../../read-models/store/document-reader.ts';
import type { SharedLimit } from '../../limits/limits.ts';
import type { ErrorCode } from '../api-errors.ts';
import type { Principal } from '../principal.ts';
import type { AccountServices, CallReference } from '../services/account-services.ts';
import type { ReceiptServices } from '../services/receipt-services.ts';
import type { WebhookServices } from '../services/webhook-services.ts';

/** What every operation may use: ports, the time, and who calls. */
export interface OperationContext {
  readonly store: DocumentReader;
  /** What is read `as_of` a moment. */
  readonly histories: DocumentHistory;
  /** What sources call things. */
  readonly identities: Pick<Identities, 'findEntitiesByRef' | 'listRefs'>;
  /** What the server's own models say of events. */
  readonly forecasts: ForecastReader;
  readonly principal: Principal;
  readonly call: CallReference;
  /**
   * Of a call with an `Idempotency-Key`: what is made goes under this name, and is found there where the same call was
   * begun before by a process that has died.
   */
  readonly runId?: string;
  /** What the caller's account does with itself. */
  readonly accounts: AccountServices;
  /** What it does with its subscriptions. */
  readonly webhooks: WebhookServices;
  /** What is kept of slips that were graded. */
  readonly receipts: ReceiptServices;
  /** What the server's own forecasts were worth. */
  readonly record: TrackRecord;
  /** What everybody could be told of the log. */
  readonly changes: Pick<ChangeFeed, 'endCursor' | 'readPage'>;
  /** How bookmakers are called here. */
  readonly bookmakers: Bookmakers;
  /** Milliseconds. */
  readonly now: () => number;
  /** The same clock, for `updated_at` alone, which never lies far ahead of it. An answer that has looked here may be
   *  kept: what did not lie ahead once never will. */
  readonly latestUpdatedAt: () => number;
  readonly health: () => Promise<Health>;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
}

/** Why the server is degraded. */
export type DegradedReason = 'clock' | 'disk' | 'engine' | 'feed' | 'log_ahead' | 'read_model';

/** How a live connector is. Times are UTC, ISO 8601; counts are since the start. */
export interface FeedHealth {
  readonly name: string;
  readonly state: 'starting' | 'ok' | 'failing' | 'drift' | 'exhausted' | 'standby';
  readonly last_success_at: string | null;
  readonly last_error_at: string | null;
  /** Stays after a success. */
  readonly last_error: { readonly code: string; readonly message: string } | null;
  /** Since the last success. */
  readonly lag_seconds: number | null;
  readonly requests: number;
  readonly failures: number;
  readonly messages: number;
  readonly rejected: number;
  /** Of a provider that counts credits: those of a UTC day. */
  readonly budget: {
    readonly limit: number;
    readonly used: number;
    readonly remaining: number;
    /** What the provider said last. */
    readonly provider_remaining: number | null;
    readonly resets_at: string;
  } | null;
}

export interface Health {
  readonly status: 'ok' | 'degraded';
  /** Sorted; absent while the status is `ok`. */
  readonly reasons?: readonly DegradedReason[];
  readonly version: string;
  readonly time: string;
  readonly log: { readonly position: string };
  /** How many messages wait for something to become known. */
  readonly quarantined: number;
  readonly projections: readonly { name: string; position: string; lag_events: number; lag_seconds: number }[];
  /** Present where live connectors are set up, by name. */
  readonly feeds?: readonly FeedHealth[];
  /** Present while the demo feeds the server. */
  readonly simulated?: true;
}

/** A price in credits, from what was asked and what is answered. `bounds` serve the estimate, before running. */
interface CostRule<Input, Output> {
  /** What it costs, in words for the reference. */
  readonly description: string;
  readonly creditsFor: (input: Input, output: Output) => number;
  readonly bounds: (input: Input) => { readonly min: number; readonly max: number };
  /** The most that it can cost, where that is known before the input is. */
  readonly maxCredits?: number;
}

/** How long clients may keep an answer, in seconds; 0: not at all. */
type CacheRule<Input, Output> = (input: Input, output: Output) => number;

/** How a call that is repeated with its `Idempotency-Key` is answered, instead of being run once more. */
export interface IdempotencyRule<Output = any> {
  /** What is kept of the first answer, as JSON. No secret may stand in it in plain. */
  readonly toStored: (output: Output, context: OperationContext) => unknown;
  /** The answer, from what was kept. */
  readonly replay: (kept: any, context: OperationContext) => Output | Promise<Output>;
}

/** Of an operation whose answers hold no secret: they are repeated as they were. */
export const replayStoredAnswer: IdempotencyRule = { toStored: (output) => output, replay: (kept) => kept };

/**
 * One thing that a client can do: a REST endpoint and an MCP tool at once. Routes, tools, OpenAPI, the estimate and
 * the metrics' labels all come from the list of these.
 */
export interface Operation<Path = any, Query = any, Body = any, Output = any> {
  /** Name of the MCP tool. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With parameters in braces: `/v1/events/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Where another operation serves better, or what to know before: a sentence for the reference, and for models that
   *  choose among tools. */
  readonly hint?: string;
  /** What it does to what is there, for clients that ask their user first. A GET reads; a DELETE, unless told, deletes,
   *  and all others add. */
  readonly effect?: Effect;
  readonly input: {
    readonly path?: z.ZodType<Path>;
    readonly query?: z.ZodType<Query>;
    readonly body?: z.ZodType<Body>;
  };
  readonly output: z.ZodType<Output>;
  /** Codes of errors beyond those that every operation can give (401, 429, 500, ...). */
  readonly errors?: readonly ErrorCode[];
  /** Of success; default 200. 204 has no body, whatever `run` returns. */
  readonly status?: 200 | 201 | 204;
  readonly cost: CostRule<Path & Query & Body, Output>;
  /** Calls that share a limit of their own. */
  readonly sharedLimit?: (input: Path & Query & Body) => SharedLimit | undefined;
  readonly cache?: CacheRule<Path & Query & Body, Output>;
  /** Whoever spends or creates honours an `Idempotency-Key`. */
  readonly idempotency?: IdempotencyRule<Output>;
  /** The stream is no request with one answer: its route lives in `src/api/streams`, its definition here. */
  readonly streaming?: boolean;
  /** MCP has a way of its own to say the same, so there it is no tool. */
  readonly restOnly?: boolean;
  /**
   * Refuses with 400 or 403 what can be refused without the answer. It comes before credits are looked at, since
   * such errors come before 402; `run` may throw the same errors. A `sport` of the input outside the caller's scopes
   * is refused by the pipeline already.
   */
  check?(input: Path & Query & Body, context: OperationContext): void | Promise<void>;
  /**
   * Refuses with 400, 403 or 422 what path, query, body, cursor and scope tell, and looks nothing up beyond that. Asked
   * only where the call cannot be paid, since such errors come before 402: whoever has no credits gets nothing
   * computed. `run` throws the same errors; without it `run` throws none of them.
   */
  checkUnpaid?(input: Path & Query & Body, context: OperationContext): void | Promise<void>;
  run(input: Path & Query & Body, context: OperationContext): Promise<Output>;
}

/** `replaces` and `deletes` take away what was there; only deleting twice comes to the same as once. */
export type Effect = 'reads' | 'adds' | 'replaces' | 'deletes';

export function effectOf({ method, effect }: Pick<Operation, 'method' | 'effect'>): Effect {
  if (effect) return effect;
  return method === 'GET' ? 'reads' : method === 'DELETE' ? 'deletes' : 'adds';
}

const ACCOUNT_PATH = /^\/api\/agent(?:[/?]|$)/;

/** What an account does with itself: its owner may call it without a key, from a browser that is signed in. */
export const isAccountPath = (path: string): boolean => ACCOUNT_PATH.test(path);

/** What it gives, when to take another one, and its price. In one paragraph. */
export const describeOperation = ({ summary, hint, cost }: Pick<Operation, 'summary' | 'hint' | 'cost'>): string =>
  [summary, hint, cost.description]
    .flatMap((text) => (text ? [/[.!?]$/.test(text) ? text : `${text}.`] : []))
    .join(' ');

/** What a run has come to. */
export interface OperationResult<Output = any> {
  readonly output: Output;
  readonly credits: number;
  /** It is the answer to an earlier call, with the same `Idempotency-Key`. */
  readonly isReplayed?: true;
}

/** What is said of operations that never cost anything. */
export const FREE = 'Free';
export const flatCost = (credits: number): CostRule<unknown, unknown> => ({
  description: credits === 0 ? FREE : `${credits} credit${credits === 1 ? '' : 's'}`,
  creditsFor: () => credits,
  bounds: () => ({ min: credits, max: credits }),
  maxCredits: credits,
});
/** One credit for an answer with data, none for `available: false`. */
export const costWhenAvailable: CostRule<unknown, { available: boolean }> = {
  description: '1 credit; free while nothing is available',
  creditsFor: (_, output) => (output.available ? 1 : 0),
  bounds: () => ({ min: 0, max: 1 }),
  maxCredits: 1,
};

/** The most that a call can cost, by the operation's name, where that is more than nothing whatever is asked. */
export const maxCostsByOperation = (operations: readonly Operation[]): ReadonlyMap<string, number> =>
  new Map(operations.flatMap(({ name, cost }) => (cost.maxCredits ? [[name, cost.maxCredits] as const] : [])));
