import { findSport } from '../domain/catalogue.ts';
import type { Awaitable } from '../time/awaitable.ts';
import type { Answer } from './answers/answer.ts';
import type { AnswerCache } from './answers/answer-cache.ts';
import type { Sources } from './answers/sources.ts';
import { tracedContext } from './answers/traced-context.ts';
import { ApiError } from './errors.ts';
import { entityTag } from './etag.ts';
import type { AnswerOnce } from './once/answer-once.ts';
import type { Done, Operation, OperationContext } from './operation.ts';
import type { Principal } from './principal.ts';
import { requireSport } from './scopes.ts';
import { type Call, freeReservation, type Release, type Reservation, type Stages } from './stages.ts';

export interface PipelineParts {
  /** Who calls with this key. @throws ApiError unauthorized */
  readonly authenticate: (key: string | undefined) => Awaitable<Principal>;
  readonly stages: Stages;
  readonly context: Omit<OperationContext, 'principal' | 'call'>;
  /** Without it every answer is made anew. */
  readonly answers?: AnswerCache | undefined;
  /** Without it an `Idempotency-Key` means nothing. */
  readonly once?: AnswerOnce | undefined;
}

/** A call, and what it occupies until it is closed. */
export interface OpenCall extends Call {
  readonly releases: Release[];
}

