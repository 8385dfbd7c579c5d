import type { EventDocument } from '../../../projections/events.ts';
import type { ToldPrices } from '../../../projections/told-prices.ts';
import type { AsOf } from '../../as-of/as-of.ts';
import type { OperationContext } from '../../calls/operation.ts';
import { hasKnownSides } from '../../domain/side-names.ts';
import { splitsCloseAt } from '../../domain/sports-event.ts';
import { sidesOf } from '../../domain/statistics/game.ts';
import { type Bet, EventBets } from '../../intelligence/event-bets.ts';
import type { Forecast } from '../../intelligence/forecast.ts';
import type { Intelligence } from '../../rendering/event-schemas.ts';
import { renderIntelligence } from '../../rendering/intelligence.ts';
import { rationaleOf } from '../../rendering/rationale.ts';
import { breathe } from '../../time/breathe.ts';
import { type Moments, readKnownGames } from '../known-games.ts';
import { readToldPrices, toldInOrder } from '../told-prices.ts';
import { forecastOf } from './forecast-of.ts';

/** The intelligence of an event, whoever asks: now, or as it was at a moment. */
export async function readIntelligence(
  context: OperationContext,
  event: EventDocument,
  asOf: AsOf | undefined,
): Promise<Intelligence> {
  const told = await readToldPrices(context, event.id, asOf);
  const now = asOf?.at ?? context.now();
  const bets = told && hasKnownSides(told) ? await betsOf(told, now, forecastOf(event), context) : [];
  const ids = sidesOf(event);
  const moments = momentsOf(splitsCloseAt(told?.event ?? event.event), now, asOf);
  const games = ids && (await readKnownGames(context, event, ids, moments));
  return renderIntelligence(event, bets, rationaleOf(event, ids, games, bets));
}

/** So many messages are followed before others may have the event loop. */
const TOGETHER = 32;

async function betsOf(
  told: ToldPrices,
  now: number,
  forecast: Forecast | null,
  { bookmakers }: Pick<OperationContext, 'bookmakers'>,
): Promise<Bet[]> {
  const { sport, event } = told;
  const bets = new EventBets({ sport, closesAt: splitsCloseAt(event), weightOf: bookmakers.referenceWeight });
  for (const [index, one] of toldInOrder(told).entries()) {
    bets.take(one);
    if (index % TOGETHER === 0) await breathe();
  }
  return bets.bets(now, forecast);
}

/** From the start on, what sources have observed before it counts, whenever it came. */
function momentsOf(closesAt: number, now: number, asOf: AsOf | undefined): Moments {
  if (now < closesAt) return asOf ? [asOf] : [];
  const start: AsOf = { at: closesAt - 1, basis: 'observed' };
  return asOf?.basis === 'recorded' ? [asOf, start] : [start];
}
