import type { getMarketQuality } from '../../api/operations/intelligence/get-market-quality.ts';
import { type League, SPORTS } from '../../domain/catalogue/catalogue.ts';
import { QUOTED_MARKETS } from '../../intelligence/prices/quotes.ts';
import { selectField } from '../layout/fields.ts';
import { dataTable, type Html, html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import { BASE_ASSETS } from '../layout/page-assets.ts';
import { sitePage } from '../layout/site-page.ts';
import { emptyState } from '../layout/states.ts';
import { MARKET_NAMES } from '../record/record-section.ts';
import { FORECASTS_STYLE_ASSET } from './forecasts-page.ts';

export const MARKET_QUALITY_PATH = '/forecasts/markets';

type Quality = Awaited<ReturnType<typeof getMarketQuality.run>>;
type Book = Quality['books'][number];

interface MarketQualityView {
  readonly league: League;
  readonly quality: Quality;
  readonly nameOf: (bookmaker: string) => string;
  /** What the header links to; default: all pages. */
  readonly pages?: SitePages | undefined;
  readonly isSimulated: boolean;
}

/** The spans that the page offers. */
const DAYS = [7, 30, 90];

/** How good each bookmaker's market is. It needs no script. */
export function marketQualityPage({ league, quality, nameOf, pages, isSimulated }: MarketQualityView): string {
  const { market, days, books } = quality;
  const shown = `${league.name}, ${MARKET_NAMES[market].toLowerCase()}, ${days} days`;
  return sitePage({
    path: MARKET_QUALITY_PATH,
    title: `How good a market is: ${league.name} · Ledgerline`,
    description: 'Which bookmaker has the best prices, which one moves first, and whose prices are old.',
    pages,
    styles: [BASE_ASSETS.style.path, FORECASTS_STYLE_ASSET.path],
    skip: 'Skip to the bookmakers',
    className: 'record',
    isSimulated,
    content: html`<h1>How good a market is</h1>
<p class="lead">Which bookmaker has the best prices, which one moves first, and whose prices are old, before the start of each game. <a href="/forecasts">Forecasts</a></p>
${choices(quality)}
<section class="forecasts" aria-labelledby="books">
<h2 id="books">${shown}</h2>
${books.length === 0 ? emptyState('No prices from before a start are known here. Try another league, market or span.') : tables(shown, books, nameOf)}
</section>`,
  });
}

function choices({ league, market, days }: Quality): Html {
  return html`<nav class="day-links" aria-label="Market"><form method="get" action="${MARKET_QUALITY_PATH}" class="filters">
${selectField({
  ...{ id: 'league', name: 'league', label: 'League', value: league },
  options: SPORTS.flatMap(({ leagues }) => leagues).map(({ slug, name }) => [slug, name] as const),
})}
${selectField({
  ...{ id: 'market', name: 'market', label: 'Market', value: market },
  options: QUOTED_MARKETS.map((one) => [one, MARKET_NAMES[one]] as const),
})}
${selectField({
  ...{ id: 'days', name: 'days', label: 'Days', value: String(days) },
  options: DAYS.map((one) => [String(one), String(one)] as const),
})}
<button type="submit">Show</button></form></nav>`;
}

const HEADINGS = [
  'Bookmaker',
  ...['Games', 'Best price', 'Hold', 'Age', 'Stale', 'Far outside', 'Lead', 'Edge half-life'].map(
    (text) => [text, 'number'] as const,
  ),
  ...['After an injury', 'After a lineup'].map((text) => [text, 'number'] as const),
];

function tables(name: string, books: readonly Book[], nameOf: (bookmaker: string) => string): Html {
  const sources = books.flatMap((book) => book.sources.map((one) => ({ ...one, book: nameOf(book.bookmaker) })));
  return html`${dataTable(
    name,
    HEADINGS,
    books.map((book) => bookRow(book, nameOf(book.bookmaker))),
  )}
<p class="facts">Lead: how long a book’s moves come before those of the others, with the interval of 95%; below 0 it follows. Stale: older than 75 minutes. Far outside: new prices far from every other. A dash: too little is known. <a href="/docs/market-quality">How each is computed</a></p>
${
  sources.length > 0 &&
  html`<h3>Sources of one book</h3>
${dataTable(
  'Sources of one book',
  ['Bookmaker', 'Source', 'Against', ['Comparisons', 'number'], ['Prices lower by', 'number']],
  sources.map(
    ({ book, source, against, n, mean_difference }) =>
      html`<tr><th scope="row">${book}</th><td>${source}</td><td>${against}</td><td class="number">${n}</td><td class="number">${share(-mean_difference, 2)}</td></tr>\n`,
  ),
)}`
}`;
}

function bookRow(book: Book, name: string): Html {
  const { lead, reaction } = book;
  const cells = [
    String(book.n),
    share(book.best_share),
    share(book.hold),
    span(book.age_seconds),
    share(book.stale_share),
    share(book.outlier_share, 2),
    lead.interval ? `${signed(lead.seconds!)} (${lead.interval.map(signed).join(' to ')})` : NONE,
    span(book.edge_half_life_seconds),
    span(reaction.injury.seconds),
    span(reaction.lineup.seconds),
  ];
  return html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td class="number">${cell}</td>`)}</tr>\n`;
}

const NONE = '–';

const share = (value: number | null, decimals = 1): string =>
  value === null ? NONE : `${(100 * value).toFixed(decimals)}%`;

/** Seconds in the greatest fitting unit. */
function span(seconds: number | null): string {
  if (seconds === null) return NONE;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

const signed = (seconds: number): string => `${seconds < 0 ? '−' : '+'}${span(Math.abs(seconds))}`;
