import {
  type Claim,
  REMEMBERED_FOR,
  type RememberedAnswers,
  type RememberedPlace,
  RUN_LEASE,
} from './remembered-answers.ts';

interface Kept {
  readonly requestHash: string;
  /** JSON. */
  readonly answer: string;
  readonly keptAt: number;
}

interface Running {
  readonly claim: Claim;
  readonly run: string;
  leaseUntil: number;
}

/** For tests, and for one process that may forget. */
export function memoryRememberedAnswers(): RememberedAnswers {
  const kept = new Map<string, Kept>();
  const running = new Map<string, Running>();

  const runOf = ({ place, token }: Claim): Running | undefined => {
    const found = running.get(nameOf(place));
    return found?.claim.token === token ? found : undefined;
  };
  const free = (claim: Claim): void => {
    if (runOf(claim)) running.delete(nameOf(claim.place));
  };

  return {
    async begin(claim, now) {
      const name = nameOf(claim.place);
      const found = kept.get(name);
      if (found && found.keptAt > now - REMEMBERED_FOR) {
        if (found.requestHash !== claim.requestHash) return { kind: 'usedOtherwise' };
        return { kind: 'answer', answer: JSON.parse(found.answer) as unknown };
      }
      const other = running.get(name);
      if (other && other.claim.token !== claim.token && other.leaseUntil > now) return { kind: 'running' };
      const run = other?.claim.requestHash === claim.requestHash ? other.run : claim.run;
      running.set(name, { claim, run, leaseUntil: now + RUN_LEASE });
      return { kind: 'run', run };
    },
    async renew(claim, now) {
      const run = runOf(claim);
      if (run) run.leaseUntil = now + RUN_LEASE;
      return run !== undefined;
    },
    async finish(claim, answer, now) {
      if (!runOf(claim)) return;
      const { requestHash, place } = claim;
      kept.set(nameOf(place), { requestHash, answer: JSON.stringify(answer), keptAt: now });
      free(claim);
      for (const [name, { keptAt }] of kept) if (keptAt <= now - REMEMBERED_FOR) kept.delete(name);
    },
    async abandon(claim) {
      free(claim);
    },
    async abandonAll(owner) {
      for (const one of running.values()) if (one.claim.owner === owner) one.leaseUntil = Number.NEGATIVE_INFINITY;
    },
  };
}

const nameOf = ({ accountId, path, scopes, key }: RememberedPlace): string =>
  JSON.stringify([accountId, path, scopes, key]);
