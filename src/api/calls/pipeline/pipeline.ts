import { findSport } from '../../../domain/catalogue/catalogue.ts';
import { type Awaitable, mapAwaitable } from '../../../platform/async/awaitable.ts';
import type { BackgroundWork } from '../../../platform/async/background-work.ts';
import type { Answer, AnswerCache } from '../answer-cache/answer-cache.ts';
import { answerCacheKey, type OperationQuery, queryOf } from '../answer-cache/answer-cache.ts';
import type { DependencyTracker } from '../answer-cache/dependency-index.ts';
import { createEphemeralEntityTagger, type EntityTagger } from '../answer-cache/entity-tag.ts';
import { trackContextReads } from '../answer-cache/track-reads.ts';
import { ApiError } from '../api-errors.ts';
import type { IdempotentRunner } from '../idempotency/idempotent-runner.ts';
import { nextPageOf } from '../operation/answer-format.ts';
import type { Operation, OperationContext, OperationResult } from '../operation/operation.ts';
import { selectFields } from '../operation/select-fields.ts';
import { resolveThingIds } from '../operation/thing-ids.ts';
import { withMyBooks } from '../operation/with-my-books.ts';
import type { Principal } from '../principal.ts';
import { requireSport } from '../scopes.ts';
import type { Admission, AdmissionControl, Call, CallKind, RequestWindow } from './admission.ts';
import { type CallMetrics, errorCodeOf } from './call-metrics.ts';
import { type MeteredCall, runMetered } from './metered-run.ts';

export interface PipelineParts {
  /** The caller with this key. @throws ApiError unauthorized */
  readonly authenticate: (key: string | undefined) => Awaitable<Principal>;
  readonly admissionControl: AdmissionControl;
  readonly context: Omit<OperationContext, 'principal' | 'call'>;
  /** Without it every answer is made anew. */
  readonly answerCache?: AnswerCache | undefined;
  /** Without it entity tags are valid for the lifetime of this process. */
  readonly entityTag?: EntityTagger | undefined;
  /** Without it an `Idempotency-Key` is ignored. */
  readonly idempotentRunner?: IdempotentRunner | undefined;
  /** Whether the account was already charged for this run. Without it every run is charged. */
  readonly wasRunCharged?: ((accountId: number, runId: string) => Promise<boolean>) | undefined;
  readonly metrics?: CallMetrics | undefined;
  /**
   * Waits until the read models show a position of the log (see `PositionTokens`). Without it positions are ignored.
   */
  readonly waitUntilProjected?: ((position: string) => Promise<void>) | undefined;
  /** Background work that pauses while a call is answered. */
  readonly background?: Pick<BackgroundWork, 'requestStarted' | 'requestEnded'> | undefined;
}

/** A request from any transport, before authentication. */
export interface IncomingCall {
  /** The API key as sent; undefined if there is none. */
  readonly key: string | undefined;
  /** Authenticates by other means than a key, such as a session; used in place of `key`. @throws ApiError */
  readonly caller?: (() => Awaitable<Principal>) | undefined;
  readonly requestId: string;
  /** Name of the operation; undefined if the request matches none. */
  readonly operation?: string | undefined;
  /** The position that the answer must show, from the header `Ledgerline-Position`. */
  readonly position?: string | undefined;
  /** Default `answer`. */
  readonly kind?: CallKind | undefined;
  readonly isClientGone?: MeteredCall['isClientGone'];
}

/** An authenticated and admitted call. */
export interface AdmittedCall extends MeteredCall {
  readonly call: Call;
  /** The client sent a position that the answer must show. */
  readonly hasPosition?: boolean | undefined;
}

/** The result of a call; Node's ServerResponse is one. */
export interface CallOutcome {
  /** HTTP status, for every transport. */
  readonly statusCode: number;
}

interface ReadOutcome {
  readonly answer: Answer;
  /** Cost of this call. */
  readonly credits: number;
  /** The client already has this answer. */
  readonly isNotModified: boolean;
}

/** A slot reserved before it is known whether the request is a call. */
interface ReservedSlot {
  /** Set if there was no free slot: should the request be a call, it must pass all limits like any other. */
  readonly refusal: ApiError | undefined;
  /** Releases the slot, once the request is answered. */
  release(): void;
}

/**
 * Runs around every call of every transport. `handleCall` fixes the outer order: authenticate, admit, work, close. The
 * work reads the input (see `operation-input.ts`) and runs an operation by `execute` or `executeRead`, which fix the
 * inner order: ids of merged events, scopes, stored answer of the `Idempotency-Key`, shared limit, credit reservation, run, cost, charge.
 *
 * Most calls are answered from the cache and wait for nothing. Every `await` would let other calls go first, so the
 * functions here await only real promises.
 */
