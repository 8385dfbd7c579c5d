import type { Awaitable } from '../../../platform/async/awaitable.ts';
import { ApiError, CallAborted } from '../api-errors.ts';
import type { Operation } from '../operation/operation.ts';
import { type Admission, freeReservation, type Reservation } from './admission.ts';

/** A call that may be run. */
export interface MeteredCall {
  readonly admission: Admission;
  /**
   * Whether the client is gone, so that no answer can reach it; without it nobody knows.
   * @param isPaid the call can cost something: then it is worth a moment to be sure
   */
  readonly isClientGone?: ((isPaid: boolean) => Awaitable<boolean>) | undefined;
}

/**
 * What limits a run, and charges it; `produce` tells what the call costs. It waits only for what is a promise: an
 * answer that is kept passes all stages in one go, as long as they need nobody else.
 * @param judge what comes before a refusal for want of credits. @throws ApiError of status 400, 403 or 422
 */
export async function runMetered<T extends { readonly credits: number }>(
  operation: Operation,
  input: any,
  { admission, isClientGone }: MeteredCall,
  judge: () => Awaitable<void>,
  produce: () => Awaitable<T>,
): Promise<T> {
  const budget = operation.sharedLimit?.(input);
  if (budget !== undefined) {
    const entering = admission.enterSharedLimit(budget);
    if (entering instanceof Promise) await entering;
  }
  const most = operation.cost.bounds(input).max;
  let reservation: Reservation;
  try {
    const reserved = most > 0 ? admission.reserveCredits(most) : freeReservation;
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
    const gone = isClientGone?.(most > 0);
    if (gone instanceof Promise ? await gone : gone) throw new CallAborted();
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
