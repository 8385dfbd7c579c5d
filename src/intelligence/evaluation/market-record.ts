import type { QuotedMarket } from '../prices/quotes.ts';
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

/** Of the first half, the first five innings or the first set, whichever the sport has, as `period-odds` names them. */
export type ScopeMarket = `first_half_${QuotedMarket}`;

/** What one market's forecasts were worth. The members and their order are those of the command's line. */
export interface RecordLine extends Measures {
  readonly sport: string;
  readonly market: QuotedMarket | ScopeMarket;
  readonly model_version: string;
  /** Dates (UTC) of the first and of the last game that is judged; null where none is. */
  readonly from: string | null;
  readonly to: string | null;
  /** Of the closing fair probabilities, on those of the games that have one. */
  readonly close: Measures;
  /** The forecasts' log loss less that of the close. */
  readonly paired: PairedDifference;
  readonly selections: SelectionMeasures;
  readonly published: boolean;
}

/** What the forecasts of one season of a league were worth. The members and their order are those of the record. */
export interface SeasonRow extends Measures {
  readonly league: string;
  /** Its year. */
  readonly season: number;
  readonly model_version: string;
  /** Of the closing fair probabilities, on those of the games that have one; null where none has. */
  readonly close: Measures | null;
  readonly calibration: readonly Bin[];
}

/** Gathers the judged games of one market. */
export class MarketRecord {
  readonly #forecasts: EvaluatedForecast[] = [];
  readonly #priced: { readonly forecast: EvaluatedForecast; readonly close: EvaluatedForecast }[] = [];
  readonly #selections: Selection[] = [];
  #from: string | null = null;
  #to: string | null = null;

  /** @param date YYYY-MM-DD of its start, in UTC */
  add(date: string, { probabilities, close, outcome }: EvaluatedMarket): void {
    const forecast = { probabilities, outcome };
    this.#forecasts.push(forecast);
    if (close !== null) this.#priced.push({ forecast, close: { probabilities: close, outcome } });
    if (this.#from === null || date < this.#from) this.#from = date;
    if (this.#to === null || date > this.#to) this.#to = date;
  }

  select(selection: Selection): void {
    this.#selections.push(selection);
  }

  line(sport: string, market: RecordLine['market'], model_version: string): RecordLine {
    const closes = this.#priced.map(({ close }) => close);
    const selections = computeSelectionMeasures(this.#selections);
    return {
      ...{ sport, market, model_version, from: this.#from, to: this.#to },
      ...computeMeasures(this.#forecasts),
      close: computeMeasures(closes),
      paired: pairedDifference(
        this.#priced.map(({ forecast }) => forecast),
        closes,
      ),
      selections,
      published: meetsPublicationRule(selections),
    };
  }

  row(league: string, season: number, model_version: string): SeasonRow {
    const closes = this.#priced.map(({ close }) => close);
    return {
      ...{ league, season, model_version },
      ...computeMeasures(this.#forecasts),
      close: closes.length === 0 ? null : computeMeasures(closes),
      calibration: calibrationBins(this.#forecasts),
    };
  }
}
