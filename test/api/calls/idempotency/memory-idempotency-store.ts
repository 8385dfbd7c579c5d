import {
  IDEMPOTENCY_RETENTION,
  type IdempotencyRecordKey,
  type IdempotencyStore,
  RUN_LEASE,
  type RunClaim,
} from '../../../../src/api/calls/idempotency/idempotency-store.ts';

interface StoredAnswer {
  readonly requestHash: string;
  /** JSON. */
  readonly answer: string;
  readonly keptAt: number;
}

interface RunningCall {
  readonly claim: RunClaim;
  readonly runId: string;
  leaseUntil: number;
}

/** For tests. */
export function createMemoryIdempotencyStore(): IdempotencyStore {
  const answers = new Map<string, StoredAnswer>();
  const running = new Map<string, RunningCall>();

  const runOf = ({ recordKey, token }: RunClaim): RunningCall | undefined => {
    const found = running.get(nameOf(recordKey));
    return found?.claim.token === token ? found : undefined;
  };
  const free = (claim: RunClaim): void => {
    if (runOf(claim)) running.delete(nameOf(claim.recordKey));
  };

  return {
    async begin(claim, now) {
      const name = nameOf(claim.recordKey);
      const found = answers.get(name);
      if (found && found.keptAt > now - IDEMPOTENCY_RETENTION) {
        if (found.requestHash !== claim.requestHash) return { kind: 'keyReused' };
        return { kind: 'answer', answer: JSON.parse(found.answer) as unknown };
      }
      const other = running.get(name);
      if (other && other.claim.token !== claim.token && other.leaseUntil > now) return { kind: 'running' };
      const runId = other?.claim.requestHash === claim.requestHash ? other.runId : claim.runId;
      running.set(name, { claim, runId, leaseUntil: now + RUN_LEASE });
      return { kind: 'run', runId };
    },
    async renew(claim, now) {
      const run = runOf(claim);
      if (run) run.leaseUntil = now + RUN_LEASE;
      return run !== undefined;
    },
    async finish(claim, answer, now) {
      if (!runOf(claim)) return;
      const { requestHash, recordKey } = claim;
      answers.set(nameOf(recordKey), { requestHash, answer: JSON.stringify(answer), keptAt: now });
      free(claim);
      for (const [name, { keptAt }] of answers) if (keptAt <= now - IDEMPOTENCY_RETENTION) answers.delete(name);
    },
    async abandon(claim) {
      free(claim);
    },
    async abandonAll(owner) {
      for (const one of running.values()) if (one.claim.owner === owner) one.leaseUntil = Number.NEGATIVE_INFINITY;
    },
  };
}

const nameOf = ({ accountId, path, scopes, key }: IdempotencyRecordKey): string =>
  JSON.stringify([accountId, path, scopes, key]);
