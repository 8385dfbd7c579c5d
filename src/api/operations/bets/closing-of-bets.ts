import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { isSoccer } from '../../../domain/catalogue/sport-rules.ts';
import type { Leg } from '../../../domain/grading/leg.ts';
import { isWatchedMarketName, type WatchedMarket } from '../../../domain/odds/bookmaker-prices.ts';
import { isMoneyline } from '../../../domain/odds/three-way.ts';
import { hasPlaceholder } from '../../../domain/side-profiles.ts';
import { marketsCloseAt } from '../../../domain/sports-events/sports-event.ts';
import { outcomesOf } from '../../../intelligence/prices/quotes.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { summaryAndClose } from '../odds/summary-and-close.ts';
import { readDocuments } from '../shared/read-documents.ts';

/** What the market closed at for one bet. */
export interface BetClose {
  /** When the markets of its event close, in milliseconds. */
  readonly closesAt: number;
  /** The fair probability of its outcome; null if it is unknown, or of another line. */
  readonly probability: number | null;
}

interface ClosingLine {
  readonly market: WatchedMarket;
  readonly line: number | null;
  readonly close: readonly number[] | null;
}

interface EventClose {
  readonly sport: string;
  readonly closesAt: number;
  readonly lines: readonly ClosingLine[];
}

/**
 * The close of each leg, in order; undefined for a leg of an unknown event.
 * @param asOf by what was known at a moment; absent: by what is known now
 */
export async function readCloses(
  legs: readonly Leg[],
  context: OperationContext,
  asOf?: AsOf,
): Promise<readonly (BetClose | undefined)[]> {
  const quoted = new Set(
    legs.filter(({ market_key }) => isWatchedMarketName(market_key)).map(({ event_id }) => event_id),
  );
  const ids = [...new Set(legs.map(({ event_id }) => event_id))];
  const [documents] = await readDocuments(context, [events], ids.map(String), asOf);
  const closes = new Map<number, EventClose>();
  for (const [index, id] of ids.entries()) {
    const event = documents![index] as EventDocument | undefined;
    if (event?.event.schedule) closes.set(id, await readEventClose(event, quoted.has(id), context, asOf));
  }
  return legs.map((leg) => {
    const close = closes.get(leg.event_id);
    return close && { closesAt: close.closesAt, probability: probabilityOf(leg, close) };
  });
}

async function readEventClose(
  event: EventDocument,
  isAsked: boolean,
  context: OperationContext,
  asOf: AsOf | undefined,
): Promise<EventClose> {
  const { sport, id } = event;
  const closesAt = marketsCloseAt(event.event);
  const now = asOf?.at ?? context.now();
  if (!isAsked || now < closesAt || hasPlaceholder(event)) return { sport, closesAt, lines: [] };
  const kind = summaryAndClose(sport, closesAt, context.bookmakers.weightsFor(asOf));
  return context.prices.read(id, asOf, kind, (fold) => ({ sport, closesAt, lines: fold.closing.lines(now) }));
}

function probabilityOf({ market_key, side, line, scope }: Leg, { sport, lines }: EventClose): number | null {
  if (!isWatchedMarketName(market_key) || scope !== undefined) return null;
  const closing = lines.find(({ market }) => market === market_key);
  if (!closing?.close) return null;
  // Lines of spreads are those of home; a negative zero is a zero.
  const own = market_key === 'spreads' && side === 'away' ? -line! + 0 : line;
  if (!isMoneyline(market_key) && own !== closing.line) return null;
  return closing.close[outcomesOf(market_key, isSoccer(sport)).indexOf(side)] ?? null;
}
