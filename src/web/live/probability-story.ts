import type { OperationContext } from '../../api/calls/operation.ts';
import { readEvent } from '../../api/operations/reading.ts';
import { readToldPrices, toldInOrder } from '../../api/operations/told-prices.ts';
import { hasKnownSides } from '../../domain/side-names.ts';
import { isSoccer, rolesOf } from '../../domain/sides.ts';
import { splitsCloseAt } from '../../domain/sports-event.ts';
import { formatTime } from '../../domain/time.ts';
import { outcomeForecasts } from '../../intelligence/forecasts/model-forecast.ts';
import { ClosingLines } from '../../intelligence/prices/closing-lines.ts';
import { breathe } from '../../platform/time/breathe.ts';
import type { EventProbabilities, ProbabilityPoint } from './intelligence-answers.ts';
import { addPoint, noPoints, shownPoints, type ThinnedPoints } from './thinned-points.ts';

/** So many messages are followed before others may have the event loop. */
const TOGETHER = 32;

/**
 * How likely an event's first side was to win, by the market and by the server's own forecast, from the first moment at
 * which either was known until the start. What is told late counts in its place.
 * @throws ApiError not_found
 */
export async function readProbabilities(context: OperationContext, id: number): Promise<EventProbabilities> {
  const document = await readEvent(context, id);
  const told = await readToldPrices(context, id, undefined);
  const { sport } = document;
  const closesAt = splitsCloseAt(told?.event ?? document.event);
  const until = formatTime(Math.min(context.now(), closesAt));
  const [outcome] = rolesOf(sport);
  if (!hasKnownSides(told ?? document)) return { event_id: id, outcome, until, fair: [], forecast: [] };

  const fair = noPoints();
  const prices = new ClosingLines({
    ...{ closesAt, hasDraw: isSoccer(sport), weightOf: context.bookmakers.referenceWeight },
    onValued(market, at, valued) {
      if (market === 'h2h' && valued.fair) addChange(fair, at, valued.fair.probabilities[0]!);
    },
  });
  for (const [index, one] of (told ? toldInOrder(told) : []).entries()) {
    prices.take(one);
    if (index % TOGETHER === 0) await breathe();
  }
  // What was said at the last moment is looked at only when it is asked for.
  prices.lines(closesAt);

  const forecast = noPoints();
  const said = await context.forecasts.of(document, undefined);
  for (const moment of said?.moments() ?? []) {
    const known = said!.before(moment + 1);
    const first = known && outcomeForecasts(known, 'h2h', null)?.[0];
    if (first) addChange(forecast, moment, first.probability);
    await breathe();
  }
  return { event_id: id, outcome, until, fair: pointsOf(fair), forecast: pointsOf(forecast) };
}

function addChange(line: ThinnedPoints, at: number, probability: number): void {
  if (line.last?.[1] !== probability) addPoint(line, at, probability, null);
}

const pointsOf = (line: ThinnedPoints): ProbabilityPoint[] =>
  shownPoints(line).map(({ at, price }) => ({ at, probability: price }));
