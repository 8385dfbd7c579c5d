import type { Answer } from '../answers/answer.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import { tracedContext } from '../answers/traced-context.ts';
import { findSport } from '../domain/catalogue.ts';
import type { Operation, OperationContext, Principal } from '../operations/operation.ts';
import { requireSport } from '../operations/scopes.ts';
import { entityTag } from './etag.ts';
import { type Awaitable, type Call, freeReservation, type Release, type Stages } from './stages.ts';

export interface PipelineParts {
  /** Who calls with this key. @throws ApiError unauthorized */
  readonly authenticate: (key: string | undefined) => Awaitable<Principal>;
  readonly stages: Stages;
  readonly context: Omit<OperationContext, 'principal'>;
  /** Without it every answer is made anew. */
  readonly answers?: AnswerCache | undefined;
}

/** A call, and what it occupies until it is closed. */
export interface OpenCall extends Call {
  readonly releases: Release[];
}

export interface Done<Output = any> {
  readonly output: Output;
  readonly credits: number;
}

export interface Answered {
  readonly answer: Answer;
  /** Of this call. */
  readonly credits: number;
  /** The client holds this very answer already. */
  readonly isHeld: boolean;
}

/**
 * What stands around every call, on every way in: authenticate, then rate limit and concurrency (`admit`), then scope,
 * budget, reserve, run, price, charge (`execute`). In between the way in reads the input (see `operation-input.ts`).
 */
export interface Pipeline {
  /** @throws ApiError unauthorized */
  authenticate(key: string | undefined): Awaitable<Principal>;
  /** A call that occupies nothing yet. */
  begin(principal: Principal, requestId: string, operation?: string): OpenCall;
  /** @throws ApiError of status 429 */
  admit(call: OpenCall): Promise<void>;
  /** In place of `admit`, for a call that opens a stream. @throws ApiError of status 429 */
  admitStream(call: OpenCall): Promise<void>;
  /**
   * Runs an operation with a checked input.
   * @throws ApiError, and whatever else goes wrong
   */
  execute(operation: Operation, input: any, call: OpenCall): Promise<Done>;
  /**
   * The same for an operation that reads: its answer as bytes, kept from before where nothing has changed since.
   * @param isHeld whether the client holds the answer of this tag already: then it costs nothing.
   * @throws ApiError, and whatever else goes wrong
   */
  answer(operation: Operation, input: any, call: OpenCall, isHeld: (tag: string) => boolean): Promise<Answered>;
  /** Gives back what the call occupies, once its answer is handed over. */
  close(call: OpenCall): void;
}

export function createPipeline({ authenticate, stages, context, answers }: PipelineParts): Pipeline {
  /** Everything that stands around a run; `produce` tells what the call costs. */
  async function around<T extends { readonly credits: number }>(
    operation: Operation,
    input: any,
    call: OpenCall,
    produce: (callContext: OperationContext) => Promise<T>,
  ): Promise<T> {
    const callContext: OperationContext = { ...context, principal: call.principal };
    checkSport(input, call.principal);
    await operation.check?.(input, callContext);
    const budget = operation.budget?.(input);
    if (budget !== undefined) call.releases.push(await stages.budget(call, budget));
    const most = operation.price.bounds(input).max;
    const reservation = most > 0 ? await stages.reserve(call, most) : freeReservation;
    let produced: T;
    try {
      produced = await produce(callContext);
    } catch (error) {
      await reservation.cancel();
      throw error;
    }
    await reservation.charge(produced.credits);
    return produced;
  }

  function answerOf(operation: Operation, input: any, callContext: OperationContext): Awaitable<Answer> {
    const make = async (runContext: OperationContext): Promise<Answer> => {
      const output = await operation.run(input, runContext);
      const body = Buffer.from(JSON.stringify(output));
      const maxAge = operation.cache?.(input, output) ?? 0;
      return { body, tag: entityTag(body), maxAge, credits: operation.price.of(input, output) };
    };
    if (!answers) return make(callContext);
    const key = `${operation.name} ${callContext.principal.scopes.join()} ${JSON.stringify(input)}`;
    return answers.get(key) ?? answers.make(key, (sources) => make(tracedContext(callContext, sources)));
  }

  return {
    authenticate,
    begin: (principal, requestId, operation) => ({
      requestId,
      principal,
      operation,
      startedAt: context.now(),
      releases: [],
    }),
    async admit(call) {
      await stages.rateLimit(call);
      call.releases.push(await stages.enter(call));
    },
    async admitStream(call) {
      await stages.rateLimit(call);
      call.releases.push(await stages.openStream(call));
    },
    execute: (operation, input, call) =>
      around(operation, input, call, async (callContext) => {
        const output = await operation.run(input, callContext);
        return { output, credits: operation.price.of(input, output) };
      }),
    answer: (operation, input, call, isHeld) =>
      around(operation, input, call, async (callContext) => {
        const answer = await answerOf(operation, input, callContext);
        const held = isHeld(answer.tag);
        return { answer, isHeld: held, credits: held ? 0 : answer.credits };
      }),
    close(call) {
      for (const release of call.releases.splice(0)) release();
    },
  };
}

/** An unknown sport is no one's: it stays an empty list. */
function checkSport(input: { readonly sport?: unknown }, principal: Principal): void {
  const { sport } = input;
  if (typeof sport === 'string' && findSport(sport) !== undefined) requireSport(principal, sport);
}
