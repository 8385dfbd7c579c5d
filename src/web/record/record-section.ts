import { findLeague, type Sport } from '../../domain/catalogue/catalogue.ts';
import type { Bin } from '../../intelligence/evaluation/forecast-measures.ts';
import { MIN_GAMES } from '../../intelligence/evaluation/forecast-measures.ts';
import type { SeasonRow } from '../../intelligence/evaluation/market-record.ts';
import type { MonthlySelections } from '../../intelligence/evaluation/publication-rule.ts';
import type { QuotedMarket } from '../../intelligence/prices/quotes.ts';
import { chartFigure, chartRow } from '../layout/charts.ts';
import { dataTable, type Html, html } from '../layout/html.ts';
import { emptyState } from '../layout/states.ts';
import { calibrationPlot, percent } from './calibration-plot.ts';
import { monthPlot, signedPercent } from './month-plot.ts';
import { seasonPlot } from './season-plot.ts';
import { lossesBySeason, poolBins } from './season-statistics.ts';

/** What the forecasts of one market were worth. */
export interface MarketWorth {
  readonly market: QuotedMarket;
  readonly rows: readonly SeasonRow[];
  readonly months: readonly MonthlySelections[];
}

export const MARKET_NAMES: Readonly<Record<QuotedMarket, string>> = {
  h2h: 'Moneyline',
  spreads: 'Spread',
  totals: 'Total',
};

/** A sport with one league has the name of the league, since two sports are football. */
export const nameOfSport = ({ leagues, name }: Sport): string =>
  leagues.length === 1 ? leagues[0]!.abbreviation : name;

/** The record of one sport. @param markets undefined until the record is counted for the first time */
export function recordSection(sport: Sport, markets: readonly MarketWorth[] | undefined): Html {
  const played = markets?.filter(({ rows }) => rows.length > 0);
  const name = nameOfSport(sport);
  return html`<section aria-labelledby="record">
<h2 id="record">The record</h2>
<p>What the ${name} forecasts were worth on past games, beside the market’s closing prices. Counted anew each midnight (UTC) from everything in the log. Each day is sealed once it is over, so that nobody can change it unnoticed: <a href="/record/seals/latest">the newest seal</a>, <a href="/docs/proof">how to check it</a>.</p>
<p>You need not take these numbers for what they are: say beforehand which of the coming selections will be judged, and by which gates, and the server judges them once. <a href="/docs/experiments">Experiments</a>.</p>
${played === undefined && html`<p role="status">The record is being counted for the first time. Look again in half a minute.</p>`}
${played?.length === 0 && emptyState(`No settled game of ${name} has a forecast here yet. A league has forecasts once 100 results of it are known.`)}
${played?.map((worth) => marketSection(sport, worth))}
${played && played.length > 0 && explanation()}
</section>`;
}

function marketSection(sport: Sport, { market, rows, months }: MarketWorth): Html {
  const name = `${nameOfSport(sport)}, ${MARKET_NAMES[market].toLowerCase()}`;
  const bins = poolBins(rows);
  const bySeason = seasonPlot(
    lossesBySeason(rows),
    `${name}: log loss of forecast and close by season, as in the table`,
  );
  const byMonth = monthPlot(months, `${name}: closing line value by month, as in the table`);
  return html`<section aria-labelledby="${market}">
<h3 id="${market}">${MARKET_NAMES[market]}</h3>
${verdict(rows)}
${chartRow(
  chartFigure(
    calibrationPlot(bins, `${name}: how often came what was forecast, as in the list of calibration`),
    'Calibration: on the dashed line what is forecast comes as often as forecast. A large dot stands for many games.',
  ),
  bySeason &&
    chartFigure(
      bySeason,
      html`Log loss by season, lower is better: ${legendKey('forecast', 'forecast')}, ${legendKey('close', 'the market’s close')}.`,
    ),
  byMonth &&
    chartFigure(
      byMonth,
      'Closing line value by month, with the range in which 95 of 100 such means lie: above the dashed line the market moved to the forecasts.',
    ),
)}
${!byMonth && html`<p class="facts">Closing line value is not known: it needs prices from before the close, of at least ${MIN_GAMES} selections in a month.</p>`}
${seasonTable(name, rows)}
${months.length > 0 && html`<details><summary>Closing line value in numbers</summary>${monthTable(name, months)}</details>`}
<details><summary>Calibration in numbers</summary>${binTable(name, bins)}</details>
</section>`;
}

