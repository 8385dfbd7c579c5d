import { findSport } from '../../../domain/catalogue/catalogue.ts';
import { type Awaitable, mapAwaitable } from '../../../platform/async/awaitable.ts';
import type { BackgroundWork } from '../../../platform/async/background-work.ts';
import type { Answer, AnswerCache } from '../answer-cache/answer-cache.ts';
import { answerCacheKey, type OperationQuery } from '../answer-cache/answer-cache.ts';
import type { DependencyTracker } from '../answer-cache/dependency-index.ts';
import { createEphemeralEntityTagger, type EntityTagger } from '../answer-cache/entity-tag.ts';
import { trackContextReads } from '../answer-cache/track-reads.ts';
import { ApiError } from '../api-errors.ts';
import type { IdempotentRunner } from '../idempotency/idempotent-runner.ts';
import type { Operation, OperationContext, OperationResult } from '../operation/operation.ts';
import type { Principal } from '../principal.ts';
import { requireSport } from '../scopes.ts';
import type { Admission, AdmissionControl, Call, CallKind } from './admission.ts';
import { type CallMetrics, errorCodeOf } from './call-metrics.ts';
import { type MeteredCall, runMetered } from './metered-run.ts';

export interface PipelineParts {
  /** Who calls with this key. @throws ApiError unauthorized */
  readonly authenticate: (key: string | undefined) => Awaitable<Principal>;
  readonly admissionControl: AdmissionControl;
  readonly context: Omit<OperationContext, 'principal' | 'call'>;
  /** Without it every answer is made anew. */
  readonly answerCache?: AnswerCache | undefined;
  /** Without it tags hold as long as this process. */
  readonly entityTag?: EntityTagger | undefined;
  /** Without it an `Idempotency-Key` means nothing. */
  readonly idempotentRunner?: IdempotentRunner | undefined;
  /** Whether the account was charged for this run before; without it nobody knows, and it is charged. */
  readonly wasRunCharged?: ((accountId: number, run: string) => Promise<boolean>) | undefined;
  /** Without it nobody counts. */
  readonly metrics?: CallMetrics | undefined;
  /** Waits until answers show a place of the log (see `LogPositions`); without it such a place means nothing. */
  readonly waitUntilProjected?: ((position: string) => Promise<void>) | undefined;
  /** What gives way while a call waits for its answer. */
  readonly background?: Pick<BackgroundWork, 'requestStarted' | 'requestEnded'> | undefined;
}

/** A request as its way in has it, before anybody knows who calls. */
export interface IncomingCall {
  /** The API key as given; undefined where none is. */
  readonly key: string | undefined;
  /** Who calls, where something else than a key tells it, such as a session: in the place of `key`. @throws ApiError */
  readonly caller?: (() => Awaitable<Principal>) | undefined;
  readonly requestId: string;
  /** Name of the operation; undefined where the request fits none. */
  readonly operation?: string | undefined;
  /** What the answer must show, where the client has told it: `Ledgerline-Position`. */
  readonly position?: string | undefined;
  /** Default `answer`. */
  readonly kind?: CallKind | undefined;
  readonly isClientGone?: MeteredCall['isClientGone'];
}

/** A call that has been let in. */
export interface AdmittedCall extends MeteredCall {
  readonly call: Call;
  /** It tells what its answer must show. */
  readonly hasPosition?: boolean | undefined;
}

/** How a call ended: an answer of Node is one. */
export interface CallOutcome {
  /** Of HTTP, whatever the way in. */
  readonly statusCode: number;
}

interface ReadOutcome {
  readonly answer: Answer;
  /** Of this call. */
  readonly credits: number;
  /** The client holds this very answer already. */
  readonly isNotModified: boolean;
}

/** What a request holds of which nobody knows yet whether it is a call. */
interface ReservedSlot {
  /** It has found no place: a call that it turns out to be is to pass all limits, as any other. */
  readonly refusal: ApiError | undefined;
  /** Gives the place back, once the request is answered. */
  release(): void;
}

/**
 * What stands around every call, on every way in. `within` holds the order: authenticate, admit, work, close. The work
 * reads the input (see `operation-input.ts`), then has an operation run by `execute` or `answer`, which hold the order
 * of what remains: scope, a first answer under the same `Idempotency-Key`, budget, reserve, run, price, charge.
 *
 * Most calls are answered from what is kept, and wait for nobody. Every `await` would let other calls go first, so the
 * functions here wait only for what is a promise. Whoever calls them need not know.
 */
