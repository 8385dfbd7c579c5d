import { findSport } from '../domain/catalogue.ts';
import type { Operation, OperationContext, Principal } from '../operations/operation.ts';
import { requireSport } from '../operations/scopes.ts';
import { type Awaitable, type Call, freeReservation, type Release, type Stages } from './stages.ts';

export interface PipelineParts {
  /** Who calls with this key. @throws ApiError unauthorized */
  readonly authenticate: (key: string | undefined) => Awaitable<Principal>;
  readonly stages: Stages;
  readonly context: Omit<OperationContext, 'principal'>;
}

/** A call, and what it occupies until it is closed. */
export interface OpenCall extends Call {
  readonly releases: Release[];
}

export interface Done<Output = any> {
  readonly output: Output;
  readonly credits: number;
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
   * @param isHeld whether the client holds this very answer already: then it costs nothing.
   * @throws ApiError, and whatever else goes wrong
   */
  execute(operation: Operation, input: any, call: OpenCall, isHeld?: (output: any) => boolean): Promise<Done>;
  /** Gives back what the call occupies, once its answer is handed over. */
  close(call: OpenCall): void;
}

export function createPipeline({ authenticate, stages, context }: PipelineParts): Pipeline {
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
    async execute(operation, input, call, isHeld) {
      const callContext: OperationContext = { ...context, principal: call.principal };
      checkSport(input, call.principal);
      await operation.check?.(input, callContext);
      const budget = operation.budget?.(input);
      if (budget !== undefined) call.releases.push(await stages.budget(call, budget));
      const most = operation.price.bounds(input).max;
      const reservation = most > 0 ? await stages.reserve(call, most) : freeReservation;
      let credits: number;
      let output: unknown;
      try {
        output = await operation.run(input, callContext);
        credits = isHeld?.(output) ? 0 : operation.price.of(input, output);
      } catch (error) {
        await reservation.cancel();
        throw error;
      }
      await reservation.charge(credits);
      return { output, credits };
    },
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
