import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import type { WinProbability } from '../../../read-models/rendering/event-schemas.ts';
import { renderWinProbability } from '../../../read-models/rendering/render-probabilities.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';

/** How likely each side is to win in a state of the event; null if unknown. */
export type WinProbabilityOf = (document: EventDocument) => WinProbability | null;

/** Reads the forecasts of an event once. What is returned needs nothing more, while the event is played. */
export async function readWinProbability(
  { forecasts, now }: Pick<OperationContext, 'forecasts' | 'now'>,
  event: { readonly id: number; readonly sport: string },
): Promise<WinProbabilityOf> {
  const found = await forecasts.forecastsOf(event, undefined);
  const known = found === 'learning' ? null : found;
  return (document) => renderWinProbability(document, known?.before(now() + 1) ?? null);
}
