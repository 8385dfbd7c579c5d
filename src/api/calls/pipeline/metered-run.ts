import type { Awaitable } from '../../../platform/async/awaitable.ts';
import { ApiError, CallAborted } from '../api-errors.ts';
import type { Operation } from '../operation/operation.ts';
import { type Admission, freeReservation, type Reservation } from './admission.ts';

/** A call that may run. */
export interface MeteredCall {
  readonly admission: Admission;
  /**
   * Whether the client has disconnected, so that no answer can reach it; undefined: unknown.
   * @param isPaid the call can cost credits, so that a short wait for certainty is worth it
   */
  readonly isClientGone?: ((isPaid: boolean) => Awaitable<boolean>) | undefined;
}

/**
 * Applies limits and charges to a run; `produce` returns the cost. It awaits only real promises, so a cached answer
 * passes all steps without yielding.
 * @param checkUnpaid runs before an error for lack of credits is thrown
 * @throws ApiError of status 400, 403 or 422
 */
export async function runMetered<T extends { readonly credits: number }>(
  operation: Operation,
  input: any,
  { admission, isClientGone }: MeteredCall,
  checkUnpaid: () => Awaitable<void>,
  produce: () => Awaitable<T>,
): Promise<T> {
  const sharedLimit = operation.sharedLimit?.(input);
  if (sharedLimit !== undefined) {
    const entering = admission.enterSharedLimit(sharedLimit);
    if (entering instanceof Promise) await entering;
  }
  const maxCredits = operation.cost.bounds(input).max;
  let reservation: Reservation;
  try {
    const reserved = maxCredits > 0 ? admission.reserveCredits(maxCredits) : freeReservation;
    reservation = reserved instanceof Promise ? await reserved : reserved;
  } catch (refusal) {
    // An invalid or forbidden request gets its own error before any error about credits. This check must not compute
    // the answer, or a caller without credits could have it computed again and again.
    if (refusal instanceof ApiError && refusal.status === 402) await checkUnpaid();
    throw refusal;
  }
  let produced: T;
  try {
    // Last chance to stop before anything is done: the client may have disconnected while the call waited.
    const gone = isClientGone?.(maxCredits > 0);
    if (gone instanceof Promise ? await gone : gone) throw new CallAborted();
    const producing = produce();
    produced = producing instanceof Promise ? await producing : producing;
  } catch (error) {
    await reservation.release();
    throw error;
  }
  // Charge before the answer is sent: after a crash no client may hold an answer that is missing in the ledger.
  const charged = reservation.charge(produced.credits, operation.status ?? 200);
  if (charged instanceof Promise) await charged;
  return admission.isUncharged ? { ...produced, credits: 0 } : produced;
}
