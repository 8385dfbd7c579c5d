import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { readEvent } from '../../../api/operations/shared/read-documents.ts';
import { rolesOf } from '../../../domain/catalogue/sport-rules.ts';
import type { WatchedMarket } from '../../../domain/odds/bookmaker-prices.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { hasKnownSides } from '../../../domain/side-profiles.ts';
import { marketsCloseAt } from '../../../domain/sports-events/sports-event.ts';
import type { ForecastsOverTime } from '../../../intelligence/event-bets.ts';
import { outcomeForecasts } from '../../../intelligence/forecasts/model-forecast.ts';
import { ClosingLines, type SavedLines } from '../../../intelligence/prices/closing-lines.ts';
import type { FairLine } from '../../../intelligence/prices/fair-line.ts';
import type { PriceFold } from '../../../intelligence/prices/price-fold.ts';
import type { PriceUpdate } from '../../../intelligence/prices/quote-board.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { EventProbabilities, ProbabilityPoint } from '../answers/live-page-intelligence.ts';
import { addPoint, createSeries, type DownsampledSeries, seriesPoints } from './downsampled-series.ts';

/**
 * The win probability of an event's first side, by the market and by the server's own forecast, from the first known
 * value until the start. Late reports count at the time that they are about.
 * @throws ApiError not_found
 */
export async function readProbabilityHistory(context: OperationContext, id: number): Promise<EventProbabilities> {
  const event = await readEvent(context, id);
  const { sport } = event;
  const closesAt = marketsCloseAt(event.event);
  const until = formatTime(Math.min(context.now(), closesAt));
  const [outcome] = rolesOf(sport);
  if (!hasKnownSides(event)) return { event_id: id, outcome, until, fair: [], forecast: [] };
  const found = await context.forecasts.forecastsOf(event, undefined);
  const forecasts = found === 'learning' ? null : found;
  const weightsVersion = context.bookmakers.weightsVersion(sport, closesAt);
  const kind = {
    name: `probabilities ${closesAt} ${weightsVersion}`,
    stored: { name: `probabilities ${closesAt}`, version: `4 ${weightsVersion}` },
    begin: () => new ProbabilityFold(context, sport, closesAt),
    restore: (saved: SavedProbabilities) => new ProbabilityFold(context, sport, closesAt, saved),
  };
  return context.prices.read(id, undefined, kind, async (fold) => ({
    event_id: id,
    outcome,
    until,
    fair: fold.fair(),
    forecast: await fold.forecast(forecasts),
  }));
}

interface SavedProbabilities {
  readonly fair: DownsampledSeries;
  readonly prices: SavedLines;
}

type VersionedForecasts = ForecastsOverTime & { readonly version: string };

/** The probabilities by the market, and those of one version of the forecasts once they were asked for. */
class ProbabilityFold implements PriceFold {
  readonly #fair: DownsampledSeries;
  readonly #prices: ClosingLines;
  readonly #closesAt: number;
  #forecast: { readonly version: string | undefined; readonly points: readonly ProbabilityPoint[] } | undefined;

  /** @param saved a copy of what another fold saved; default: nothing is known */
  constructor(
    { bookmakers }: Pick<OperationContext, 'bookmakers'>,
    sport: string,
    closesAt: number,
    saved?: SavedProbabilities,
  ) {
    this.#closesAt = closesAt;
    this.#fair = saved?.fair ?? createSeries();
    const options = {
      closesAt,
      sport,
      weightOf: bookmakers.sharpWeight,
      onValued: (market: WatchedMarket, at: number, valued: FairLine) => {
        if (market === 'h2h' && valued.fair) addChange(this.#fair, at, valued.fair.probabilities[0]!);
      },
    };
    this.#prices = new ClosingLines(options, saved?.prices);
  }

  save(): SavedProbabilities {
    return { fair: this.#fair, prices: this.#prices.save() };
  }

  get newestMoment(): number {
    return this.#prices.newestMoment;
  }

  apply(update: PriceUpdate): void {
    this.#prices.apply(update);
  }

  fair(): ProbabilityPoint[] {
    // The prices at the last moment are evaluated only on request.
    this.#prices.lines(this.#closesAt);
    return pointsOf(this.#fair);
  }

  async forecast(forecasts: VersionedForecasts | null): Promise<readonly ProbabilityPoint[]> {
    const version = forecasts?.version;
    if (this.#forecast && this.#forecast.version === version) return this.#forecast.points;
    const series = createSeries();
    for (const moment of forecasts?.moments() ?? []) {
      const known = forecasts!.before(moment + 1);
      const first = known && outcomeForecasts(known, 'h2h', null)?.[0];
      if (first) addChange(series, moment, first.probability);
      await yieldToEventLoop();
    }
    if (forecasts?.isInterrupted) return [];
    this.#forecast = { version, points: pointsOf(series) };
    return this.#forecast.points;
  }
}

function addChange(line: DownsampledSeries, at: number, probability: number): void {
  if (line.last?.[1] !== probability) addPoint(line, at, probability, null);
}

const pointsOf = (line: DownsampledSeries): ProbabilityPoint[] =>
  seriesPoints(line).map(({ at, price }) => ({ at, probability: price }));
