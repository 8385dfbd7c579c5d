import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../calls/errors.ts';
import type { Principal } from '../calls/principal.ts';
import type { Call, Release, Reservation, Stages } from '../calls/stages.ts';
import { freeReservation } from '../calls/stages.ts';
import type { AnsweredCall } from '../domain/accounts/calls.ts';
import type { AccountTerms } from '../domain/accounts/terms.ts';
import { formatTime } from '../domain/time.ts';
import { BUDGETS, IN_FLIGHT, RETRY_AT_ONCE, STREAMS } from '../limits/limit-numbers.ts';
import type { Budget, Counted, Limited, Limits } from '../limits/limits.ts';
import type { Awaitable } from '../time/awaitable.ts';
import type { Credits, Hold } from './credits/credits.ts';
import { type Plans, planOf, termsOf } from './terms.ts';

export interface MeteredStagesParts {
  readonly limits: Limits;
  readonly credits: Credits;
  readonly plans: Plans;
  /** Milliseconds. */
  readonly now: () => number;
}

const nothing = (): void => {};
/** Of a key's calls that are refused with 429 one is noted in so many milliseconds: nobody fills the disk with them. */
const NOTE_REFUSED_EVERY = 1000;
const KEYS_KEPT = 10_000;

/** The limits and the credits of each caller's plan. The operator's own key has neither. */
export function createMeteredStages({ limits, credits, plans, now }: MeteredStagesParts): Stages {
  const terms = new WeakMap<Principal, AccountTerms>();
  /** Of each account the last ones: its keys share them, so that it need not compare them at each call. */
  const lastTerms = new LRUCache<number, AccountTerms>({ max: KEYS_KEPT });
  /** When a refused call was noted last, by key. */
  const refusedAt = new LRUCache<number, number>({ max: KEYS_KEPT });

  /** A call that is refused with 429 counts in no window. */
  async function takeBack(call: Call): Promise<void> {
    if (call.countedAt === undefined || !call.window) return;
    const { limit } = call.window;
    const counted = await limits.uncount('requests', call.principal.keyId, call.countedAt);
    call.window = { limit, remaining: Math.max(0, limit - counted.counted), resetAt: counted.resetAt };
  }

  async function refused(call: Call, code: LimitCode, message: string, seconds: number): Promise<never> {
    await takeBack(call);
    throw new ApiError(code, message, { retry_after: seconds });
  }

  /** Whether this refused call is the one of its second that is noted. */
  function claimNote({ principal, startedAt }: Call): boolean {
    const last = refusedAt.get(principal.keyId);
    if (last !== undefined && Math.abs(startedAt - last) < NOTE_REFUSED_EVERY) return false;
    refusedAt.set(principal.keyId, startedAt);
    return true;
  }

  function place(call: Call, what: Limited, most: number, code: LimitCode, message: string): Awaitable<Release> {
    if (call.principal.unlimited) return nothing;
    const entered = limits.enter(what, call.principal.keyId, most);
    if (typeof entered === 'function') return entered;
    return Promise.resolve(entered).then((release) => release ?? refused(call, code, message, RETRY_AT_ONCE));
  }

  function count(call: Call, limit: number, at: number): Awaitable<void> {
    const counted = limits.count('requests', call.principal.keyId, limit, at);
    return counted instanceof Promise
      ? counted.then((result) => noted(call, limit, at, result))
      : noted(call, limit, at, counted);
  }

  function noted(call: Call, limit: number, at: number, { admitted, counted, resetAt }: Counted): void {
    call.window = { limit, remaining: Math.max(0, limit - counted), resetAt };
    if (!admitted) {
      throw new ApiError('rate_limit_exceeded', `Too many requests: ${limit} are allowed in 60 seconds.`, {
        retry_after: secondsUntil(resetAt, at),
      });
    }
    call.countedAt = at;
  }

  /** A key's caller is the same object for half a second: what it is due need not be made for each call. */
  function knownTerms(principal: Principal): AccountTerms | undefined {
    const known = terms.get(principal);
    if (known) return known;
    const made = termsOf(principal, plans);
    if (!made) return;
    const last = lastTerms.get(made.accountId);
    const shared = last && isDeepStrictEqual(last, made) ? last : made;
    lastTerms.set(made.accountId, shared);
    terms.set(principal, shared);
    return shared;
  }

  function openAccount(call: Call): Awaitable<void> {
    const terms = knownTerms(call.principal);
    if (!terms) return;
    const remaining = credits.remaining(terms, call.startedAt);
    if (remaining instanceof Promise) return remaining.then((found) => seen(call, found));
    seen(call, remaining);
  }

  function seen(call: Call, remaining: number | undefined): void {
    call.creditsRemaining = remaining;
  }

  async function enterBudget(call: Call, budget: Budget): Promise<Release> {
    const { keyId } = call.principal;
    const { inWindow, atOnce } = BUDGETS[budget];
    const what = WORDS[budget];
    const message = `Too many ${what} at the same moment: ${atOnce} are allowed.`;
    const release = await place(call, budget, atOnce, 'concurrency_limit_exceeded', message);
    if (inWindow === undefined) return release;
    const at = now();
    const { admitted, resetAt } = await limits.count(budget, keyId, inWindow, at);
    if (admitted) return release;
    release();
    const text = `Too many ${what}: ${inWindow} are allowed in 60 seconds.`;
    return refused(call, 'rate_limit_exceeded', text, secondsUntil(resetAt, at));
  }

  return {
    rateLimit(call) {
      const { unlimited, plan } = call.principal;
      if (unlimited) return;
      const limit = planOf(plans, plan).requests_per_minute;
      const opened = openAccount(call);
      if (limit === null) return opened;
      return opened instanceof Promise
        ? opened.then(() => count(call, limit, call.startedAt))
        : count(call, limit, call.startedAt);
    },
    enter: (call) =>
      place(
        call,
        'requests',
        IN_FLIGHT,
        'concurrency_limit_exceeded',
        `Too many requests at the same moment: ${IN_FLIGHT} are allowed.`,
      ),
    openStream: (call) =>
      place(call, 'streams', STREAMS, 'stream_limit_exceeded', `Too many open streams: ${STREAMS} are allowed.`),
    budget(call, budget) {
      if (call.principal.unlimited) return nothing;
      call.budget = budget;
      return enterBudget(call, budget);
    },
    reserve(call, most) {
      const terms = call.principal.unlimited ? undefined : knownTerms(call.principal);
      if (!terms) return freeReservation;
      const hold = credits.reserve(terms, most, now());
      return hold instanceof Promise
        ? hold.then((held) => new HeldCredits(call, held, now))
        : new HeldCredits(call, hold, now);
    },
    done(call, status) {
      const { isCharged, principal } = call;
      if (isCharged || !principal.account) return;
      if (status === 429 && !claimNote(call)) return;
      credits.note(principal.accountId, answeredCall(call, status, now()));
    },
  };
}

