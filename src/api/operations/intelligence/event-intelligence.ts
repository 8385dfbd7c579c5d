import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { hasKnownSides } from '../../../domain/side-profiles.ts';
import { marketsCloseAt } from '../../../domain/sports-events/sports-event.ts';
import { sideIdsOf } from '../../../domain/statistics/counted-game.ts';
import type { Bet, QuotedMarketRow } from '../../../intelligence/event-bets.ts';
import { isForecastByMarket } from '../../../intelligence/forecasts/market-rows.ts';
import type { ModelForecast } from '../../../intelligence/forecasts/model-forecast.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import type { Intelligence } from '../../../read-models/rendering/event-schemas.ts';
import type { ForecastWager } from '../../../read-models/rendering/forecast-wager-schema.ts';
import { renderMainWagers } from '../../../read-models/rendering/render-forecast-wagers.ts';
import { renderIntelligence } from '../../../read-models/rendering/render-intelligence.ts';
import { renderRationale } from '../../../read-models/rendering/render-rationale.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { type AsOfMoments, readKnownGames } from '../shared/known-games.ts';
import { betsFoldKind } from './bets-fold.ts';
import { readPropForecasts } from './prop-forecasts.ts';

export type IntelligenceReader = Pick<
  OperationContext,
  'store' | 'histories' | 'prices' | 'forecasts' | 'record' | 'bookmakers' | 'now'
>;

/** The intelligence of an event, now or as of a moment. It does not depend on the caller. */
export async function readIntelligence(
  context: IntelligenceReader,
  event: EventDocument,
  asOf: AsOf | undefined,
): Promise<Intelligence> {
  const now = asOf?.at ?? context.now();
  const { quoted, isLearning } = await readQuotedBets(context, event, asOf, now);
  const ids = sideIdsOf(event);
  const moments = momentsOf(marketsCloseAt(event.event), now, asOf);
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

/** The forecasts for an event's markets, or for its players, now or as of a moment, the most certain first. */
export async function readWagers(context: IntelligenceReader, event: EventDocument, asOf?: AsOf): Promise<EventWagers> {
  if (!isForecastByMarket(event.sport))
    return { wagers: await wagersOf(context, event, asOf, undefined), isLearning: false };
  const { quoted, isLearning } = await readQuotedBets(context, event, asOf, asOf?.at ?? context.now());
  return { wagers: await wagersOf(context, event, asOf, quoted), isLearning };
}

async function wagersOf(
  context: IntelligenceReader,
  event: EventDocument,
  asOf: AsOf | undefined,
  quoted: QuotedBets | undefined,
): Promise<ForecastWager[]> {
  const now = asOf?.at ?? context.now();
  const reliability = context.record.reliabilityOf(event.sport, Math.min(now, marketsCloseAt(event.event)));
  if (!isForecastByMarket(event.sport)) return readPropForecasts(context, event, { asOf, reliability });
  return quoted ? renderMainWagers(event, { ...quoted, reliability }) : [];
}

interface QuotedBets {
  readonly rows: readonly QuotedMarketRow[];
  readonly bets: readonly Bet[];
  /** What they rest on; null without a forecast. */
  readonly modelForecast: ModelForecast | null;
}

/**
 * The bets of an event at a moment (milliseconds); undefined while a side is unknown. While its league is learned, they
 * have no forecasts.
 */
export async function readQuotedBets(
  context: IntelligenceReader,
  event: EventDocument,
  asOf: AsOf | undefined,
  now: number,
): Promise<{ readonly quoted: QuotedBets | undefined; readonly isLearning: boolean }> {
  const { id, sport } = event;
  if (!hasKnownSides(event)) return { quoted: undefined, isLearning: false };
  const closesAt = marketsCloseAt(event.event);
  const publications = context.record.publicationsOf(sport);
  const blends = context.record.blendTurnsOf(sport);
  const weights = context.bookmakers.weightsFor(asOf);
  const { sharpWeight: weightOf } = weights;
  const weightsVersion = weights.weightsVersion(sport, closesAt);
  for (;;) {
    const found = await context.forecasts.forecastsOf({ id, sport }, asOf);
    const isLearning = found === 'learning';
    const forecasts = isLearning ? null : found;
    const kind = betsFoldKind({ sport, closesAt, weightOf, weightsVersion, forecasts, publications, blends });
    const quoted = await context.prices.read(id, asOf, kind, ({ bets }) => {
      const numbers = bets.bets(now);
      const modelForecast = forecasts?.before(Math.min(now, closesAt) + 1) ?? null;
      return { bets: numbers, rows: bets.rows(now), modelForecast };
    });
    if (!forecasts?.isInterrupted) return { quoted, isLearning };
  }
}

/** From the start on, all facts observed before the start count, whenever they arrived. */
function momentsOf(closesAt: number, now: number, asOf: AsOf | undefined): AsOfMoments {
  if (now < closesAt) return asOf ? [asOf] : [];
  const start: AsOf = { at: closesAt - 1, basis: 'observed' };
  return asOf?.basis === 'recorded' ? [asOf, start] : [start];
}
