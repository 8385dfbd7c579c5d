import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { readEvent } from '../../../api/operations/shared/read-documents.ts';
import { readReportedPrices, sortReportedPrices } from '../../../api/operations/shared/read-reported-prices.ts';
import { isSoccer, rolesOf } from '../../../domain/catalogue/sport-rules.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { hasKnownSides } from '../../../domain/side-profiles.ts';
import { marketsCloseAt } from '../../../domain/sports-events/sports-event.ts';
import { outcomeForecasts } from '../../../intelligence/forecasts/model-forecast.ts';
import { ClosingLines } from '../../../intelligence/prices/closing-lines.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { EventProbabilities, ProbabilityPoint } from '../answers/live-page-intelligence.ts';
import { addPoint, createSeries, type DownsampledSeries, seriesPoints } from './downsampled-series.ts';

/** Reported prices that are applied before the event loop gets a turn. */
const MESSAGES_PER_TURN = 32;

/**
 * The win probability of an event's first side, by the market and by the server's own forecast, from the first known
 * value until the start. Late reports count at the time that they are about.
 * @throws ApiError not_found
 */
export async function readProbabilityHistory(context: OperationContext, id: number): Promise<EventProbabilities> {
  const document = await readEvent(context, id);
  const reported = await readReportedPrices(context, id, undefined);
  const { sport } = document;
  const closesAt = marketsCloseAt(reported?.event ?? document.event);
  const until = formatTime(Math.min(context.now(), closesAt));
  const [outcome] = rolesOf(sport);
  if (!hasKnownSides(reported ?? document)) return { event_id: id, outcome, until, fair: [], forecast: [] };

  const fair = createSeries();
  const prices = new ClosingLines({
    closesAt,
    hasDraw: isSoccer(sport),
    weightOf: context.bookmakers.sharpWeight,
    onValued(market, at, valued) {
      if (market === 'h2h' && valued.fair) addChange(fair, at, valued.fair.probabilities[0]!);
    },
  });
  for (const [index, one] of (reported ? sortReportedPrices(reported) : []).entries()) {
    prices.apply(one);
    if (index % MESSAGES_PER_TURN === 0) await yieldToEventLoop();
  }
  // The prices at the last moment are evaluated only on request.
  prices.lines(closesAt);

  const forecast = createSeries();
  const found = await context.forecasts.forecastsOf(document, undefined);
  const known = found === 'learning' ? null : found;
  for (const moment of known?.moments() ?? []) {
    const latest = known!.before(moment + 1);
    const first = latest && outcomeForecasts(latest, 'h2h', null)?.[0];
    if (first) addChange(forecast, moment, first.probability);
    await yieldToEventLoop();
  }
  return {
    event_id: id,
    outcome,
    until,
    fair: pointsOf(fair),
    forecast: known?.isInterrupted ? [] : pointsOf(forecast),
  };
}

function addChange(line: DownsampledSeries, at: number, probability: number): void {
  if (line.last?.[1] !== probability) addPoint(line, at, probability, null);
}

const pointsOf = (line: DownsampledSeries): ProbabilityPoint[] =>
  seriesPoints(line).map(({ at, price }) => ({ at, probability: price }));