/** Which of the two foresaw more, in a sentence; nothing until both are measured. */
function verdict(rows: readonly SeasonRow[]): Html | false {
  const seasons = lossesBySeason(rows).filter(({ forecast, close }) => forecast !== null && close !== null);
  if (seasons.length === 0) return false;
  const better = seasons.filter(({ forecast, close }) => forecast! < close!).length;
  const [who, count] =
    better * 2 > seasons.length ? ['this server’s forecast', better] : ['the market’s close', seasons.length - better];
  if (better * 2 === seasons.length) {
    return html`<p><b>Both did alike</b>: each had the lower log loss in ${better} of ${seasons.length} seasons.</p>`;
  }
  return html`<p><b>Better: ${who}</b>, with the lower log loss in ${count} of ${seasons.length} ${seasons.length === 1 ? 'season' : 'seasons'}.</p>`;
}

const legendKey = (series: 'forecast' | 'close', name: string): Html =>
  html`<span class="series"><svg class="key" viewBox="0 0 32 16" aria-hidden="true"><line class="${series}-line" x1="0" x2="32" y1="8" y2="8"/><circle class="${series}" cx="16" cy="8" r="5"/></svg> ${name}</span>`;

const table = (name: string, [first, ...numbers]: readonly [string, ...string[]], rows: readonly Html[]): Html =>
  dataTable(name, [first, ...numbers.map((heading) => [heading, 'number'] as const)], rows);

const numberCells = (values: readonly (string | number)[]): Html =>
  html`${values.map((value) => html`<td class="number">${value}</td>`)}`;

function seasonTable(name: string, rows: readonly SeasonRow[]): Html {
  const headings = [
    'Season',
    'Games',
    'Log loss',
    'Log loss, close',
    'Brier',
    'Brier, close',
    'Slope',
    'Intercept',
  ] as const;
  return table(
    `${name}, by season`,
    headings,
    rows.map(
      ({ league, season, n, log_loss, brier, slope, intercept, close }) =>
        html`<tr><th scope="row">${season} ${findLeague(league)?.abbreviation ?? league}</th>${numberCells([
          n.toLocaleString('en'),
          ...[
            formatNumber(log_loss, 4),
            formatNumber(close?.log_loss, 4),
            formatNumber(brier, 4),
            formatNumber(close?.brier, 4),
          ],
          ...[formatNumber(slope, 2), formatNumber(intercept, 2)],
        ])}</tr>`,
    ),
  );
}

const binTable = (name: string, bins: readonly Bin[]): Html =>
  table(
    `${name}, calibration`,
    ['Forecast', 'Mean', 'Came', 'Times'],
    bins.map(
      ({ from, to, n, predicted, observed }) =>
        html`<tr><th scope="row">${percent(from)} to ${percent(to)}</th>${numberCells([
          ...[percent(predicted), percent(observed), n.toLocaleString('en')],
        ])}</tr>`,
    ),
  );

const monthTable = (name: string, months: readonly MonthlySelections[]): Html =>
  table(
    `${name}, closing line value`,
    ['Month', 'Selections', 'Mean', 'Standard error'],
    months
      .toReversed()
      .map(
        ({ month, n, clv, clv_se }) =>
          html`<tr><th scope="row">${month}</th>${numberCells([
            n.toLocaleString('en'),
            clv === null ? '–' : signedPercent(clv),
            clv_se === null ? '–' : `${(100 * clv_se).toFixed(1)}%`,
          ])}</tr>`,
      ),
  );

/** What rounds to zero has no sign. */
const formatNumber = (value: number | null | undefined, digits: number): string =>
  value
    ?.toFixed(digits)
    .replace(/^-(?=0\.?0*$)/, '')
    .replace('-', '−') ?? '–';

const explanation = (): Html => html`<h3>How it is counted</h3>
<p>Each game is forecast from what was known before its start, and judged by how it ended. Ties and pushes, retirements and cancelled games do not count. Of fewer than ${MIN_GAMES} games nothing is said. The close is the last fair probability of the reference bookmakers before the start, on those of the games that have one.</p>
<p>Log loss and Brier score are lower for better forecasts. Slope and intercept are 1 and 0 for calibrated ones. The command <code>backtest</code> counts the same from the log. Calibration is of the home side and of over; of a moneyline with draws it is of all three outcomes.</p>
<p>A selection is the first moment at which a forecast is 3 points or more above the fair probability of an outcome. Its closing line value is the fair probability at the close, on the same line, divided by that of the selection, less one. A month is that in which the games were settled (UTC).</p>`;
