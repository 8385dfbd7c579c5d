import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { hasKnownSides } from '../../../domain/side-profiles.ts';
import { marketsCloseAt } from '../../../domain/sports-events/sports-event.ts';
import { sideIdsOf } from '../../../domain/statistics/counted-game.ts';
import { type Bet, EventBets, type QuotedMarketRow } from '../../../intelligence/event-bets.ts';
import { isForecastByMarket } from '../../../intelligence/forecasts/market-rows.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { Intelligence } from '../../../read-models/rendering/event-schemas.ts';
import type { ForecastWager } from '../../../read-models/rendering/forecast-wager-schema.ts';
import { renderMainWagers } from '../../../read-models/rendering/render-forecast-wagers.ts';
import { renderIntelligence } from '../../../read-models/rendering/render-intelligence.ts';
import { renderRationale } from '../../../read-models/rendering/render-rationale.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { type AsOfMoments, readKnownGames } from '../shared/known-games.ts';
import { readReportedPrices, sortReportedPrices } from '../shared/read-reported-prices.ts';
import { readPropForecasts } from './prop-forecasts.ts';

type Reader = Pick<OperationContext, 'store' | 'histories' | 'forecasts' | 'record' | 'bookmakers' | 'now'>;

/** The intelligence of an event, now or as of a moment. It does not depend on the caller. */
export async function readIntelligence(
  context: Reader,
  event: EventDocument,
  asOf: AsOf | undefined,
): Promise<Intelligence> {
  const { history, quoted, now, isLearning } = await readQuotedBets(context, event, asOf);
  const ids = sideIdsOf(event);
  const moments = momentsOf(marketsCloseAt(history?.event ?? event.event), now, asOf);
  const games = ids && (await readKnownGames(context, event, ids, moments));
  const bets = quoted?.bets ?? [];
  const wagers = await wagersOf(context, event, asOf, quoted);
  return renderIntelligence(event, { bets, wagers, rationale: renderRationale(event, ids, games, bets), isLearning });
}

interface EventWagers {
  readonly wagers: readonly ForecastWager[];
  /** Whether there are none because the league is being learned. */
  readonly isLearning: boolean;
}

/** The forecasts for an event's markets, or for its players, the most certain first. */
export async function readWagers(context: Reader, event: EventDocument): Promise<EventWagers> {
  if (!isForecastByMarket(event.sport))
    return { wagers: await wagersOf(context, event, undefined, undefined), isLearning: false };
  const { quoted, isLearning } = await readQuotedBets(context, event, undefined);
  return { wagers: await wagersOf(context, event, undefined, quoted), isLearning };
}

async function wagersOf(
  context: Reader,
  event: EventDocument,
  asOf: AsOf | undefined,
  quoted: QuotedBets | undefined,
): Promise<ForecastWager[]> {
  const now = asOf?.at ?? context.now();
  const reliability = context.record.reliabilityOf(event.sport, Math.min(now, marketsCloseAt(event.event)));
  if (!isForecastByMarket(event.sport)) return readPropForecasts(context, event, { asOf, reliability });
  return quoted ? renderMainWagers(event, { ...quoted, reliability }) : [];
}

/** Messages applied before yielding to the event loop. */
const YIELD_INTERVAL = 32;

interface QuotedBets {
  readonly rows: readonly QuotedMarketRow[];
  readonly bets: readonly Bet[];
}

/** The bets of an event; undefined while a side is unknown. While its league is learned, they have no forecasts. */
async function readQuotedBets(context: Reader, { id, sport }: EventDocument, asOf: AsOf | undefined) {
  const history = await readReportedPrices(context, id, asOf);
  const now = asOf?.at ?? context.now();
  if (!history || !hasKnownSides(history)) return { history, now, quoted: undefined, isLearning: false };
  for (;;) {
    const found = await context.forecasts.forecastsOf({ id, sport }, asOf);
    const forecasts = found === 'learning' ? null : found;
    const followed = new EventBets({
      sport,
      closesAt: marketsCloseAt(history.event),
      weightOf: context.bookmakers.sharpWeight,
      forecasts,
      publications: context.record.publicationsOf(sport),
    });
    for (const [index, one] of sortReportedPrices(history).entries()) {
      followed.apply(one);
      if (index % YIELD_INTERVAL === 0) await yieldToEventLoop();
    }
    const bets = followed.bets(now);
    const quoted: QuotedBets = { bets, rows: followed.rows(now) };
    if (!forecasts?.isInterrupted) return { history, now, quoted, isLearning: found === 'learning' };
  }
}

/** From the start on, all facts observed before the start count, whenever they arrived. */
function momentsOf(closesAt: number, now: number, asOf: AsOf | undefined): AsOfMoments {
  if (now < closesAt) return asOf ? [asOf] : [];
  const start: AsOf = { at: closesAt - 1, basis: 'observed' };
  return asOf?.basis === 'recorded' ? [asOf, start] : [start];
}
