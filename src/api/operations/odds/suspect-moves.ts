import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import type { Movement } from '../../../domain/odds/line-movements.ts';
import { isMoneyline } from '../../../domain/odds/three-way.ts';
import { marketsCloseAt } from '../../../domain/sports-events/sports-event.ts';
import { isSuspiciousMove } from '../../../intelligence/prices/suspect-prices.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { summaryAndClose } from './summary-and-close.ts';

/** Whether a movement, at milliseconds, was to a price that was suspect as it came and has not been released since. */
type WasSuspect = (bookmaker: string, movement: Movement, at: number) => boolean;

/** Reads all prices of the event only where one of the movements may be to a suspect price: most are not. */
export async function findSuspectMoves(
  context: Pick<OperationContext, 'prices' | 'bookmakers'>,
  event: EventDocument,
  asOf: AsOf | undefined,
  movements: Iterable<Movement>,
): Promise<WasSuspect> {
  if (!hasSuspicious(movements)) return () => false;
  const kind = summaryAndClose(event.sport, marketsCloseAt(event.event), context.bookmakers.weightsFor(asOf));
  return context.prices.read(event.id, asOf, kind, ({ summary }) => {
    const found = new Set<string>();
    for (const [bookmaker, { stories }] of summary.books) {
      for (const [market, outcomes] of Object.entries(stories)) {
        for (const [outcome, { suspectAt }] of outcomes) {
          for (const at of suspectAt) found.add(nameOf(bookmaker, { market, outcome }, at));
        }
      }
    }
    return (bookmaker, movement, at) => found.has(nameOf(bookmaker, movement, at));
  });
}

const nameOf = (bookmaker: string, { market, outcome }: { market: string; outcome: string }, at: number): string =>
  `${market} ${outcome} ${at} ${bookmaker}`;

function hasSuspicious(movements: Iterable<Movement>): boolean {
  for (const movement of movements) if (isSuspicious(movement)) return true;
  return false;
}

const isSuspicious = ({ market, from, to, pointFrom, pointTo }: Movement): boolean =>
  isSuspiciousMove(from, to, isMoneyline(market) || pointFrom === pointTo);
