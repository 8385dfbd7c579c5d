import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import {
  type Admission,
  type AdmissionControl,
  type Call,
  type CallKind,
  type RequestWindow,
  unchargedAdmission,
  unlimitedAdmission,
} from '../api/calls/pipeline/admission.ts';
import type { Principal } from '../api/calls/principal.ts';
import { MAX_FREE, MCP_MESSAGE_RULES, requestRules, SESSION_RULES, SLOT_RULES } from '../api/limits/limit-rules.ts';
import type { LimitDecision, LimitRule, Limits, WindowState } from '../api/limits/limits.ts';
import type { AccountTerms } from '../domain/accounts/credit-terms.ts';
import { UnavailableError } from '../domain/primitives/domain-errors.ts';
import { type Awaitable, mapAwaitable } from '../platform/async/awaitable.ts';
import { entriesAtMost } from '../platform/cache-bounds.ts';
import { accountTermsOf, type Plans, planOf } from './billing/account-terms.ts';
import type { Credits } from './credits/credits.ts';
import { toLimitError } from './limit-errors.ts';
import { type EarlyHold, MeteredAdmission, reserveEarly, toAnsweredCall } from './metered-admission.ts';

interface MeteredStagesParts {
  readonly limits: Limits;
  readonly credits: Credits;
  readonly plans: Plans;
  /**
   * The maximum cost of operations, by name. The credits are reserved while the call is being admitted. For credits and
   * limits in remote engines: the call then waits for one round trip only. Absent: the call is admitted first.
   */
  readonly knownCosts?: ReadonlyMap<string, number> | undefined;
  /** The server only reads: nobody is charged, the operator's own key no price either. */
  readonly isReadOnly?: boolean | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

const toRequestWindow = (limit: number, { counted, resetAt }: WindowState): RequestWindow => ({
  limit,
  remaining: Math.max(0, limit - counted),
  resetAt,
});

/**
 * In this many milliseconds one refused call (429) of a key is recorded, so that refused calls cannot fill the disk.
 */
const NOTE_REFUSED_EVERY = 1000;
const KEYS_KEPT = 10_000;

/** Applies the limits and the credits of each caller's plan. The operator's own key has neither. */
export function createMeteredStages(parts: MeteredStagesParts): AdmissionControl {
  const { limits, credits, plans, knownCosts, isReadOnly = false, now } = parts;
  const terms = new WeakMap<Principal, AccountTerms>();
  /**
   * The latest terms of each account, shared by its keys. Equal terms are then the same object, which need not be
   * compared at each call.
   */
  const lastTerms = new LRUCache<number, AccountTerms>(entriesAtMost(KEYS_KEPT));
  /** When the last refused call was recorded, by key id; for a session by its negated account id. */
  const refusedAt = new LRUCache<number, number>(entriesAtMost(KEYS_KEPT));
  const rules = new Map<number | null, ReturnType<typeof requestRules>>();

  /** Whether this refused call is the one to record now. */
  function claimNote({ principal, startedAt }: Call): boolean {
    const caller = principal.keyId ?? -principal.accountId;
    const last = refusedAt.get(caller);
    if (last !== undefined && Math.abs(startedAt - last) < NOTE_REFUSED_EVERY) return false;
    refusedAt.set(caller, startedAt);
    return true;
  }

  /** The principal of a key is the same object for half a second, so its terms need not be made for each call. */
  function knownTerms(principal: Principal): AccountTerms | undefined {
    const known = terms.get(principal);
    if (known) return known;
    const made = accountTermsOf(principal, plans);
    if (!made) return;
    const last = lastTerms.get(made.accountId);
    const shared = last && isDeepStrictEqual(last, made) ? last : made;
    lastTerms.set(made.accountId, shared);
    terms.set(principal, shared);
    return shared;
  }

  function rulesOf(perMinute: number | null, kind: CallKind): readonly LimitRule[] {
    let known = rules.get(perMinute);
    if (!known) {
      known = requestRules(perMinute);
      rules.set(perMinute, known);
    }
    return known[kind];
  }

  function enter(call: Call, kind: CallKind, terms: AccountTerms | undefined, early?: EarlyHold): Awaitable<Admission> {
    const { keyId, accountId, plan, account } = call.principal;
    const isSession = keyId === null;
    const perMinute = isSession ? MAX_FREE : (account?.requestsPerMinute ?? planOf(plans, plan).requests_per_minute);
    const rules = isSession ? SESSION_RULES : rulesOf(perMinute, kind);
    const verdict = limits.admit({ keyId: keyId ?? accountId, at: call.startedAt, rules });
    return mapAwaitable(verdict, (given) => admission(call, terms, perMinute, given, early));
  }

  function admission(
    call: Call,
    terms: AccountTerms | undefined,
    perMinute: number | null,
    verdict: LimitDecision,
    early: EarlyHold | undefined,
  ): Admission {
    const updateWindow = (counted: WindowState | undefined) => {
      if (perMinute !== null && counted) call.window = toRequestWindow(perMinute, counted);
    };
    updateWindow(verdict.window);
    if (!verdict.admitted) throw toLimitError(verdict, call.startedAt);
    return new MeteredAdmission({ call, credits, terms, limits, now, updateWindow, early }, verdict.lease);
  }

  /**
   * While nothing can be written, an account cannot be opened. Free calls continue without a balance; other calls are
   * refused when they reserve.
   */
  function remainingOf({ startedAt }: Call, terms: AccountTerms): Awaitable<number | undefined> {
    const reading = credits.remaining(terms, startedAt);
    if (!(reading instanceof Promise)) return reading;
    return reading.catch((error: unknown) => {
      if (error instanceof UnavailableError) return undefined;
      throw error;
    });
  }

  /** Sends all requests to the remote engines at once. */
  async function enterRemote(call: Call, kind: CallKind, terms: AccountTerms): Promise<Admission> {
    const readingRemaining = remainingOf(call, terms);
    const { keyCap } = call.principal;
    const maxCost = call.operation === undefined ? undefined : knownCosts?.get(call.operation);
    const early =
      maxCost === undefined
        ? undefined
        : reserveEarly(maxCost, () => credits.reserve(terms, maxCost, call.startedAt, keyCap));
    const entering = (async () => enter(call, kind, terms, early))();
    const [remaining, entered] = await Promise.allSettled([readingRemaining, entering]);
    if (remaining.status === 'fulfilled') call.creditsRemaining = remaining.value;
    if (remaining.status === 'fulfilled' && entered.status === 'fulfilled') return entered.value;
    if (entered.status === 'fulfilled') {
      entered.value.release();
      await entered.value.uncount();
    } else early?.drop();
    throw entered.status === 'rejected' ? entered.reason : (remaining as PromiseRejectedResult).reason;
  }

  return {
    reserveSlot({ keyId, unlimited }) {
      if (unlimited || keyId === null) return () => {};
      const at = now();
      return mapAwaitable(limits.admit({ keyId, at, rules: SLOT_RULES }), (verdict) => {
        if (!verdict.admitted) throw toLimitError(verdict, at);
        return () => verdict.lease.release();
      });
    },
    countMessage({ keyId, unlimited }) {
      if (unlimited || keyId === null) return undefined;
      const at = now();
      return mapAwaitable(limits.admit({ keyId, at, rules: MCP_MESSAGE_RULES }), (verdict) => {
        if (!verdict.admitted) throw toLimitError(verdict, at);
        return verdict.window && toRequestWindow(MAX_FREE, verdict.window);
      });
    },
    admit(call, kind) {
      const { principal } = call;
      if (principal.unlimited) return isReadOnly ? unchargedAdmission : unlimitedAdmission;
      const terms = knownTerms(principal);
      if (!terms) return enter(call, kind, undefined);
      if (knownCosts) return enterRemote(call, kind, terms);
      return mapAwaitable(remainingOf(call, terms), (remaining) => {
        call.creditsRemaining = remaining;
        return enter(call, kind, terms);
      });
    },
    finish(call, status) {
      const { isCharged, principal } = call;
      if (isCharged || !principal.account) return;
      if (status === 429 && !claimNote(call)) return;
      credits.note(principal.accountId, toAnsweredCall(call, status, now()));
    },
  };
}