export interface Pipeline {
  /** @throws ApiError unauthorized */
  authenticate(key: string | undefined): Awaitable<Principal>;
  /**
   * Reserves a slot for a request before its body shows whether it is a call. If it is one, pass it to `handleCall`
   * with kind `entered`.
   * @throws ApiError unauthorized
   */
  reserveSlot(key: string | undefined): Promise<ReservedSlot>;
  /**
   * Counts a request that is no call, such as an MCP message beside tools/call.
   * @returns the window in which it counts; undefined: there is none
   * @throws ApiError unauthorized, rate_limit_exceeded
   */
  countMessage(key: string | undefined): Promise<RequestWindow | undefined>;
  /**
   * Handles a call from arrival to end, and releases what it occupies once it is answered.
   * @param work answers the call
   * @param refuse answers the call with an error of authentication, of admission or of `work`; `call` is undefined if
   * the caller is unknown
   * @returns the result of `work` or `refuse`. Rejects only if `refuse` throws.
   */
  handleCall<Result extends CallOutcome>(
    arrival: IncomingCall,
    work: (open: AdmittedCall) => Awaitable<Result>,
    refuse: (error: unknown, call: Call | undefined) => Result,
  ): Promise<Result>;
  /**
   * Runs an operation with a validated input.
   * @param run replaces the operation's own `run`: opening a stream needs more than an answer
   * @throws ApiError, and any error of the run
   */
  execute<Output = any>(
    operation: Operation,
    input: any,
    open: AdmittedCall,
    run?: (input: any, context: OperationContext) => Promise<Output>,
  ): Promise<OperationResult<Output>>;
  /**
   * Like `execute`, for an operation that reads: the answer as bytes, from the cache if nothing has changed.
   * @param isHeld whether the client already has the answer with this tag: then it costs nothing
   * @throws ApiError, and any error of the run
   */
  executeRead(
    operation: Operation,
    query: OperationQuery,
    open: AdmittedCall,
    isHeld?: (tag: string) => boolean,
  ): Promise<ReadOutcome>;
}

