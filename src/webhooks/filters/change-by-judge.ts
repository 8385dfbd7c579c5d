import type { AlertFilter } from '../../domain/alerts/alert-filter.ts';
import type { ClientChange } from '../../read-models/change-feed/change-mapper.ts';

/** A change as somebody receives it who has expected values judged in this way. Null: by these nothing has changed. */
export function changeByJudge(change: ClientChange, by: AlertFilter['by']): ClientChange | null {
  if (by !== 'blend' || change.eventType !== 'ev') return change;
  return change.dataByBlend ? { ...change, data: change.dataByBlend } : null;
}
