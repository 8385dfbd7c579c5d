import { isTrialExpired, type Refusal } from '../../../../commands/credit-decisions.ts';
import { type AccountTerms, dailyCapOf, isUnlimited, type KeyCap } from '../../../domain/accounts/credit-terms.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { pauseFor, type SetTimer } from '../../../platform/async/timer.ts';
import type { ScriptReply } from '../../../platform/redis-connection.ts';
import { toCreditRefusalError } from '../credit-answers.ts';
import type { AccountScriptRunner } from './account-script-runner.ts';
import { RELEASE_HOLD, RESERVE } from './credit-scripts.ts';
import { termsDigest } from './redis-state-sync.ts';

/** How long a call waits for credits held by others, in milliseconds. */
const MAX_WAIT = 5000;
/** How often to check whether another process has freed credits, in milliseconds. */
const POLL_INTERVAL = 50;
const BUSY_PAUSE = 5;
const BATCH_SIZE = 100;

interface Waiting {
  readonly terms: AccountTerms;
  readonly id: string;
  readonly maxCost: number;
  readonly keyCap: KeyCap | undefined;
  /** By the monotonic clock. */
  readonly until: number;
  readonly resolve: (requestedAt: number) => void;
  readonly reject: (error: unknown) => void;
}

interface ReservationQueueParts {
  readonly scripts: AccountScriptRunner;
  /** Length of a hold's lease in milliseconds. */
  readonly leaseMs: number;
  /** Updates the account's state in Redis. */
  readonly synchronize: (terms: AccountTerms) => Promise<unknown>;
  readonly now: () => number;
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  /** No call of this account waits any more. */
  readonly onIdle: () => void;
}

/** The calls of one account that reserve credits, in order of arrival at this process. */
export interface ReservationQueue {
  /** Resolves when the credits are held under this id, with the time when the request was sent to the server. */
  reserve(terms: AccountTerms, id: string, maxCost: number, keyCap: KeyCap | undefined): Promise<number>;
  /** Credits were freed. */
  wake(): void;
  /** Rejects all waiting calls. */
  fail(error: unknown): void;
}

/** Reserves for all waiting calls together, one script at a time, so that no call overtakes another. */
export function createReservationQueue(parts: ReservationQueueParts): ReservationQueue {
  const { scripts, leaseMs, synchronize, now, steadyNow, setTimer, onIdle } = parts;
  const queue: Waiting[] = [];
  let isPumping = false;
  let wakeUp: (() => void) | undefined;

  async function pump(): Promise<void> {
    if (isPumping) return wakeUp?.();
    isPumping = true;
    // All calls of this turn are together.
    await Promise.resolve();
    while (queue.length > 0) {
      const first = queue[0]!;
      const { terms } = first;
      if (steadyNow() > first.until) {
        queue.shift()!.reject(new UnavailableError('other calls hold back the credits that this one needs', 1));
        continue;
      }
      const end = queue.findIndex((one) => one.terms !== terms);
      const batch = queue.slice(0, Math.min(BATCH_SIZE, end < 0 ? queue.length : end));
      try {
        await reserveBatch(terms, batch);
      } catch (error) {
        for (const one of batch) remove(one)?.reject(error);
      }
    }
    isPumping = false;
    onIdle();
  }

  /** Removes the call from the queue; undefined if it has left already. */
  function remove(one: Waiting): Waiting | undefined {
    const position = queue.indexOf(one);
    if (position < 0) return;
    queue.splice(position, 1);
    return one;
  }

  async function reserveBatch(terms: AccountTerms, batch: readonly Waiting[]): Promise<void> {
    const requestedAt = steadyNow();
    const ofTerms = [termsDigest(terms), dailyCapOf(terms) ?? '', isUnlimited(terms) ? 1 : 0, leaseMs];
    const each = batch.flatMap(({ id, maxCost, keyCap }) => [id, maxCost, keyCap?.credits ?? '']);
    const [state, answers] = await scripts.run(RESERVE, terms.accountId, ...ofTerms, ...each);
    if (state === 'busy') return pauseFor(setTimer, BUSY_PAUSE);
    if (state === 'stale') return void (await synchronize(terms));
    let doWait = false;
    for (const [index, answer] of (answers as readonly (readonly ScriptReply[])[]).entries()) {
      const one = batch[index]!;
      if (answer[0] === 'waits') doWait = true;
      else if (answer[0] === 'held') grant(one, requestedAt);
      else remove(one)?.reject(toCreditRefusalError(toRefusal(one, answer, now()), one.maxCost));
    }
    if (doWait) await waitForWake();
  }

  function grant(one: Waiting, requestedAt: number): void {
    const waiting = remove(one);
    if (waiting) waiting.resolve(requestedAt);
    else void scripts.send(RELEASE_HOLD, one.terms.accountId, one.id, one.maxCost);
  }

  function waitForWake(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = setTimer(() => wakeUp?.(), POLL_INTERVAL);
      wakeUp = () => {
        wakeUp = undefined;
        cancel();
        resolve();
      };
    });
  }

  return {
    reserve(terms, id, maxCost, keyCap) {
      return new Promise((resolve, reject) => {
        queue.push({ terms, id, maxCost, keyCap, until: steadyNow() + MAX_WAIT, resolve, reject });
        void pump();
      });
    },
    wake: () => wakeUp?.(),
    fail(error) {
      for (const { reject } of queue.splice(0)) reject(error);
      wakeUp?.();
    },
  };
}

/** The refusal as `decideRefusal` gives it. */
function toRefusal(
  { terms, keyCap }: Pick<Waiting, 'terms' | 'keyCap'>,
  [code, fact]: readonly ScriptReply[],
  now: number,
): Refusal {
  switch (code as Refusal['code']) {
    case 'payment_failed':
      return { code: 'payment_failed', hostedInvoiceUrl: fact === '' ? null : String(fact) };
    case 'insufficient_credits':
      return { code: 'insufficient_credits', left: Number(fact), isTrialExpired: isTrialExpired(terms, now) };
    case 'daily_credit_cap_exceeded':
      return { code: 'daily_credit_cap_exceeded', cap: dailyCapOf(terms)!, resetsAt: timeOrNull(fact) };
    case 'credit_cap_exceeded':
      return { code: 'credit_cap_exceeded', cap: keyCap!.credits, resetsAt: timeOrNull(fact) };
  }
}

const timeOrNull = (fact: ScriptReply | undefined): number | null => (fact === '' ? null : Number(fact));
