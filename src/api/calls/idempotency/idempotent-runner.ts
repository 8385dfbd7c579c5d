import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../domain/primitives/canonical-json.ts';
import type { SetTimer } from '../../../platform/async/timer.ts';
import type { IdempotencyRule, Operation, OperationContext, OperationResult } from '../operation/operation.ts';
import { canonicalScopes } from '../scopes.ts';
import { invalidIdempotencyKey } from './idempotency-key.ts';
import { type BeginResult, type IdempotencyStore, RUN_LEASE, type RunClaim } from './idempotency-store.ts';

/**
 * Runs a call, unless it came with an `Idempotency-Key` that has its answer already: then it gets that one.
 * @param run is told what it is called: where another process has begun the same and has died, what that one has done
 * stands under the name, and it is told that the run was taken over
 * @throws ApiError validation_error where the key was used for something else; and whatever `run` throws
 */
export type IdempotentRunner = (
  operation: Operation,
  input: any,
  context: OperationContext,
  run: (name?: string, isTakenOver?: boolean) => Promise<OperationResult>,
) => Promise<OperationResult>;

interface IdempotentRunnerParts {
  readonly store: IdempotencyStore;
  /**
   * Names this process among all that share `remembered`; no two that live at the same time have one name. A process
   * that comes back under its name is not held up by what it had under way when it died.
   */
  readonly owner: string;
  /** A name that no run has ever had. */
  readonly newRunId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** Told when an answer could not be kept; the client has it all the same. */
  readonly onError: (error: unknown) => void;
}

/** How often a call looks whether another process is through with the same key, in milliseconds. */
const POLL_INTERVAL_MS = 50;
/** Several signs of life within a lease: one that is lost must not cost the place. */
const RENEW_INTERVAL_MS = RUN_LEASE / 4;
const MAX_STORE_ATTEMPTS = 3;

/**
 * Calls with the same key wait for each other, so that each finds the answer of the one before, or runs where that one
 * has failed: those of this process in the order in which they came, those of others by looking again and again.
 *
 * A crash after an operation has run and before its answer is kept leaves a deed without an answer. Whoever repeats the
 * call takes the run over, with its name: operations that make something put it under that name, and find it then. Where
 * money moves, the operation hands its own key to whoever moves it.
 */
export function createIdempotentRunner(parts: IdempotentRunnerParts): IdempotentRunner {
  const { store, owner, newRunId, now, setTimer, onError } = parts;
  const running = new Map<string, Promise<void>>();
  let claims = 0;
  let cleared: Promise<void> | undefined;

  /** What this process had under way when it died runs no more. */
  function clear(): Promise<void> {
    cleared ??= store.abandonAll(owner).catch((error: unknown) => {
      cleared = undefined;
      throw error;
    });
    return cleared;
  }

  /** Once no other process runs a call of this key. */
  async function begin(claim: RunClaim): Promise<Exclude<BeginResult, { kind: 'running' }>> {
    try {
      for (;;) {
        const begun = await store.begin(claim, now());
        if (begun.kind !== 'running') return begun;
        await new Promise<void>((resolve) => setTimer(resolve, POLL_INTERVAL_MS));
      }
    } catch (error) {
      // It may have begun all the same, and would keep others waiting until its lease is over.
      await store.abandon(claim).catch(() => {});
      throw error;
    }
  }

  /** Gives signs of life until the returned function is called. */
  function keepAlive(claim: RunClaim): () => void {
    let cancel = arm();
    let hasEnded = false;
    function arm(): () => void {
      return setTimer(() => void renew(), RENEW_INTERVAL_MS);
    }
    async function renew(): Promise<void> {
      const isOurs = await store.renew(claim, now()).catch(() => true);
      if (isOurs && !hasEnded) cancel = arm();
    }
    return () => {
      hasEnded = true;
      cancel();
    };
  }

  async function finish(claim: RunClaim, answer: unknown): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await store.finish(claim, answer, now());
      } catch (error) {
        if (tries === MAX_STORE_ATTEMPTS) throw error;
      }
    }
  }

  async function runAndKeep(
    claim: RunClaim,
    { toStored }: IdempotencyRule,
    context: OperationContext,
    run: () => Promise<OperationResult>,
  ): Promise<OperationResult> {
    const end = keepAlive(claim);
    let done: OperationResult;
    try {
      done = await run();
    } catch (error) {
      end();
      await store.abandon(claim).catch(() => {});
      throw error;
    }
    try {
      await finish(claim, toStored(done.output, context));
    } catch (error) {
      // When its lease is over the run can be taken over, and finds what was done.
      onError(error);
    } finally {
      end();
    }
    return done;
  }

  return async (operation, input, context, run) => {
    const { idempotency } = operation;
    const key = context.call.idempotencyKey;
    if (!idempotency || key === undefined) return run();
    const { accountId, scopes } = context.principal;
    const recordKey = { accountId, path: pathOf(operation, input), scopes: canonicalScopes(scopes), key };
    const name = JSON.stringify(recordKey);
    for (let before = running.get(name); before; before = running.get(name)) await before;
    let end!: () => void;
    running.set(name, new Promise((resolve) => (end = resolve)));
    try {
      await clear();
      const claim: RunClaim = {
        recordKey,
        requestHash: hashOf(input),
        owner,
        token: `${owner}/${++claims}`,
        runId: newRunId(),
      };
      const begun = await begin(claim);
      if (begun.kind === 'usedOtherwise') throw invalidIdempotencyKey('was used for another request already', 'reused');
      if (begun.kind === 'run')
        return await runAndKeep(claim, idempotency, context, () => run(begun.run, begun.run !== claim.runId));
      return { output: await idempotency.replay(begun.answer, context), credits: 0, isReplayed: true };
    } finally {
      running.delete(name);
      end();
    }
  };
}

/** As every way in has it: MCP knows no address but that of the operation. */
const pathOf = ({ path }: Operation, input: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(input[name]));

/** Of the request as it was understood: blanks, the order of members and unknown ones make no other request. */
const hashOf = (input: unknown): string => createHash('sha256').update(canonicalJson(input)).digest('hex');
