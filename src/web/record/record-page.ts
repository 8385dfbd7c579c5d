import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { findLeague, SPORTS, type Sport } from '../../domain/catalogue/catalogue.ts';
import { SIMULATED_SENTENCE } from '../../domain/primitives/simulated.ts';
import type { Bin } from '../../intelligence/evaluation/forecast-measures.ts';
import { MIN_GAMES } from '../../intelligence/evaluation/forecast-measures.ts';
import type { SeasonRow } from '../../intelligence/evaluation/market-record.ts';
import type { QuotedMarket } from '../../intelligence/prices/quotes.ts';
import { dataTable, type Html, html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import { BASE_ASSETS, styleAsset } from '../layout/page-assets.ts';
import { PUBLIC_PAGE_HEADERS, sitePage } from '../layout/site-page.ts';
import { calibrationPlot, percent } from './calibration-plot.ts';
import { RECORD_STYLE } from './record-style.ts';
import { seasonPlot } from './season-plot.ts';
import { lossesBySeason, poolBins } from './season-statistics.ts';

/** What the page loads beside the documentation's style. */
export const RECORD_STYLE_ASSET = styleAsset('/record/assets/record', RECORD_STYLE);

export interface RecordPageView {
  readonly sport: Sport;
  /** Undefined until the record is counted for the first time. */
  readonly markets: readonly { readonly market: QuotedMarket; readonly rows: readonly SeasonRow[] }[] | undefined;
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages | undefined;
  readonly isSimulated: boolean;
}

/** Seconds until a record that is being counted is worth another request. */
const RETRY_AFTER_HEADER = ['Retry-After', '30'];

const MARKET_NAMES: Readonly<Record<QuotedMarket, string>> = {
  h2h: 'Moneyline',
  spreads: 'Spread',
  totals: 'Total',
};

/** A sport with one league has the name of the league, since two sports are football. */
const nameOf = ({ leagues, name }: Sport): string => (leagues.length === 1 ? leagues[0]!.abbreviation : name);

/** The record of one sport. It needs no script. */
export function recordPage({ sport, markets, pages, isSimulated }: RecordPageView): PageResponse {
  const played = markets?.filter(({ rows }) => rows.length > 0);
  const body = sitePage({
    path: '/record',
    title: `The forecasts’ record: ${nameOf(sport)} · Ledgerline`,
    description: 'What this server’s own forecasts were worth, beside the market’s closing prices.',
    pages,
    styles: [BASE_ASSETS.style.path, RECORD_STYLE_ASSET.path],
    skip: 'Skip to the record',
    className: 'record',
    content: html`${isSimulated && html`<p class="simulated">${SIMULATED_SENTENCE}</p>`}
<h1>The forecasts’ record</h1>
<p class="lead">What this server’s own forecasts, which see no price, were worth on past games, beside the market’s closing prices. Counted anew each midnight (UTC) from everything in the log.</p>
${sportList(sport)}
${played === undefined && html`<p role="status">The record is being counted for the first time. Look again in half a minute.</p>`}
${played?.length === 0 && html`<p>No settled game of ${nameOf(sport)} has a forecast here yet. A league has forecasts once 100 results of it are known.</p>`}
${played?.map(({ market, rows }) => marketSection(sport, market, rows))}
${played && played.length > 0 && explanation()}`,
  });
  const type = 'text/html; charset=utf-8';
  return markets
    ? { status: 200, type, body, headers: PUBLIC_PAGE_HEADERS }
    : { status: 503, type, body, headers: [...PUBLIC_PAGE_HEADERS, ...RETRY_AFTER_HEADER] };
}

const sportList = (shown: Sport): Html =>
  html`<nav aria-label="Sports"><ul class="sports">${SPORTS.map(
    (sport) =>
      html`<li><a href="/record?sport=${sport.slug}"${sport === shown && html` aria-current="page"`}>${nameOf(sport)}</a></li>`,
  )}</ul></nav>`;

function marketSection(sport: Sport, market: QuotedMarket, rows: readonly SeasonRow[]): Html {
  const name = `${nameOf(sport)}, ${MARKET_NAMES[market].toLowerCase()}`;
  const bins = poolBins(rows);
  const bySeason = seasonPlot(
    lossesBySeason(rows),
    `${name}: log loss of forecast and close by season, as in the table`,
  );
  return html`<section aria-labelledby="${market}">
<h2 id="${market}">${MARKET_NAMES[market]}</h2>
<div class="plots">
<figure>${calibrationPlot(bins, `${name}: how often came what was forecast, as in the list of calibration`)}
<figcaption>Calibration: on the dashed line what is forecast comes as often as forecast. A large dot stands for many games.</figcaption></figure>
${
  bySeason &&
  html`<figure>${bySeason}
<figcaption>Log loss by season, lower is better: ${legendKey('forecast', 'forecast')}, ${legendKey('close', 'the market’s close')}.</figcaption></figure>`
}
</div>
${seasonTable(name, rows)}
<details><summary>Calibration in numbers</summary>${binTable(name, bins)}</details>
</section>`;
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

const formatNumber = (value: number | null | undefined, digits: number): string => value?.toFixed(digits) ?? '–';

const explanation = (): Html => html`<h2>How it is counted</h2>
<p>Each game is forecast from what was known before its start, and judged by how it ended. Ties and pushes, retirements and cancelled games do not count. Of fewer than ${MIN_GAMES} games nothing is said. The close is the last fair probability of the reference bookmakers before the start, on those of the games that have one.</p>
<p>Log loss and Brier score are lower for better forecasts. Slope and intercept are 1 and 0 for calibrated ones. The command <code>backtest</code> counts the same from the log. Calibration is of the home side and of over; of a moneyline with draws it is of all three outcomes.</p>`;
