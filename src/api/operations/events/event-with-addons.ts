import type { EventDocument } from '../../../../projections/events.ts';
import type { OddsDocument } from '../../../../projections/odds.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { chooseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { eventDetail } from '../../../read-models/rendering/event.ts';
import type { EventDetail } from '../../../read-models/rendering/event-schemas.ts';
import { renderOdds } from '../../../read-models/rendering/odds.ts';
import type { OperationContext } from '../../calls/operation.ts';
import { readIntelligence } from '../intelligence/event-intelligence.ts';

export interface AddOns {
  readonly include_odds: boolean;
  readonly include_intelligence: boolean;
  readonly include_alts?: boolean | undefined;
  readonly bookmaker: string;
}

/** The event's detail with what was asked for beside it. @param prices where the odds were asked for, and there are any */
export async function detailWithAddOns(
  document: EventDocument,
  prices: OddsDocument | undefined,
  addOns: AddOns,
  asOf: AsOf | undefined,
  context: OperationContext,
): Promise<EventDetail> {
  const { bookmakers, shownUntil } = context;
  const detail = eventDetail(document, shownUntil());
  if (addOns.include_odds) {
    detail.odds = renderOdds(document.id, prices, chooseBookmakers(addOns.bookmaker), bookmakers, addOns.include_alts);
  }
  if (addOns.include_intelligence) detail.intelligence = await readIntelligence(context, document, asOf);
  return detail;
}

/** One credit, and one for each add-on that has data. */
export const creditsOf = ({ odds: prices, intelligence }: EventDetail): number =>
  1 + (prices?.available ? 1 : 0) + (intelligence?.available ? 1 : 0);

export const mostCredits = ({ include_odds, include_intelligence }: AddOns): number =>
  1 + (include_odds ? 1 : 0) + (include_intelligence ? 1 : 0);

const HOUR = 3600;
/** Seconds that clients may keep a detail. */
export function detailCache({ status, odds: prices }: EventDetail): number {
  if (status === 'final') return HOUR;
  return prices ? 120 : 300;
}