export function createPipeline(parts: PipelineParts): Pipeline {
  const {
    authenticate,
    admissionControl,
    context,
    answerCache,
    entityTag = createEphemeralEntityTagger(),
    idempotentRunner,
    wasRunCharged,
    metrics,
    waitUntilProjected,
    background,
  } = parts;
  const contextOf = (call: Call): OperationContext => ({ ...context, principal: call.principal, call });

  const begin = (principal: Principal, { requestId, operation }: IncomingCall): Call => ({
    requestId,
    principal,
    operation,
    startedAt: context.now(),
    // All members from the start: adding a member later changes the object's hidden class, which makes every access
    // slower.
    idempotencyKey: undefined,
    runId: undefined,
    window: undefined,
    creditsRemaining: undefined,
    sharedLimit: undefined,
    mergedInto: undefined,
    isCharged: false,
  });

  /** The checks that come before all others. */
  function check(operation: Operation, input: any, call: Call): Awaitable<void> {
    checkSport(input, call.principal);
    return operation.check?.(input, contextOf(call));
  }

  async function run(
    operation: Operation,
    { input, text, format }: OperationQuery,
    runContext: OperationContext,
  ): Promise<Answer> {
    const output = await operation.run(input, runContext);
    // Cost and caching follow from the whole answer, whatever of it is asked for.
    const body = Buffer.from(
      format ? await format.write(output, runContext) : JSON.stringify(selectFields(output, input.fields)),
    );
    const tag = entityTag(`${operation.name} ${text}`, body);
    const maxAge = operation.cache?.(input, output, context.now()) ?? 0;
    return {
      bytes: body.toString('latin1'),
      entityTag: tag,
      maxAge,
      credits: operation.cost.creditsFor(input, output),
      next: format && nextPageOf(output),
    };
  }

  function answerTo(
    operation: Operation,
    query: OperationQuery,
    { call, hasPosition }: AdmittedCall,
  ): Awaitable<Answer> {
    if (!answerCache) return run(operation, query, contextOf(call));
    const key = answerCacheKey(operation, query, call.principal);
    const make = (sources: DependencyTracker) => run(operation, query, trackContextReads(contextOf(call), sources));
    return answerCache.get(key, hasPosition) ?? answerCache.make(key, make);
  }

  return {
    authenticate,
    async reserveSlot(key) {
      const principal = await authenticate(key);
      try {
        return { refusal: undefined, release: await admissionControl.reserveSlot(principal) };
      } catch (error) {
        if (error instanceof ApiError && error.status === 429) return { refusal: error, release() {} };
        throw error;
      }
    },
    countMessage: async (key) => admissionControl.countMessage(await authenticate(key)),
    async handleCall(arrival, work, refuse) {
      let call: Call | undefined;
      let admission: Admission | undefined;
      let statusCode = 500;
      const begun = metrics?.now() ?? 0;
      const kind = arrival.kind ?? 'answer';
      // A stream stays open for hours: it must not pause background work.
      if (kind !== 'stream') background?.requestStarted();
      try {
        const known = arrival.caller ? arrival.caller() : authenticate(arrival.key);
        call = begin(known instanceof Promise ? await known : known, arrival);
        const admitting = admissionControl.admit(call, kind);
        admission = admitting instanceof Promise ? await admitting : admitting;
        if (arrival.position !== undefined && waitUntilProjected) await waitUntilProjected(arrival.position);
        const hasPosition = arrival.position !== undefined;
        const working = work({ call, admission, isClientGone: arrival.isClientGone, hasPosition });
        const result = working instanceof Promise ? await working : working;
        statusCode = result.statusCode;
        return result;
      } catch (error) {
        const uncounting = uncounted(error, admission);
        const result = refuse(uncounting instanceof Promise ? await uncounting : error, call);
        statusCode = result.statusCode;
        const code = errorCodeOf(error);
        if (code !== undefined) metrics?.recordError(code);
        return result;
      } finally {
        admission?.release();
        if (call) admissionControl.finish(call, statusCode);
        metrics?.recordCall(arrival.operation, kind, statusCode, metrics.now() - begun);
        if (kind !== 'stream') background?.requestEnded();
      }
    },
    async execute<Output>(
      operation: Operation,
      given: any,
      open: AdmittedCall,
      runs?: (input: any, context: OperationContext) => Promise<Output>,
    ) {
      const { input: named, mergedInto } = resolveThingIds(operation.input, given, context.replacements);
      const input = await withMyBooks(operation, named, open.call.principal, context.myBooks);
      await check(operation, input, open.call);
      const runContext = contextOf(open.call);
      const act = async (runId?: string, isTakenOver = false) => {
        const produce = async () => {
          const own = runId === undefined ? runContext : { ...runContext, runId };
          const output: Output = await (runs ? runs(input, own) : operation.run(input, own));
          return { output: selectFields(output, input.fields), credits: operation.cost.creditsFor(input, output) };
        };
        open.call.runId = runId;
        // The run was charged by a process that died or slept before the client got the answer.
        const isPaid = isTakenOver && (await wasRunCharged?.(runContext.principal.accountId, runId!));
        if (isPaid) return { ...(await produce()), credits: 0 };
        return runMetered<OperationResult<Output>>(
          operation,
          input,
          open,
          () => operation.checkUnpaid?.(input, runContext),
          produce,
        );
      };
      // A repeated call is known by what was sent, whatever was merged since.
      const result = await (idempotentRunner ? idempotentRunner(operation, given, runContext, act) : act());
      noteMerged(open.call, mergedInto);
      return result;
    },
    executeRead(operation, given, open, isHeld) {
      const { input: named, mergedInto } = resolveThingIds(operation.input, given.input, context.replacements);
      const read = (input: any): Promise<ReadOutcome> => {
        // By another text: what was answered before the merge, or to another list, is neither found nor held any more.
        const query = input === given.input ? given : queryOf(input, given.format);
        const produce = () =>
          mapAwaitable(answerTo(operation, query, open), (answer) => {
            const isNotModified = isHeld?.(answer.entityTag) ?? false;
            noteMerged(open.call, mergedInto);
            return { answer, isNotModified, credits: isNotModified ? 0 : answer.credits };
          });
        const checkUnpaid = () => operation.checkUnpaid?.(input, contextOf(open.call));
        const answering = () => runMetered<ReadOutcome>(operation, input, open, checkUnpaid, produce);
        const checked = check(operation, input, open.call);
        return checked instanceof Promise ? checked.then(answering) : answering();
      };
      const own = withMyBooks(operation, named, open.call.principal, context.myBooks);
      return own instanceof Promise ? own.then(read) : read(own);
    },
  };
}

/**
 * A call refused with 429 must not count in any window.
 * @returns the error to send, if undoing the count had to be awaited
 */
function uncounted(error: unknown, admission: Admission | undefined): Awaitable<unknown> {
  if (!(admission && error instanceof ApiError && error.status === 429)) return;
  const uncounting = admission.uncount();
  if (!(uncounting instanceof Promise)) return;
  return uncounting.then(
    () => error,
    (failure: unknown) => failure,
  );
}

/** For the header of an answer. An error does not tell what was merged. */
function noteMerged(call: Call, mergedInto: readonly number[]): void {
  if (mergedInto.length > 0) call.mergedInto = mergedInto;
}

/** An unknown sport needs no scope: it gives an empty list. */
function checkSport(input: { readonly sport?: unknown }, principal: Principal): void {
  const { sport } = input;
  if (typeof sport === 'string' && findSport(sport) !== undefined) requireSport(principal, sport);
}
