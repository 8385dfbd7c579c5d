import { DAY, formatDate } from '../../domain/primitives/time.ts';
import type { StoredBudget } from './store/connector-store.ts';

/** How a provider's quota stands, as health tells it. */
export interface BudgetFigures {
  /** Credits of a UTC day. */
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** What the provider itself said last; null where it has not yet. */
  readonly provider_remaining: number | null;
  /** UTC, ISO 8601. */
  readonly resets_at: string;
}

/** Credits that are put aside for a request that is under way. */
export interface Reservation {
  readonly cost: number;
}

/** What a provider's answer says of its quota; undefined where it says nothing. */
export interface ReportedQuota {
  /** What this request has cost. */
  readonly last: number | undefined;
  readonly remaining: number | undefined;
}

/**
 * What may be spent of a provider's credits: never more on a UTC day than its limit, whatever comes back and when. All
 * times are milliseconds of the clock on the wall. What changes is to be kept (`kept`) before a request leaves.
 */
export interface ProviderBudget {
  /** When a request of this cost may leave, as far as is known: not after `now` where it may. */
  freeAt(cost: number, now: number): number;
  /** A request of this cost has to wait for the next day, or for the provider's quota. */
  isExhausted(cost: number, now: number): boolean;
  reserve(cost: number, now: number): Reservation;
  /** The request is over. @param told of the answer; `notSent`: it never left */
  settle(reservation: Reservation, told: ReportedQuota | 'notSent', now: number): void;
  /** An answer to a request that costs nothing said this. */
  updateRemaining(remaining: number | undefined): void;
  /** The provider refuses what costs something. */
  markExhausted(now: number): void;
  readonly stored: StoredBudget;
  figures(now: number): BudgetFigures;
}

const dayEnd = (now: number): number => (Math.floor(now / DAY) + 1) * DAY;

/** @param limit credits of a UTC day. @param before as kept by whoever asked before */
export function createProviderBudget(limit: number, before: StoredBudget | undefined): ProviderBudget {
  const unused: StoredBudget = { day: '', used: 0, notBefore: 0, isOver: false, providerRemaining: null };
  let { day, used, notBefore, isOver, providerRemaining } = before ?? unused;
  const open = new Set<Reservation>();
  const reserved = (): number => [...open].reduce((sum, { cost }) => sum + cost, 0);

  function turn(now: number): void {
    const today = formatDate(now);
    // A clock that is set back gives nothing back.
    if (today <= day) return;
    day = today;
    // The provider may count what is under way on the new day.
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
    settle(reservation, told, now) {
      turn(now);
      if (!open.delete(reservation)) return;
      if (told === 'notSent') used -= reservation.cost;
      else {
        used += (told.last ?? reservation.cost) - reservation.cost;
        // What is still under way may or may not be in it; to take it off again is safe.
        if (told.remaining !== undefined) providerRemaining = told.remaining;
        else if (providerRemaining !== null) providerRemaining -= told.last ?? reservation.cost;
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
        ...{ limit, used, remaining: isOver ? 0 : Math.max(0, limit - used), provider_remaining: providerRemaining },
        resets_at: new Date(dayEnd(now)).toISOString(),
      };
    },
  };
}
