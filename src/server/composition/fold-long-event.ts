import { odds } from '../../../projections/odds/odds.ts';
import { movementsKey, oddsMovements } from '../../../projections/odds/odds-movements.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import type { OperationContext } from '../../api/calls/operation/operation.ts';
import { getIntelligence } from '../../api/operations/intelligence/get-intelligence.ts';
import { getOddsSummary } from '../../api/operations/odds/get-odds-summary.ts';
import { AS_OF_BASES } from '../../read-models/as-of/as-of.ts';
import { readProbabilityHistory } from '../../web/live/event/probability-history.ts';
import { bookLinesProjection } from '../../web/live/event/story-projections.ts';

/** Asks what is folded from the odds of an event, so that the folds are stored. */
export async function foldLongEvent(context: OperationContext, id: number): Promise<void> {
  const { histories, now, store } = context;
  const event = await store.get<EventDocument>(events.name, String(id));
  if (!event?.document.event.schedule) return;
  for (const basis of AS_OF_BASES) {
    const asOf = { at: now(), basis };
    await histories.documentsAsOf(odds, String(id), asOf);
    await histories.documentsAsOf(oddsMovements, movementsKey(id, ''), asOf);
  }
  await histories.documentsAsOf(bookLinesProjection, String(id), { at: Number.POSITIVE_INFINITY, basis: 'observed' });
  const input = { id, as_of: undefined, as_of_basis: 'recorded' as const };
  await getOddsSummary.run({ ...input, bookmaker: 'all' }, context);
  await getIntelligence.run(input, context);
  await readProbabilityHistory(context, id);
}
