import { DAY, formatDate } from '../../domain/primitives/time.ts';
import type { StoredBudget } from './store/connector-store.ts';

/** State of a provider's quota, as health shows it. */
export interface BudgetFigures {
  /** Credits per UTC day. */
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** The provider's last report; null if it has not reported yet. */
  readonly provider_remaining: number | null;
  /** UTC, ISO 8601. */
  readonly resets_at: string;
}

/** Credits reserved for a running request. */
export interface Reservation {
  readonly cost: number;
}

/** Quota data in a provider's answer; undefined if it has none. */
export interface ReportedQuota {
  /** Cost of this request. */
  readonly last: number | undefined;
  readonly remaining: number | undefined;
}

/**
 * Limits the credits spent at a provider: never more on a UTC day than its limit, whichever answers are lost or late.
 * All times are milliseconds of the wall clock. The caller must store each change (`stored`) before a request leaves.
 */
export interface ProviderBudget {
  /** Earliest known time for a request of this cost; not after `now` if it may leave. */
  freeAt(cost: number, now: number): number;
  /** Whether a request of this cost has to wait for the next day, or for the provider's quota. */
  isExhausted(cost: number, now: number): boolean;
  reserve(cost: number, now: number): Reservation;
  /** The request has ended. @param reported quota data of the answer; `notSent`: the request never left */
  settle(reservation: Reservation, reported: ReportedQuota | 'notSent', now: number): void;
  /** An answer to a free request reported this quota. */
  updateRemaining(remaining: number | undefined): void;
  /** The provider refuses requests that cost credits. */
  markExhausted(now: number): void;
  readonly stored: StoredBudget;
  figures(now: number): BudgetFigures;
}

const dayEnd = (now: number): number => (Math.floor(now / DAY) + 1) * DAY;

/** @param limit credits per UTC day @param before the stored budget of an earlier process */
export function createProviderBudget(limit: number, before: StoredBudget | undefined): ProviderBudget {
  const unused: StoredBudget = { day: '', used: 0, notBefore: 0, isOver: false, providerRemaining: null };
  let { day, used, notBefore, isOver, providerRemaining } = before ?? unused;
  const open = new Set<Reservation>();
  const reserved = (): number => [...open].reduce((sum, { cost }) => sum + cost, 0);

  function turn(now: number): void {
    const today = formatDate(now);
    // A clock that is set back returns no credits.
    if (today <= day) return;
    day = today;
    // The provider may count running requests on the new day.
    used = reserved();
    notBefore = 0;
    isOver = false;
  }

  /** Credits that are left now, of the day and of the provider's own quota. */
  const left = (): number =>
    Math.max(0, Math.min(limit - used, providerRemaining === null ? Infinity : providerRemaining - reserved()));

  return {
    freeAt(cost, now) {
      turn(now);
      if (isOver || cost > left()) return dayEnd(now);
      return notBefore;
    },
    isExhausted(cost, now) {
      turn(now);
      return isOver || cost > left();
    },
    reserve(cost, now) {
      turn(now);
      used += cost;
      const reservation = { cost };
      open.add(reservation);
      const rest = left();
      notBefore = rest > 0 ? now + (cost * (dayEnd(now) - now)) / rest : dayEnd(now);
      return reservation;
    },
    settle(reservation, reported, now) {
      turn(now);
      if (!open.delete(reservation)) return;
      if (reported === 'notSent') used -= reservation.cost;
      else {
        used += (reported.last ?? reservation.cost) - reservation.cost;
        // The report may or may not include requests that still run; subtracting them again is safe.
        if (reported.remaining !== undefined) providerRemaining = reported.remaining;
        else if (providerRemaining !== null) providerRemaining -= reported.last ?? reservation.cost;
      }
      used = Math.max(0, used);
    },
    updateRemaining(remaining) {
      if (remaining !== undefined) providerRemaining = remaining;
    },
    markExhausted(now) {
      turn(now);
      isOver = true;
    },
    get stored() {
      const remaining = providerRemaining === null ? null : providerRemaining - reserved();
      return { day, used, notBefore, isOver, providerRemaining: remaining };
    },
    figures(now) {
      turn(now);
      return {
        limit,
        used,
        remaining: isOver ? 0 : Math.max(0, limit - used),
        provider_remaining: providerRemaining,
        resets_at: new Date(dayEnd(now)).toISOString(),
      };
    },
  };
}
