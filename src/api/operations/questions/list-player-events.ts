import type { z } from 'zod';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { renderEventListItem } from '../../../read-models/rendering/render-event.ts';
import { playerDays } from '../../../text/query/equivalent-request.ts';
import type { InterpretedQuery } from '../../../text/query/read-query.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { readToolArguments } from '../../calls/operation/tool-arguments.ts';
import { getPlayerEvents } from '../directory/get-player-events.ts';
import type { eventPage } from '../events/list-events.ts';

/** The events that `get_player_events` has for these filters, in its order, as a list of events shows them. */
export async function listPlayerEvents(
  id: number,
  interpreted: InterpretedQuery,
  context: OperationContext,
): Promise<z.infer<typeof eventPage>> {
  const { status, limit } = interpreted;
  const { input } = readToolArguments(getPlayerEvents, { id, status, ...playerDays(interpreted), limit });
  const { data, next_after_id } = await getPlayerEvents.run(input, context);
  const ids = data.map(({ event_id }) => String(event_id));
  const stored = await context.store.getMany<EventDocument>(events.name, ids);
  const shown = stored.flatMap((one) => (one ? [renderEventListItem(one.document, false)] : []));
  return { events: shown, total: shown.length, next_after_id };
}
