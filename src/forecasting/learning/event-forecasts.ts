import type { ForecastsOverTime } from '../../intelligence/event-bets.ts';
import type { EventFacts, KnownFixture } from '../../intelligence/facts/event-facts.ts';
import { MIN_RESULTS } from '../../intelligence/facts/forecaster.ts';
import type { LeagueHistory } from '../../intelligence/facts/league-history.ts';
import type { ModelForecast } from '../../intelligence/forecasts/model-forecast.ts';
import type { Fixture, Model } from '../../intelligence/models/model.ts';
import type { PlayerRankings } from '../facts/player-rankings.ts';

interface EventForecastsParts {
  readonly story: EventFacts;
  readonly model: Model<unknown, unknown>;
  readonly history: LeagueHistory<unknown, unknown>;
  readonly rankings: PlayerRankings;
  /** Differs whenever the league's results or the event's facts differ. */
  readonly basis: string;
  /** Whether the history holds only a part of the league's results by now. */
  readonly isLearning: () => boolean;
}

/** The forecasts of the server's own model for one event, at any moment before its start. */
export class EventForecasts implements ForecastsOverTime {
  /** From the start on, forecasts do not change: milliseconds. */
  readonly closesAt: number;
  /** Two forecasts of the same event that were asked for as of the same moment are equal if their versions are. */
  readonly version: string;
  readonly #parts: EventForecastsParts;
  #newest: { readonly moment: number; readonly forecast: ModelForecast | null } | undefined;
  #isInterrupted = false;

  constructor(parts: EventForecastsParts) {
    this.closesAt = parts.story.closesAt;
    this.#parts = parts;
    this.version = `${parts.model.version} ${parts.basis}`;
  }

  /** For example `nfl-1.0`. */
  get modelVersion(): string {
    return this.#parts.model.version;
  }

  /**
   * Whether a forecast is missing since the league began to learn many results. What was computed from these forecasts
   * is then worth nothing: ask for the forecasts again.
   */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /**
   * The forecast from what was known before a moment (milliseconds), or before the start if that is earlier. Null while
   * a side is unknown, and while fewer than 100 results of the league are known.
   */
  before(moment: number): ModelForecast | null {
    if (this.#parts.isLearning()) {
      this.#isInterrupted = true;
      return null;
    }
    const time = Math.min(moment, this.closesAt);
    if (this.#newest?.moment !== time) this.#newest = { moment: time, forecast: this.#forecastAt(time) };
    return this.#newest.forecast;
  }

  /** The moments before the start at which the forecast's inputs changed, in order: milliseconds. */
  moments(): readonly number[] {
    const { story, history, rankings } = this.#parts;
    const known = story.fixtures.moments(Number.NEGATIVE_INFINITY, this.closesAt);
    const fixture = story.fixtures.before(this.closesAt);
    const first = known[0];
    if (!fixture || first === undefined) return [];
    const enoughAt = history.resultAt(MIN_RESULTS);
    const moments = [
      ...known,
      ...history.momentsOf(this.#withRanks(fixture, this.closesAt), first, this.closesAt),
      ...[fixture.home, fixture.away].flatMap((side) => rankings.momentsOf(side, first, this.closesAt)),
      ...(enoughAt !== undefined && enoughAt >= first && enoughAt < this.closesAt ? [enoughAt] : []),
    ];
    return [...new Set(moments)].sort((a, b) => a - b);
  }

  #forecastAt(moment: number): ModelForecast | null {
    const { story, model, history } = this.#parts;
    const known = story.fixtures.before(moment);
    if (!known || history.countResultsBefore(moment) < MIN_RESULTS) return null;
    const fixture = this.#withRanks(known, moment);
    const memory = history.memoryAt(moment, fixture);
    const resultsKnown = Math.min(model.gamesPlayed(memory.sides[0]), model.gamesPlayed(memory.sides[1]));
    return { forecast: model.forecast(memory, fixture), model, memory, fixture, resultsKnown };
  }

  #withRanks(known: KnownFixture, moment: number): Fixture {
    return { ...known, ranks: this.#parts.rankings.ofSides(known, moment) };
  }
}
