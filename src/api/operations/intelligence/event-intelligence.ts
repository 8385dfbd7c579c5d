import type { EventDocument } from '../../../../projections/events.ts';
import { hasKnownSides } from '../../../domain/side-names.ts';
import { splitsCloseAt } from '../../../domain/sports-event.ts';
import { sidesOf } from '../../../domain/statistics/game.ts';
import { type Bet, EventBets, type EventRow } from '../../../intelligence/event-bets.ts';
import { hasMainRows } from '../../../intelligence/forecasts/main-rows.ts';
import { breathe } from '../../../platform/time/breathe.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { Intelligence } from '../../../read-models/rendering/event-schemas.ts';
import type { ForecastWager } from '../../../read-models/rendering/forecast-wager.ts';
import { renderIntelligence } from '../../../read-models/rendering/intelligence.ts';
import { mainWagers } from '../../../read-models/rendering/main-wagers.ts';
import { rationaleOf } from '../../../read-models/rendering/rationale.ts';
import type { OperationContext } from '../../calls/operation.ts';
import { type Moments, readKnownGames } from '../known-games.ts';
import { readToldPrices, toldInOrder } from '../told-prices.ts';
import { readPropForecasts } from './prop-forecasts.ts';

type Reader = Pick<OperationContext, 'store' | 'histories' | 'forecasts' | 'record' | 'bookmakers' | 'now'>;

/** The intelligence of an event, whoever asks: now, or as it was at a moment. */
export async function readIntelligence(
  context: Reader,
  event: EventDocument,
  asOf: AsOf | undefined,
): Promise<Intelligence> {
  const { told, bets, now } = await followBets(context, event, asOf);
  const ids = sidesOf(event);
  const moments = momentsOf(splitsCloseAt(told?.event ?? event.event), now, asOf);
  const games = ids && (await readKnownGames(context, event, ids, moments));
  const numbers = bets?.bets(now) ?? [];
  const wagers = await wagersOf(context, event, asOf, bets && { rows: bets.rows(now), bets: numbers });
  return renderIntelligence(event, numbers, wagers, rationaleOf(event, ids, games, numbers));
}

/** What is forecast of an event's markets, or of its players, the surest first. */
export async function readWagers(context: Reader, event: EventDocument): Promise<ForecastWager[]> {
  if (!hasMainRows(event.sport)) return wagersOf(context, event, undefined, undefined);
  const { bets, now } = await followBets(context, event, undefined);
  return wagersOf(context, event, undefined, bets && { rows: bets.rows(now), bets: bets.bets(now) });
}

async function wagersOf(
  context: Reader,
  event: EventDocument,
  asOf: AsOf | undefined,
  said: { readonly rows: readonly EventRow[]; readonly bets: readonly Bet[] } | undefined,
): Promise<ForecastWager[]> {
  const now = asOf?.at ?? context.now();
  const reliability = context.record.reliabilityOf(event.sport, Math.min(now, splitsCloseAt(event.event)));
  if (!hasMainRows(event.sport)) return readPropForecasts(context, event, { asOf, reliability });
  return said ? mainWagers(event, { ...said, reliability }) : [];
}

/** So many messages are followed before others may have the event loop. */
const TOGETHER = 32;

/** The bets of an event; undefined while a side is not known. */
async function followBets(context: Reader, { id, sport }: EventDocument, asOf: AsOf | undefined) {
  const told = await readToldPrices(context, id, asOf);
  const now = asOf?.at ?? context.now();
  if (!told || !hasKnownSides(told)) return { told, now };
  const forecasts = await context.forecasts.of({ id, sport }, asOf);
  const weightOf = context.bookmakers.referenceWeight;
  const bets = new EventBets({
    ...{ sport, closesAt: splitsCloseAt(told.event), weightOf, forecasts },
    publications: context.record.publicationsOf(sport),
  });
  for (const [index, one] of toldInOrder(told).entries()) {
    bets.take(one);
    if (index % TOGETHER === 0) await breathe();
  }
  return { told, now, bets };
}

/** From the start on, what sources have observed before it counts, whenever it came. */
function momentsOf(closesAt: number, now: number, asOf: AsOf | undefined): Moments {
  if (now < closesAt) return asOf ? [asOf] : [];
  const start: AsOf = { at: closesAt - 1, basis: 'observed' };
  return asOf?.basis === 'recorded' ? [asOf, start] : [start];
}