/** What is asked of an operation that reads. */
export interface Question {
  readonly input: any;
  /** The same for the same input: its JSON. */
  readonly text: string;
  /** The key of its answer as it was asked for last, and for which scopes. */
  asked?: { readonly scopes: Principal['scopes']; readonly key: string } | undefined;
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
 * a first answer under the same `Idempotency-Key`, budget, reserve, run, price, charge (`execute`). In between the way
 * in reads the input (see `operation-input.ts`) and that key.
 */
export interface Pipeline {
  /** @throws ApiError unauthorized */
  authenticate(key: string | undefined): Awaitable<Principal>;
  /** A call that occupies nothing yet. */
  begin(principal: Principal, requestId: string, operation?: string): OpenCall;
  /** @throws ApiError of status 429 */
  admit(call: OpenCall): Awaitable<void>;
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
  answer(operation: Operation, question: Question, call: OpenCall, isHeld: (tag: string) => boolean): Promise<Answered>;
  /** Gives back what the call occupies, once its answer, of this status, is handed over. */
  close(call: OpenCall, status: number): void;
}

export function createPipeline({ authenticate, stages, context, answers, once }: PipelineParts): Pipeline {
  const contextOf = (call: Call): OperationContext => ({ ...context, principal: call.principal, call });

  /** What may never be asked is refused, whatever else there is to say. */
  function check(operation: Operation, input: any, call: OpenCall): Awaitable<void> {
    checkSport(input, call.principal);
    return operation.check?.(input, contextOf(call));
  }

  /**
   * What limits a run, and charges it; `produce` tells what the call costs. It waits only for what is a promise: an
   * answer that is kept passes all stages in one go, as long as they need nobody else.
   */
  async function metered<T extends { readonly credits: number }>(
    operation: Operation,
    input: any,
    call: OpenCall,
    produce: () => Awaitable<T>,
  ): Promise<T> {
    const budget = operation.budget?.(input);
    if (budget !== undefined) {
      const release = stages.budget(call, budget);
      call.releases.push(release instanceof Promise ? await release : release);
    }
    const most = operation.price.bounds(input).max;
    let reservation: Reservation;
    try {
      const reserved = most > 0 ? stages.reserve(call, most) : freeReservation;
      reservation = reserved instanceof Promise ? await reserved : reserved;
    } catch (refusal) {
      throw await firstOf(refusal, produce);
    }
    let produced: T;
    try {
      const producing = produce();
      produced = producing instanceof Promise ? await producing : producing;
    } catch (error) {
      await reservation.cancel();
      throw error;
    }
    // Before the answer leaves: a client must not hold an answer that the ledger knows nothing of after a crash.
    const charged = reservation.charge(produced.credits, operation.status ?? 200);
    if (charged instanceof Promise) await charged;
    return produced;
  }

  async function run(operation: Operation, input: any, runContext: OperationContext): Promise<Answer> {
    const output = await operation.run(input, runContext);
    const body = Buffer.from(JSON.stringify(output));
    const maxAge = operation.cache?.(input, output) ?? 0;
    return { bytes: body.toString('latin1'), tag: entityTag(body), maxAge, credits: operation.price.of(input, output) };
  }

  function answerTo(operation: Operation, question: Question, call: OpenCall): Awaitable<Answer> {
    const { input } = question;
    if (!answers) return run(operation, input, contextOf(call));
    const key = keyOf(operation, question, call.principal);
    const make = (sources: Sources) => run(operation, input, tracedContext(contextOf(call), sources));
    return answers.get(key) ?? answers.make(key, make);
  }

  function takePlace(call: OpenCall): Awaitable<void> {
    const entered = stages.enter(call);
    if (entered instanceof Promise) return entered.then((release) => void call.releases.push(release));
    call.releases.push(entered);
  }

  return {
    authenticate,
    begin: (principal, requestId, operation) => ({
      requestId,
      principal,
      operation,
      startedAt: context.now(),
      releases: [],
      // Named from the start, for an object that grows on its way costs each who looks at it.
      idempotencyKey: undefined,
      window: undefined,
      creditsRemaining: undefined,
      budget: undefined,
      isCharged: false,
      countedAt: undefined,
      kept: undefined,
    }),
    admit(call) {
      const limited = stages.rateLimit(call);
      return limited instanceof Promise ? limited.then(() => takePlace(call)) : takePlace(call);
    },
    async admitStream(call) {
      await stages.rateLimit(call);
      call.releases.push(await stages.openStream(call));
    },
    async execute(operation, input, call) {
      await check(operation, input, call);
      const runContext = contextOf(call);
      const act = () =>
        metered<Done>(operation, input, call, async () => {
          const output = await operation.run(input, runContext);
          return { output, credits: operation.price.of(input, output) };
        });
      return once ? once(operation, input, runContext, act) : act();
    },
    answer(operation, question, call, isHeld) {
      const produce = () => {
        const answer = answerTo(operation, question, call);
        return answer instanceof Promise ? answer.then((made) => answered(made, isHeld)) : answered(answer, isHeld);
      };
      const run = () => metered(operation, question.input, call, produce);
      const checked = check(operation, question.input, call);
      return checked instanceof Promise ? checked.then(run) : run();
    },
    close(call, status) {
      for (const release of call.releases) release();
      call.releases.length = 0;
      stages.done(call, status);
    },
  };
}

/**
 * Who asks for nonsense, or for what is not theirs, is told so before anything about credits; some of that only the run
 * finds out. Nothing of its answer is given away, and what changes anything costs nothing, and never comes here.
 */
async function firstOf(refusal: unknown, produce: () => Awaitable<unknown>): Promise<unknown> {
  if (!(refusal instanceof ApiError && refusal.status === 402)) return refusal;
  try {
    await produce();
  } catch (error) {
    if (error instanceof ApiError && COME_FIRST.has(error.status)) return error;
  }
  return refusal;
}

const COME_FIRST: ReadonlySet<number> = new Set([400, 403, 422]);

/** The scopes decide what a list holds, and what is refused. */
function keyOf({ name }: Operation, question: Question, { scopes }: Principal): string {
  if (question.asked?.scopes !== scopes) question.asked = { scopes, key: `${name} ${scopes.join()} ${question.text}` };
  return question.asked.key;
}

function answered(answer: Answer, isHeld: (tag: string) => boolean): Answered {
  const held = isHeld(answer.tag);
  return { answer, isHeld: held, credits: held ? 0 : answer.credits };
}

/** An unknown sport is no one's: it stays an empty list. */
function checkSport(input: { readonly sport?: unknown }, principal: Principal): void {
  const { sport } = input;
  if (typeof sport === 'string' && findSport(sport) !== undefined) requireSport(principal, sport);
}
