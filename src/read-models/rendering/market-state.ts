import type { EventDocument } from '../../../projections/events.ts';
import { playState } from './event.ts';

/** What every answer about lines begins with: where the event stands, as its score snapshot tells. */
export function marketState(document: EventDocument, available: boolean) {
  const { status, period, clock } = playState(document);
  return { event_id: document.id, available, sport: document.sport, status, period, clock };
}
