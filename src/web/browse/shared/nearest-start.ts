import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import type { Query } from '../../../read-models/store/read-store.ts';

/** The start of the last event before a moment, or of the first one from it on; undefined: there is none. Milliseconds. */
export async function nearestStart(
  { store }: Pick<OperationContext, 'store'>,
  where: NonNullable<Query['where']>,
  direction: 'before' | 'from',
  moment: number,
): Promise<number | undefined> {
  const isBefore = direction === 'before';
  const [found] = await store.find<EventDocument>(events.name, {
    where,
    range: { field: 'starts_at', ...(isBefore ? { to: moment - 1 } : { from: moment }) },
    order: { field: 'starts_at', direction: isBefore ? 'desc' : 'asc' },
    limit: 1,
  });
  return found && timeOf(found.document.event.schedule!.starts_at);
}
