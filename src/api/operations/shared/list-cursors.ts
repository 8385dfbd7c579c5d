import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import type { Query, StoredDocument } from '../../../read-models/store/read-store.ts';
import { badRequest } from '../../calls/api-errors.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { requireSport } from '../../calls/scopes.ts';

interface Page<Item> {
  readonly data: Item[];
  readonly has_more: boolean;
  readonly next_after_id: number | null;
}

/** @throws ApiError bad_request if no document has this id, sport_scope_denied outside the caller's scopes */
export async function checkCursor(
  projection: string,
  after_id: number | undefined,
  { store, principal }: Pick<OperationContext, 'store' | 'principal'>,
): Promise<void> {
  if (after_id === undefined) return;
  const stored = await store.get<{ readonly sport: string }>(projection, String(after_id));
  if (!stored) throw badRequest(`after_id: there is no ${after_id} in this list`);
  requireSport(principal, stored.document.sport);
}

/**
 * One page of a list, sorted by id.
 * @throws ApiError bad_request if no document has the cursor's id, sport_scope_denied outside the caller's scopes
 */
export async function readPageById<Doc extends { id: number; sport: string }, Item>(
  { store, principal }: Pick<OperationContext, 'store' | 'principal'>,
  projection: string,
  query: Omit<Query, 'limit' | 'after'>,
  { after_id, limit }: { after_id?: number | undefined; limit: number },
  render: (documents: readonly Doc[]) => Item[] | Promise<Item[]>,
): Promise<Page<Item>> {
  await checkCursor(projection, after_id, { store, principal });
  const after = after_id === undefined ? {} : { after: { value: null, id: after_id } };
  const found: readonly StoredDocument<Doc>[] = await store.find<Doc>(projection, {
    ...query,
    ...after,
    limit: limit + 1,
  });
  const page = found.slice(0, limit).map(({ document }) => document);
  const has_more = found.length > limit;
  return { data: await render(page), has_more, next_after_id: has_more ? page.at(-1)!.id : null };
}

/**
 * The current place of the cursor's event in the order of starts: paging goes on from there, even if the start has
 * changed.
 * @throws ApiError bad_request for an unknown event, sport_scope_denied outside the caller's scopes
 */
export async function readEventCursor(
  id: number,
  { store, principal }: Pick<OperationContext, 'store' | 'principal'>,
): Promise<NonNullable<Query['after']>> {
  const stored = await store.get<EventDocument>(events.name, String(id));
  const startsAt = stored?.document.event.schedule?.starts_at;
  if (stored === undefined || startsAt === undefined) throw badRequest(`after_id: there is no event ${id}`);
  requireSport(principal, stored.document.sport);
  return { value: timeOf(startsAt), id };
}
