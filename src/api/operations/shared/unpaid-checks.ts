import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { isLimitedToSports, requireSport } from '../../calls/scopes.ts';
import { readAsOf } from './parameters.ts';

/**
 * The parts of the operations' `checkUnpaid`: errors that come before 402, found without computing the answer. For a
 * key with all scopes nothing is read here: a caller without credits must not learn whether an id exists.
 */

type Context = Pick<OperationContext, 'store' | 'principal' | 'now'>;

/** For operations on one event. @throws ApiError bad_request for `as_of`, sport_scope_denied */
export async function checkEventRead(
  input: { readonly id: number; readonly as_of?: string | undefined; readonly as_of_basis: AsOf['basis'] },
  context: Context,
): Promise<void> {
  readAsOf(input, context.now);
  await checkEventSports([input.id], context);
}

/** @throws ApiError sport_scope_denied if one of the events lies outside the caller's scopes */
export async function checkEventSports(ids: readonly number[], { store, principal }: Omit<Context, 'now'>) {
  if (!isLimitedToSports(principal)) return;
  for (const stored of await store.getMany<EventDocument>(events.name, ids.map(String))) {
    if (stored?.document.event.schedule) requireSport(principal, stored.document.sport);
  }
}

/** The same for other documents with a sport: teams and players. @throws ApiError sport_scope_denied */
export async function checkSportOf(projection: string, id: number, { store, principal }: Omit<Context, 'now'>) {
  if (!isLimitedToSports(principal)) return;
  const stored = await store.get<{ readonly sport: string }>(projection, String(id));
  if (stored) requireSport(principal, stored.document.sport);
}
