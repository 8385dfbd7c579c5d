import type { QuotedMarket } from '../prices/quotes.ts';
import { type BlendWeight, NO_BLENDED_GAMES } from './blend-weight.ts';
import type { EvaluatedMarket } from './evaluate-event.ts';
import type { EvaluatedForecast } from './forecast-measures.ts';
import {
  type Bin,
  calibrationBins,
  computeMeasures,
  type Measures,
  type PairedDifference,
  pairedDifference,
} from './forecast-measures.ts';
import {
  computeSelectionMeasures,
  meetsPublicationRule,
  type Selection,
  type SelectionMeasures,
} from './publication-rule.ts';

/**
 * A market of the first half, the first five innings or the first set, whichever the sport has. The names are those of
 * `period-odds`.
 */
export type ScopeMarket = `first_half_${QuotedMarket}`;

/** The evaluation of one market's forecasts. The members and their order are those of the command's output line. */
export interface RecordLine extends Measures {
  readonly sport: string;
  readonly market: QuotedMarket | ScopeMarket;
  readonly model_version: string;
  /** Dates (UTC) of the first and the last evaluated game; null if there is none. */
  readonly from: string | null;
  readonly to: string | null;
  /** The measures of the closing fair probabilities, on the games that have them. */
  readonly close: Measures;
  /** The forecasts' log loss minus that of the close. */
  readonly paired: PairedDifference;
  /** The measures of the blends of both on the same games, each with the weight that was known before its start. */
  readonly blend: Measures;
  /** The blends' log loss minus that of the close. */
  readonly blend_paired: PairedDifference;
  /** The weight after the last game. */
  readonly blend_weight: BlendRecord;
  readonly selections: SelectionMeasures;
  readonly published: boolean;
}

/**
 * The evaluation of the forecasts for one season of a league. The members and their order are those of the track
 * record.
 */
export interface SeasonRow extends Measures {
  readonly league: string;
  /** The year of the season. */
  readonly season: number;
  readonly model_version: string;
  /** The measures of the closing fair probabilities, on the games that have them; null if none has. */
  readonly close: Measures | null;
  readonly calibration: readonly Bin[];
  /** The measures of the blends of both on the same games, each with the weight that was known before its start. */
  readonly blend: Measures | null;
}

/** What a market's games say about the weight of its blends. */
export interface BlendRecord {
  readonly weight: number;
  /** Null without a game. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly n: number;
}

export const blendRecord = ({ weight, low, high, n }: BlendWeight): BlendRecord => ({
  weight,
  interval: n === 0 ? null : [low, high],
  n,
});

/** Collects the evaluated games of one market. */
export class MarketRecord {
  readonly #forecasts: EvaluatedForecast[] = [];
  readonly #priced: {
    readonly forecast: EvaluatedForecast;
    readonly close: EvaluatedForecast;
    readonly blend: EvaluatedForecast;
  }[] = [];
  readonly #selections: Selection[] = [];
  #from: string | null = null;
  #to: string | null = null;

  /**
   * @param date YYYY-MM-DD of the game's start, in UTC
   * @param blended the blend of forecast and close; null: the market has none, and the close stands for it
   */
  add(
    date: string,
    { probabilities, close, outcome }: EvaluatedMarket,
    blended: readonly number[] | null = null,
  ): void {
    const forecast = { probabilities, outcome };
    this.#forecasts.push(forecast);
    if (close !== null) {
      const blend = { probabilities: blended ?? close, outcome };
      this.#priced.push({ forecast, close: { probabilities: close, outcome }, blend });
    }
    if (this.#from === null || date < this.#from) this.#from = date;
    if (this.#to === null || date > this.#to) this.#to = date;
  }

  select(selection: Selection): void {
    this.#selections.push(selection);
  }

  line(
    sport: string,
    market: RecordLine['market'],
    model_version: string,
    weight: BlendWeight = NO_BLENDED_GAMES,
  ): RecordLine {
    const closes = this.#priced.map(({ close }) => close);
    const blends = this.#priced.map(({ blend }) => blend);
    const selections = computeSelectionMeasures(this.#selections);
    return {
      sport,
      market,
      model_version,
      from: this.#from,
      to: this.#to,
      ...computeMeasures(this.#forecasts),
      close: computeMeasures(closes),
      paired: pairedDifference(
        this.#priced.map(({ forecast }) => forecast),
        closes,
      ),
      blend: computeMeasures(blends),
      blend_paired: pairedDifference(blends, closes),
      blend_weight: blendRecord(weight),
      selections,
      published: meetsPublicationRule(selections),
    };
  }

  row(league: string, season: number, model_version: string): SeasonRow {
    const closes = this.#priced.map(({ close }) => close);
    return {
      league,
      season,
      model_version,
      ...computeMeasures(this.#forecasts),
      close: closes.length === 0 ? null : computeMeasures(closes),
      calibration: calibrationBins(this.#forecasts),
      blend: closes.length === 0 ? null : computeMeasures(this.#priced.map(({ blend }) => blend)),
    };
  }
}
