import type { OddsDocument } from '../../../../projections/odds/odds.ts';
import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { DAY } from '../../../domain/primitives/time.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { parseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import type { EventDetail } from '../../../read-models/rendering/event-schemas.ts';
import { renderEventDetail } from '../../../read-models/rendering/render-event.ts';
import { renderOdds } from '../../../read-models/rendering/render-odds.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { readIntelligence } from '../intelligence/event-intelligence.ts';

interface AddOns {
  readonly include_odds: boolean;
  readonly include_intelligence: boolean;
  readonly include_alts?: boolean | undefined;
  readonly bookmaker: string;
}

/** The event's detail with the requested add-ons. @param prices present if the odds were requested and exist */
export async function renderEventWithAddOns(
  document: EventDocument,
  prices: OddsDocument | undefined,
  addOns: AddOns,
  asOf: AsOf | undefined,
  context: OperationContext,
): Promise<EventDetail> {
  const { bookmakers, latestUpdatedAt } = context;
  const detail = renderEventDetail(document, latestUpdatedAt());
  if (addOns.include_odds) {
    detail.odds = renderOdds(document.id, prices, parseBookmakers(addOns.bookmaker), bookmakers, addOns.include_alts);
  }
  if (addOns.include_intelligence) detail.intelligence = await readIntelligence(context, document, asOf);
  return detail;
}

/** One credit, and one for each add-on that has data. */
export const creditsOf = ({ odds: prices, intelligence }: EventDetail): number =>
  1 + (prices?.available ? 1 : 0) + (intelligence?.available ? 1 : 0);

export const maxCreditsOf = ({ include_odds, include_intelligence }: AddOns): number =>
  1 + (include_odds ? 1 : 0) + (include_intelligence ? 1 : 0);

const SECONDS_OF_FINAL = 3600;
/**
 * Seconds for which clients may cache a detail.
 * @param now milliseconds
 */
export function detailCacheSeconds({ status, odds: prices, updated_at }: EventDetail, now: number): number {
  if (isFreshFinal({ status, updated_at }, now)) return 0;
  if (status === 'final') return SECONDS_OF_FINAL;
  return prices ? 120 : 300;
}

/** Whether an event has ended, or its end was corrected, within a day: most corrections come in this time. */
export const isFreshFinal = (
  { status, updated_at }: Pick<EventDetail, 'status' | 'updated_at'>,
  now: number,
): boolean => status === 'final' && now - timeOf(updated_at) < DAY;