export interface Pipeline {
  /** @throws ApiError unauthorized */
  authenticate(key: string | undefined): Awaitable<Principal>;
  /**
   * Takes a place in flight for a request whose body has yet to tell whether it is a call. A call that it turns out to be
   * comes `within` as one that has `entered`.
   * @throws ApiError unauthorized
   */
  reserveSlot(key: string | undefined): Promise<ReservedSlot>;
  /**
   * Takes a call from its arrival to its end, and gives back what it occupies once it is answered.
   * @param work answers the call
   * @param refuse answers it with this error instead: of authentication, of admission, or of the work. `call` where the
   * caller is known.
   * @returns what `work` or `refuse` has come to. Rejects only with what `refuse` throws.
   */
  handleCall<Result extends CallOutcome>(
    arrival: IncomingCall,
    work: (open: AdmittedCall) => Awaitable<Result>,
    refuse: (error: unknown, call: Call | undefined) => Result,
  ): Promise<Result>;
  /**
   * Runs an operation with a checked input.
   * @param run in place of the operation's own: what opens a stream leads to more than a first answer
   * @throws ApiError, and whatever else goes wrong
   */
  execute<Output = any>(
    operation: Operation,
    input: any,
    open: AdmittedCall,
    run?: (input: any, context: OperationContext) => Promise<Output>,
  ): Promise<OperationResult<Output>>;
  /**
   * The same for an operation that reads: its answer as bytes, kept from before where nothing has changed since.
   * @param isHeld whether the client holds the answer of this tag already: then it costs nothing.
   * @throws ApiError, and whatever else goes wrong
   */
  executeRead(
    operation: Operation,
    question: OperationQuery,
    open: AdmittedCall,
    isHeld: (tag: string) => boolean,
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
    // Named from the start, for an object that grows on its way costs each who looks at it.
    idempotencyKey: undefined,
    runId: undefined,
    window: undefined,
    creditsRemaining: undefined,
    sharedLimit: undefined,
    isCharged: false,
  });

  /** What may never be asked is refused, whatever else there is to say. */
  function check(operation: Operation, input: any, call: Call): Awaitable<void> {
    checkSport(input, call.principal);
    return operation.check?.(input, contextOf(call));
  }

  async function run(
    operation: Operation,
    { input, text }: OperationQuery,
    runContext: OperationContext,
  ): Promise<Answer> {
    const output = await operation.run(input, runContext);
    const body = Buffer.from(JSON.stringify(output));
    const tag = entityTag(`${operation.name} ${text}`, body);
    const maxAge = operation.cache?.(input, output) ?? 0;
    return {
      bytes: body.toString('latin1'),
      entityTag: tag,
      maxAge,
      credits: operation.cost.creditsFor(input, output),
    };
  }

  function answerTo(
    operation: Operation,
    question: OperationQuery,
    { call, hasPosition }: AdmittedCall,
  ): Awaitable<Answer> {
    if (!answerCache) return run(operation, question, contextOf(call));
    const key = answerCacheKey(operation, question, call.principal);
    const make = (sources: DependencyTracker) => run(operation, question, trackContextReads(contextOf(call), sources));
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
    async handleCall(arrival, work, refuse) {
      let call: Call | undefined;
      let admission: Admission | undefined;
      let statusCode = 500;
      const begun = metrics?.now() ?? 0;
      const kind = arrival.kind ?? 'answer';
      // A stream is open for hours.
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
      input: any,
      open: AdmittedCall,
      runs?: (input: any, context: OperationContext) => Promise<Output>,
    ) {
      await check(operation, input, open.call);
      const runContext = contextOf(open.call);
      const act = async (runId?: string, isTakenOver = false) => {
        const produce = async () => {
          const named = runId === undefined ? runContext : { ...runContext, runId };
          const output: Output = await (runs ? runs(input, named) : operation.run(input, named));
          return { output, credits: operation.cost.creditsFor(input, output) };
        };
        open.call.runId = runId;
        // The process that had the run died, or slept, after the charge and before anybody heard of it.
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
      return idempotentRunner ? idempotentRunner(operation, input, runContext, act) : act();
    },
    executeRead(operation, question, open, isHeld) {
      const produce = () =>
        mapAwaitable(answerTo(operation, question, open), (answer) => {
          const held = isHeld(answer.entityTag);
          return { answer, isNotModified: held, credits: held ? 0 : answer.credits };
        });
      const { input } = question;
      const judge = () => operation.checkUnpaid?.(input, contextOf(open.call));
      const answering = () => runMetered<ReadOutcome>(operation, input, open, judge, produce);
      const checked = check(operation, input, open.call);
      return checked instanceof Promise ? checked.then(answering) : answering();
    },
  };
}

/** What is refused with 429 counts in no window. @returns the error to tell, where that has to be waited for */
function uncounted(error: unknown, admission: Admission | undefined): Awaitable<unknown> {
  if (!(admission && error instanceof ApiError && error.status === 429)) return;
  const uncounting = admission.uncount();
  if (!(uncounting instanceof Promise)) return;
  return uncounting.then(
    () => error,
    (failure: unknown) => failure,
  );
}

/** An unknown sport is no one's: it stays an empty list. */
function checkSport(input: { readonly sport?: unknown }, principal: Principal): void {
  const { sport } = input;
  if (typeof sport === 'string' && findSport(sport) !== undefined) requireSport(principal, sport);
}
