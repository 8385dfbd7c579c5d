import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../api/calls/principal.ts';
import { type Admission, type Call, type CallKind, openAdmission, type Stages } from '../api/calls/stages.ts';
import { ENTRANCE_RULES, requestRules } from '../api/limits/limit-numbers.ts';
import type { Counted, Limits, Rule, Verdict } from '../api/limits/limits.ts';
import type { AccountTerms } from '../domain/accounts/terms.ts';
import { Unavailable } from '../domain/unavailable.ts';
import { type Awaitable, whenThere } from '../platform/time/awaitable.ts';
import type { Credits } from './credits/credits.ts';
import { type EarlyHold, holdEarly } from './early-hold.ts';
import { limitRefusal } from './limit-refusals.ts';
import { answeredCall, MeteredAdmission } from './metered-admission.ts';
import { type Plans, planOf, termsOf } from './plan-terms.ts';

export interface MeteredStagesParts {
  readonly limits: Limits;
  readonly credits: Credits;
  readonly plans: Plans;
  /**
   * Of operations by name, the most that a call can cost: it is held back while the call is admitted. For credits and
   * limits that are far away: then a call waits once for all of it. Absent: a call is admitted first.
   */
  readonly knownPrices?: ReadonlyMap<string, number> | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Of a key's calls that are refused with 429 one is noted in so many milliseconds: nobody fills the disk with them. */
const NOTE_REFUSED_EVERY = 1000;
const KEYS_KEPT = 10_000;

/** The limits and the credits of each caller's plan. The operator's own key has neither. */
export function createMeteredStages({ limits, credits, plans, knownPrices, now }: MeteredStagesParts): Stages {
  const terms = new WeakMap<Principal, AccountTerms>();
  /** Of each account the last ones: its keys share them, so that it need not compare them at each call. */
  const lastTerms = new LRUCache<number, AccountTerms>({ max: KEYS_KEPT });
  /** When a refused call was noted last, by key; of a session by its account, below 0. */
  const refusedAt = new LRUCache<number, number>({ max: KEYS_KEPT });
  const rules = new Map<number | null, ReturnType<typeof requestRules>>();

  /** Whether this refused call is the one of its second that is noted. */
  function claimNote({ principal, startedAt }: Call): boolean {
    const caller = principal.keyId ?? -principal.accountId;
    const last = refusedAt.get(caller);
    if (last !== undefined && Math.abs(startedAt - last) < NOTE_REFUSED_EVERY) return false;
    refusedAt.set(caller, startedAt);
    return true;
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

  function rulesOf(perMinute: number | null, kind: CallKind): readonly Rule[] {
    let known = rules.get(perMinute);
    if (!known) {
      known = requestRules(perMinute);
      rules.set(perMinute, known);
    }
    return known[kind];
  }

  function enter(call: Call, kind: CallKind, terms: AccountTerms | undefined, early?: EarlyHold): Awaitable<Admission> {
    const { keyId, plan, account } = call.principal;
    if (keyId === null) return new MeteredAdmission({ call, credits, terms, limits, now, tellWindow() {}, early });
    const perMinute = account?.requestsPerMinute ?? planOf(plans, plan).requests_per_minute;
    const verdict = limits.admit({ keyId, at: call.startedAt, rules: rulesOf(perMinute, kind) });
    return whenThere(verdict, (given) => admission(call, terms, perMinute, given, early));
  }

  function admission(
    call: Call,
    terms: AccountTerms | undefined,
    perMinute: number | null,
    verdict: Verdict,
    early: EarlyHold | undefined,
  ): Admission {
    const tellWindow = (counted: Counted | undefined) => {
      if (perMinute === null || !counted) return;
      const remaining = Math.max(0, perMinute - counted.counted);
      call.window = { limit: perMinute, remaining, resetAt: counted.resetAt };
    };
    tellWindow(verdict.window);
    if (!verdict.admitted) throw limitRefusal(verdict, call.startedAt);
    return new MeteredAdmission({ call, credits, terms, limits, now, tellWindow, early }, verdict.lease);
  }

  /** An account cannot be opened while nothing can be written. Calls that cost nothing go on, and tell no balance; the
   *  others are refused where they reserve. */
  function remainingOf({ startedAt }: Call, terms: AccountTerms): Awaitable<number | undefined> {
    const asked = credits.remaining(terms, startedAt);
    if (!(asked instanceof Promise)) return asked;
    return asked.catch((error: unknown) => {
      if (error instanceof Unavailable) return undefined;
      throw error;
    });
  }

  /** What is far away is asked for all at once. */
  async function enterFar(call: Call, kind: CallKind, terms: AccountTerms): Promise<Admission> {
    const looking = remainingOf(call, terms);
    const most = call.operation === undefined ? undefined : knownPrices?.get(call.operation);
    const early = most === undefined ? undefined : holdEarly(most, () => credits.reserve(terms, most, call.startedAt));
    const entering = (async () => enter(call, kind, terms, early))();
    const [remaining, entered] = await Promise.allSettled([looking, entering]);
    if (remaining.status === 'fulfilled') call.creditsRemaining = remaining.value;
    if (remaining.status === 'fulfilled' && entered.status === 'fulfilled') return entered.value;
    if (entered.status === 'fulfilled') {
      entered.value.release();
      await entered.value.uncount();
    } else early?.drop();
    throw entered.status === 'rejected' ? entered.reason : (remaining as PromiseRejectedResult).reason;
  }

  return {
    enter({ keyId, unlimited }) {
      if (unlimited || keyId === null) return () => {};
      const at = now();
      return whenThere(limits.admit({ keyId, at, rules: ENTRANCE_RULES }), (verdict) => {
        if (!verdict.admitted) throw limitRefusal(verdict, at);
        return () => verdict.lease.release();
      });
    },
    admit(call, kind) {
      const { principal } = call;
      if (principal.unlimited) return openAdmission;
      const terms = knownTerms(principal);
      if (!terms) return enter(call, kind, undefined);
      if (knownPrices) return enterFar(call, kind, terms);
      return whenThere(remainingOf(call, terms), (remaining) => {
        call.creditsRemaining = remaining;
        return enter(call, kind, terms);
      });
    },
    done(call, status) {
      const { isCharged, principal } = call;
      if (isCharged || !principal.account) return;
      if (status === 429 && !claimNote(call)) return;
      credits.note(principal.accountId, answeredCall(call, status, now()));
    },
  };
}