/** What one call holds of its account. */
class HeldCredits implements Reservation {
  readonly #call: Call;
  readonly #hold: Hold;
  readonly #now: () => number;

  constructor(call: Call, hold: Hold, now: () => number) {
    this.#call = call;
    this.#hold = hold;
    this.#now = now;
  }

  charge(amount: number, status: number): Awaitable<void> {
    const at = this.#now();
    const call = this.#call;
    const charged = this.#hold.charge(answeredCall(call, status, at), amount, at);
    if (amount > 0) call.isCharged = true;
    if (charged instanceof Promise) {
      return charged.then(({ remaining }) => {
        call.creditsRemaining = remaining;
      });
    }
    call.creditsRemaining = charged.remaining;
  }

  cancel(): Awaitable<void> {
    return this.#hold.release();
  }
}

function answeredCall(call: Call, status: number, at: number): AnsweredCall {
  const { startedAt, principal, operation = null, requestId, budget } = call;
  const answered = {
    at: formatTime(startedAt),
    keyId: principal.keyId,
    operation,
    requestId,
    status,
    milliseconds: Math.max(0, at - startedAt),
  };
  return budget === undefined ? answered : { ...answered, budget };
}

type LimitCode = 'rate_limit_exceeded' | 'concurrency_limit_exceeded' | 'stream_limit_exceeded';

const WORDS: Readonly<Record<Budget, string>> = { score_poll: 'polls of scores', slip_grading: 'slip gradings' };

const secondsUntil = (time: number, now: number): number => Math.max(1, Math.ceil((time - now) / 1000));
