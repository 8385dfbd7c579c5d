import type { z } from 'zod';
import type { MarketQualities } from '../../../forecasting/facts/market-qualities.ts';
import type { PriceFolds } from '../../../forecasting/facts/price-folds.ts';
import type { ForecastReader } from '../../../forecasting/learning/forecast-reader.ts';
import type { TrackRecord } from '../../../forecasting/track-record/track-record.ts';
import type { Identities } from '../../../ingest/identities/identities.ts';
import type { CalendarEvent } from '../../../platform/icalendar.ts';
import type { DocumentHistory } from '../../../read-models/as-of/document-history.ts';
import type { ChangeFeed } from '../../../read-models/change-feed/change-feed.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import type { DocumentReader } from '../../../read-models/store/document-reader.ts';
import type { SharedLimit } from '../../limits/limits.ts';
import type { ErrorCode } from '../api-errors.ts';
import type { Principal } from '../principal.ts';
import type { AccountServices, CallReference } from '../services/account-services.ts';
import type { BetServices } from '../services/bet-services.ts';
import type { ExperimentServices } from '../services/experiment-services.ts';
import type { LinkServices } from '../services/link-services.ts';
import type { MyBooksServices } from '../services/my-books-services.ts';
import type { ReceiptServices } from '../services/receipt-services.ts';
import type { TrialServices } from '../services/trial-services.ts';
import type { WebhookServices } from '../services/webhook-services.ts';
import type { Table } from './table.ts';
import type { MergedThings } from './thing-ids.ts';

/** What every operation may use: ports, the time, and the caller. */
export interface OperationContext {
  readonly store: DocumentReader;
  /** Documents as of a moment in the past. */
  readonly histories: DocumentHistory;
  /** What is made from the price updates of an event. */
  readonly prices: PriceFolds;
  /** How good the markets of events were before their starts. */
  readonly marketQualities: MarketQualities;
  /** Which events were merged. The ids of events in inputs are resolved before any operation gets them. */
  readonly replacements: MergedThings;
  /** The names and ids that sources use. */
  readonly identities: Pick<Identities, 'findEntitiesByRef' | 'listRefs'>;
  /** Forecasts of the server's own models. */
  readonly forecasts: ForecastReader;
  readonly principal: Principal;
  readonly call: CallReference;
  /**
   * Id of the run of a call with an `Idempotency-Key`. An operation stores what it creates under this id. If a process
   * died during the same run, its result is found here.
   */
  readonly runId?: string;
  readonly accounts: AccountServices;
  readonly links: LinkServices;
  readonly bets: BetServices;
  /** The books where the caller’s account can bet. Operations get them by `takesBooks`. */
  readonly myBooks: MyBooksServices;
  readonly webhooks: WebhookServices;
  readonly trials: TrialServices;
  /** Receipts of graded slips. */
  readonly receipts: ReceiptServices;
  /** What accounts have said beforehand, and what came of it. */
  readonly experiments: ExperimentServices;
  /** Accuracy of the server's own forecasts. */
  readonly record: TrackRecord;
  /** The public changes of the log. */
  readonly changes: Pick<ChangeFeed, 'endCursor' | 'readPage'>;
  /** Names of bookmakers. */
  readonly bookmakers: Bookmakers;
  /** Milliseconds. */
  readonly now: () => number;
  /**
   * The same clock, as upper bound of `updated_at`, which is never far ahead of it. Reading it keeps the answer
   * cacheable: a time in the past stays in the past.
   */
  readonly latestUpdatedAt: () => number;
  readonly health: () => Promise<Health>;
  /** Whether the demo feeds the server: all its data are invented. */
  readonly isSimulated: () => boolean;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
}

/** Why the server is degraded. */
export type DegradedReason = 'backup' | 'clock' | 'disk' | 'engine' | 'feeds' | 'log_ahead' | 'read_model' | 'standby';

