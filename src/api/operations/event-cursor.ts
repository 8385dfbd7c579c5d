import { type EventDocument, events } from '../../../projections/events.ts';
import { timeOf } from '../../domain/observation.ts';
import type { Query } from '../../read-models/store/read-store.ts';
import { badRequest } from '../calls/errors.ts';
import type { OperationContext } from '../calls/operation.ts';
import { requireSport } from '../calls/scopes.ts';

/**
 * Where the cursor's event stands now: paging goes on from there, also when it has moved.
 * @throws ApiError bad_request for an unknown event, sport_scope_denied outside the caller's scopes
 */
export async function placeOfEvent(
  id: number,
  { store, principal }: Pick<OperationContext, 'store' | 'principal'>,
): Promise<NonNullable<Query['after']>> {
  const stored = await store.get<EventDocument>(events.name, String(id));
  const startsAt = stored?.document.event.schedule?.starts_at;
  if (stored === undefined || startsAt === undefined) throw badRequest(`after_id: there is no event ${id}`);
  requireSport(principal, stored.document.sport);
  return { value: timeOf(startsAt), id };
}
