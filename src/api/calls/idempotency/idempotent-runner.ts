import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../domain/primitives/canonical-json.ts';
import type { SetTimer } from '../../../platform/async/timer.ts';
import type { IdempotencyRule, Operation, OperationContext, OperationResult } from '../operation/operation.ts';
import { canonicalScopes } from '../scopes.ts';
import { invalidIdempotencyKey } from './idempotency-key.ts';
import { type BeginResult, type IdempotencyStore, RUN_LEASE, type RunClaim } from './idempotency-store.ts';

/**
 * Runs a call, unless its `Idempotency-Key` has a stored answer: then replays that answer.
 * @param run gets the id of the run. If another process began the same run and died, `isTakenOver` is true, and what it
 * did is found under the id
 * @throws ApiError validation_error if the key was used for another request; and every error of `run`
 */
export type IdempotentRunner = (
  operation: Operation,
  input: any,
  context: OperationContext,
  run: (runId?: string, isTakenOver?: boolean) => Promise<OperationResult>,
) => Promise<OperationResult>;

interface IdempotentRunnerParts {
  readonly store: IdempotencyStore;
  /**
   * Id of this process among all that share `store`, unique among those alive. A process that restarts under the same
   * id takes over its old runs at once.
   */
  readonly owner: string;
  /** Returns an id that no run ever had. */
  readonly newRunId: () => string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** Called if an answer could not be stored. The client gets the answer all the same. */
  readonly onError: (error: unknown) => void;
}

/** Interval in which a call checks whether another process has finished with the same key, in milliseconds. */
const POLL_INTERVAL_MS = 50;
/** Several renewals fit into one lease, so that one lost renewal does not lose the key. */
const RENEW_INTERVAL_MS = RUN_LEASE / 4;
const MAX_STORE_ATTEMPTS = 3;

/**
 * Calls with one key wait for each other. Each then finds the stored answer, or runs if the call before it failed.
 * Within this process they run in the order of arrival; other processes are polled.
 *
 * A crash between the run and the storing of its answer leaves an effect without an answer. A repeated call takes over
 * the run and its id: operations store what they create under that id, and find it again. Where money moves, the
 * operation passes its own key on to the payment provider.
 */
export function createIdempotentRunner(parts: IdempotentRunnerParts): IdempotentRunner {
  const { store, owner, newRunId, now, setTimer, onError } = parts;
  const running = new Map<string, Promise<void>>();
  let claims = 0;
  let released: Promise<void> | undefined;

  /** Frees the runs that this process had before it died. */
  function releaseOldRuns(): Promise<void> {
    released ??= store.abandonAll(owner).catch((error: unknown) => {
      released = undefined;
      throw error;
    });
    return released;
  }

  /** Resolves once no other process runs a call with this key. */
  async function begin(claim: RunClaim): Promise<Exclude<BeginResult, { kind: 'running' }>> {
    try {
      for (;;) {
        const begun = await store.begin(claim, now());
        if (begun.kind !== 'running') return begun;
        await new Promise<void>((resolve) => setTimer(resolve, POLL_INTERVAL_MS));
      }
    } catch (error) {
      // The claim may have succeeded, and would block others until its lease ends.
      await store.abandon(claim).catch(() => {});
      throw error;
    }
  }

  /** Renews the lease until the returned function is called. */
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

  async function runAndStore(
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
      // After its lease the run can be taken over; the next call then finds what it did.
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
      await releaseOldRuns();
      const claim: RunClaim = {
        recordKey,
        requestHash: hashOf(input),
        owner,
        token: `${owner}/${++claims}`,
        runId: newRunId(),
      };
      const begun = await begin(claim);
      if (begun.kind === 'keyReused') throw invalidIdempotencyKey('was used for another request already', 'reused');
      if (begun.kind === 'run')
        return await runAndStore(claim, idempotency, context, () => run(begun.runId, begun.runId !== claim.runId));
      return { output: await idempotency.replay(begun.answer, context), credits: 0, isReplayed: true };
    } finally {
      running.delete(name);
      end();
    }
  };
}

/** The path of the REST endpoint, for MCP too. */
const pathOf = ({ path }: Operation, input: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(input[name]));

/** Hash of the parsed input: blanks, the order of members and unknown members make no difference. */
const hashOf = (input: unknown): string => createHash('sha256').update(canonicalJson(input)).digest('hex');