/** State of a live connector. Times are UTC, ISO 8601; counts are since the start. */
export interface FeedHealth {
  readonly name: string;
  readonly state: 'starting' | 'ok' | 'refused' | 'failing' | 'drift' | 'exhausted' | 'standby';
  readonly last_success_at: string | null;
  readonly last_error_at: string | null;
  /** Stays after a later success. */
  readonly last_error: { readonly code: string; readonly message: string } | null;
  /** Since the last success. */
  readonly lag_seconds: number | null;
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
  /** Only if the provider counts credits: those of a UTC day. */
  readonly budget: {
    readonly limit: number;
    readonly used: number;
    readonly remaining: number;
    /** The last number the provider sent. */
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
  /** Messages that wait for an entity to become known. */
  readonly quarantined: number;
  readonly projections: readonly { name: string; position: string; lag_events: number; lag_seconds: number }[];
  /** Present if live connectors are configured; sorted by name. */
  readonly feeds?: readonly FeedHealth[];
  /** Present where a backup is made. */
  readonly backup?: BackupHealth;
  /** Present where a standby follows the server, and at a standby. */
  readonly standby?: StandbyHealth;
  /** Present while the demo feeds the server. */
  readonly simulated?: true;
}

/** How a server stands beside others of the same backup. */
export interface StandbyHealth {
  /** `first`: it takes facts and charges. `standby`: it follows the first one. */
  readonly role: 'first' | 'standby';
  /** Of a standby: how old what it shows is; null at the first. */
  readonly lag_seconds: number | null;
  /** For how long the lease of the first is still good; null: none was seen. */
  readonly lease_seconds: number | null;
}

export interface BackupHealth {
  /** When it last held everything; null: not since the start. */
  readonly last_success_at: string | null;
  /** How long something has waited. */
  readonly lag_seconds: number;
  /** What is wrong with it, and what to do; null: nothing. */
  readonly problem: string | null;
  /** When the newest backup was last restored to try it, and what came of it; null: it was not. */
  readonly drill: { readonly at: string; readonly age_seconds: number; readonly outcome: 'passed' | 'failed' } | null;
}

/** The cost in credits, from the input and the output. `bounds` serve the estimate, before running. */
interface CostRule<Input, Output> {
  /** The cost in words, for the reference. */
  readonly description: string;
  readonly creditsFor: (input: Input, output: Output) => number;
  readonly bounds: (input: Input) => { readonly min: number; readonly max: number };
  /** The maximum cost, if it is known without the input. */
  readonly maxCredits?: number;
}

/**
 * How long clients may use an answer without asking again, in seconds; 0: they must revalidate it on every use.
 * @param now milliseconds
 */
type CacheRule<Input, Output> = (input: Input, output: Output, now: number) => number;

/** How a call with a known `Idempotency-Key` is answered without a second run. */
export interface IdempotencyRule<Output = any> {
  /** What is stored of the first answer, as JSON. It must not contain a secret in plain text. */
  readonly toStored: (output: Output, context: OperationContext) => unknown;
  /** Restores the answer from the stored value. */
  readonly replay: (stored: any, context: OperationContext) => Output | Promise<Output>;
}

/** For operations whose answers contain no secret: the stored answer is the answer. */
export const replayStoredAnswer: IdempotencyRule = { toStored: (output) => output, replay: (stored) => stored };

/**
 * One thing that a client can do: a REST endpoint and an MCP tool at once. Routes, tools, OpenAPI, the estimate and the
 * labels of metrics all come from the list of operations.
 */
export interface Operation<Path = any, Query = any, Body = any, Output = any> {
  /** Name of the MCP tool. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With parameters in braces: `/v1/events/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /**
   * When another operation serves better, or what to know before the call: a sentence for the reference, and for models
   * that choose among tools.
   */
  readonly hint?: string;
  /** The summary for a model that sees one sentence alone, where other words lead it better. */
  readonly brief?: string;
  /**
   * How it changes existing data, for clients that ask their user first. Default: GET reads, PUT replaces, DELETE deletes, all
   * others add.
   */
  readonly effect?: Effect;
  readonly input: {
    readonly path?: z.ZodType<Path>;
    readonly query?: z.ZodType<Query>;
    readonly body?: z.ZodType<Body>;
    /** Members of the body that may stand in the query instead, as texts. The body goes before. */
    readonly bodyInQuery?: readonly string[];
  };
  /** Reads a body of `text/csv`, in the place of JSON. @throws ApiError */
  readonly readCsv?: (text: string) => Promise<unknown>;
  readonly output: z.ZodType<Output>;
  /** How its answers become rows; present where an answer is a list of rows. */
  readonly table?: Table<Output>;
  /** The entries of an answer that can be had as a calendar. */
  readonly calendar?: (output: Output, context: OperationContext) => Promise<readonly CalendarEvent[]>;
  /** Error codes beyond those that every operation can have (401, 429, 500, ...). */
  readonly errors?: readonly ErrorCode[];
  /** Status of success; default 200. With 204 there is no body, whatever `run` returns. */
  readonly status?: 200 | 201 | 204;
  readonly cost: CostRule<Path & Query & Body, Output>;
  /** A limit that several operations share. */
  readonly sharedLimit?: (input: Path & Query & Body) => SharedLimit | undefined;
  readonly cache?: CacheRule<Path & Query & Body, Output>;
  /** Operations that spend credits or create something have one. */
  readonly idempotency?: IdempotencyRule<Output>;
  /** The leagues whose feeds an answer depends on, where path and names of its input do not tell. */
  readonly feedLeagues?: (input: Path & Query & Body) => readonly string[];
  /** A stream has no single answer: its route is in `src/api/streams`, its definition here. */
  readonly streaming?: boolean;
  /** Its query has `books`. Where a call leaves it out, its input gets the list of the caller’s account: see `withMyBooks`. */
  readonly takesBooks?: boolean;
  /** Anybody may call it: a key that is sent is not read. `principal.visitor` tells where the call came from. */
  readonly keyless?: boolean;
  /** Not an MCP tool: MCP has its own means for it, or the list of tools has no room. */
  readonly restOnly?: boolean;
  /**
   * Refuses with 400 or 403 whatever can be refused before running. Called before credits are checked, since these
   * errors come before 402; `run` may throw the same errors. The pipeline itself refuses a `sport` outside the caller's
   * scopes.
   */
  check?(input: Path & Query & Body, context: OperationContext): void | Promise<void>;
  /**
   * Refuses with 400, 403 or 422 from path, query, body, cursor and scopes. For a key limited to some sports it may also
   * read the sport of an event. Called only if the credits do not suffice, since these errors come before 402 and nothing is computed for a caller without
   * credits. `run` throws the same errors; without `checkUnpaid`, `run` throws none of them.
   */
  checkUnpaid?(input: Path & Query & Body, context: OperationContext): void | Promise<void>;
  run(input: Path & Query & Body, context: OperationContext): Promise<Output>;
}

/** `replaces` and `deletes` remove existing data; of the two only `deletes` is idempotent. */
export type Effect = 'reads' | 'adds' | 'replaces' | 'deletes';

export function effectOf({ method, effect }: Pick<Operation, 'method' | 'effect'>): Effect {
  if (effect) return effect;
  return method === 'GET' ? 'reads' : method === 'DELETE' ? 'deletes' : method === 'PUT' ? 'replaces' : 'adds';
}

const ACCOUNT_PATH = /^\/api\/agent(?:[/?]|$)/;

/** Account operations: a signed-in owner may call them from a browser without a key. */
export const isAccountPath = (path: string): boolean => ACCOUNT_PATH.test(path);

/** Summary, hint and cost, in one paragraph. */
export const describeOperation = ({ summary, hint, cost }: Pick<Operation, 'summary' | 'hint' | 'cost'>): string =>
  [summary, hint, cost.description]
    .flatMap((text) => (text ? [/[.!?]$/.test(text) ? text : `${text}.`] : []))
    .join(' ');

/** The result of a run. */
export interface OperationResult<Output = any> {
  readonly output: Output;
  readonly credits: number;
  /** The stored answer to an earlier call with the same `Idempotency-Key`. */
  readonly isReplayed?: true;
}

/** Cost text of operations that are always free. */
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

/** The maximum cost of a call by the operation's name, for operations with a maximum above 0 for any input. */
export const maxCostsByOperation = (
  operations: readonly Pick<Operation, 'name' | 'cost'>[],
): ReadonlyMap<string, number> =>
  new Map(operations.flatMap(({ name, cost }) => (cost.maxCredits ? [[name, cost.maxCredits] as const] : [])));
