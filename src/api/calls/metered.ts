import type { Awaitable } from '../../platform/time/awaitable.ts';
import { BrokenOff } from './broken-off.ts';
import { ApiError } from './errors.ts';
import type { Operation } from './operation.ts';
import { type Admission, freeReservation, type Reservation } from './stages.ts';

/** A call that may be run. */
export interface Metering {
  readonly admission: Admission;
  /**
   * Whether the client is gone, so that no answer can reach it; without it nobody knows.
   * @param isPaid the call can cost something: then it is worth a moment to be sure
   */
  readonly isGone?: ((isPaid: boolean) => Awaitable<boolean>) | undefined;
}

/**
 * What limits a run, and charges it; `produce` tells what the call costs. It waits only for what is a promise: an
 * answer that is kept passes all stages in one go, as long as they need nobody else.
 * @param judge what comes before a refusal for want of credits. @throws ApiError of status 400, 403 or 422
 */
export async function metered<T extends { readonly credits: number }>(
  operation: Operation,
  input: any,
  { admission, isGone }: Metering,
  judge: () => Awaitable<void>,
  produce: () => Awaitable<T>,
): Promise<T> {
  const budget = operation.budget?.(input);
  if (budget !== undefined) {
    const entering = admission.enterBudget(budget);
    if (entering instanceof Promise) await entering;
  }
  const most = operation.price.bounds(input).max;
  let reservation: Reservation;
  try {
    const reserved = most > 0 ? admission.reserve(most) : freeReservation;
    reservation = reserved instanceof Promise ? await reserved : reserved;
  } catch (refusal) {
    // Who asks for nonsense, or for what is not theirs, is told so before anything about credits. That is found out
    // without the answer: otherwise whoever has no credits would have all of it computed, as often as they like.
    if (refusal instanceof ApiError && refusal.status === 402) await judge();
    throw refusal;
  }
  let produced: T;
  try {
    // The last moment at which nothing was done: while it waited for others' credits, or for its turn, it may have gone.
    const gone = isGone?.(most > 0);
    if (gone instanceof Promise ? await gone : gone) throw new BrokenOff();
    const producing = produce();
    produced = producing instanceof Promise ? await producing : producing;
  } catch (error) {
    await reservation.cancel();
    throw error;
  }
  // Before the answer leaves: a client must not hold an answer that the ledger knows nothing of after a crash.
  const charged = reservation.charge(produced.credits, operation.status ?? 200);
  if (charged instanceof Promise) await charged;
  return produced;
}
