import type { Awaitable } from '../time/awaitable.ts';
import { ApiError } from './errors.ts';
import type { Operation } from './operation.ts';
import { type Admission, freeReservation, type Reservation } from './stages.ts';

/**
 * What limits a run, and charges it; `produce` tells what the call costs. It waits only for what is a promise: an
 * answer that is kept passes all stages in one go, as long as they need nobody else.
 */
export async function metered<T extends { readonly credits: number }>(
  operation: Operation,
  input: any,
  admission: Admission,
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
    throw await firstOf(refusal, produce);
  }
  let produced: T;
  try {
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

/**
 * Who asks for nonsense, or for what is not theirs, is told so before anything about credits; some of that only the run
 * finds out. Nothing of its answer is given away, and what changes anything costs nothing, and never comes here.
 */
async function firstOf(refusal: unknown, produce: () => Awaitable<unknown>): Promise<unknown> {
  if (!(refusal instanceof ApiError && refusal.status === 402)) return refusal;
  try {
    await produce();
  } catch (error) {
    if (error instanceof ApiError && COME_FIRST.has(error.status)) return error;
  }
  return refusal;
}

const COME_FIRST: ReadonlySet<number> = new Set([400, 403, 422]);
