import { type Html, html } from '../../../../layout/html.ts';
import type { OddsRow, ScreenBook, ScreenMarket, ScreenOffer } from '../../../answers/odds-screen-answers.ts';
import { phaseOf } from '../event-phase.ts';
import { fairPrice, formatLine, formatPoint, formatPrice, type OddsFormat, OUTCOME_LETTERS } from '../odds-format.ts';
import { shortPeriod } from '../period-short.ts';
import { eventHash } from '../route.ts';
import { SPARKLINE_HEIGHT, SPARKLINE_WIDTH, sparklineOf } from '../sparkline.ts';
import { STATUS_WORDS } from '../status-words.ts';
import { inUtc, startTime } from '../times.ts';
import { ageText } from './age-text.ts';
import { type BestOffers, type BestOfOutcome, bestOffersOf } from './best-offers.ts';

export interface ScreenColumn {
  readonly slug: string;
  readonly name: string;
}

export interface RowOptions {
  readonly market: ScreenMarket;
  /** The bookmakers with a column, in order. */
  readonly columns: readonly ScreenColumn[];
  /** Slugs whose prices count as best; null for all. */
  readonly chosen: ReadonlySet<string> | null;
  /** Milliseconds. */
  readonly now: number;
  readonly format: OddsFormat;
  /** Default: the viewer's own. */
  readonly times?: { readonly locale: string; readonly zone: string };
}

export const rowId = (id: number): string => `event-${id}`;

/** One event of the odds screen. The server draws it first, and the browser again when something has changed. */
export function rowHtml(row: OddsRow, options: RowOptions): Html {
  const offers = bestOffersOf(row, options.chosen);
  const books = new Map(row.books.map((book) => [book.slug, book]));
  const shown = options.columns.filter(({ slug }) => books.has(slug)).length;
  return html`<tr role="row" id="${rowId(row.id)}" class="screen-row screen-${phaseOf(row.status)}">
${eventCell(row, options)}
<td role="cell" class="screen-best">${offers.best.map((best, index) => bestLine(row, index, best, options))}</td>
<td role="cell" class="screen-fair">${fairLines(row, options)}</td>
<td role="cell" class="screen-hold">${holdText(offers)}</td>
<td role="cell" class="screen-moves">${chart(row, options)}</td>
${options.columns.map((column) => bookCell(row, column, books.get(column.slug), offers, options))}
<td role="cell" class="screen-more"><label><input type="checkbox" class="screen-switch"> ${shown === 1 ? '1 book' : `${shown} books`}<span class="hidden-text"> of ${row.name}</span></label></td>
</tr>`;
}

function eventCell(row: OddsRow, options: RowOptions): Html {
  const { sides, outcomes, id } = row;
  return html`<th scope="row" role="rowheader" class="screen-event"><a class="screen-names" href="/${eventHash(id)}">${sides.map(
    ({ name, score }, index) =>
      html`<span class="screen-side">${index > 0 && html`<span class="hidden-text"> – </span>`}<span class="screen-name" title="${name}">${name}</span>${score !== null && html` <span class="screen-score">${score}</span>`}</span>`,
  )}</a>${outcomes.length > 2 && html`<span class="screen-side screen-draw">Draw</span>`}<span class="screen-when">${stage(row, options)} <span class="screen-league">${row.league_name}</span></span></th>`;
}

function stage({ status, period_label, clock, starts_at }: OddsRow, { times }: RowOptions): Html {
  if (status === 'inprogress') {
    const text = [period_label === null ? 'Live' : shortPeriod(period_label), clock].filter(Boolean).join(' ');
    return html`<span class="screen-running"><span class="live-dot" aria-hidden="true"></span> <span class="hidden-text">Live: </span>${text}</span>`;
  }
  const start = html`<time datetime="${starts_at}" title="${inUtc(starts_at)}">${startTime(starts_at, times)}</time>`;
  return status === 'scheduled' ? start : html`${STATUS_WORDS[status]} ${phaseOf(status) === 'over' ? null : start}`;
}

/** A point and a price. */
function offerText(
  outcome: string,
  { price, point }: ScreenOffer,
  { format, market }: Pick<RowOptions, 'format' | 'market'>,
): Html {
  const kind = market.endsWith('total') ? 'totals' : 'spreads';
  const letter = kind === 'totals' ? OUTCOME_LETTERS[outcome] : undefined;
  return html`${point !== null && html`<span class="point">${letter}${formatPoint(point, kind)}</span> `}<span class="price">${formatPrice(price, format)}</span>`;
}

const NONE = html`<span class="offer offer-none">–</span>`;

function bestLine({ outcomes }: OddsRow, index: number, best: BestOfOutcome | null, options: RowOptions): Html {
  if (!best) return NONE;
  const [first, ...others] = best.books;
  const names = best.books.map(({ name }) => name).join(', ');
  return html`<span class="offer">${offerText(outcomes[index]!, best, options)} <span class="screen-who" title="${names}">${first!.name}${others.length > 0 && html`<span class="screen-others"> +${others.length}</span>`}</span></span>`;
}

function fairLines({ fair, outcomes, points }: OddsRow, options: RowOptions): Html {
  if (!fair) return html`${outcomes.map(() => NONE)}`;
  return html`${fair.map(
    (probability, index) =>
      html`<span class="offer" title="${(100 * probability).toFixed(1)}%">${offerText(
        outcomes[index]!,
        // A certain outcome has no price.
        { price: fairPrice(Math.min(0.9999, Math.max(0.0001, probability))), point: points[index] ?? null },
        options,
      )}</span>`,
  )}`;
}

function holdText({ hold }: BestOffers): Html {
  if (hold === null) return NONE;
  const percent = (100 * hold).toFixed(1).replace('-', '\u2212');
  return hold < 0
    ? html`<span class="offer screen-arbitrage" title="An arbitrage: all sides together return more than is staked">${percent}%</span>`
    : html`<span class="offer">${percent}%</span>`;
}

/** The movement of the first outcome. */
function chart({ series, series_book, outcomes, sides }: OddsRow, { format, market }: RowOptions): Html {
  const drawn = sparklineOf(series);
  if (!drawn?.hasMoved) return html`<span class="screen-still">${series_book === null ? '' : 'not moved'}</span>`;
  const [first] = outcomes;
  const kind = market.endsWith('total') ? 'totals' : 'spreads';
  const [from, to] = [series[0]!, series.at(-1)!].map((each) => formatLine({ outcome: first!, ...each }, kind, format));
  const name = sides.find(({ role }) => role === first)?.name ?? 'Over';
  return html`<svg class="sparkline" viewBox="0 0 ${SPARKLINE_WIDTH} ${SPARKLINE_HEIGHT}" width="${SPARKLINE_WIDTH}" height="${SPARKLINE_HEIGHT}" role="img" aria-label="${name} at ${series_book}, from ${from} to ${to}"><path d="${drawn.path}"/><circle cx="${drawn.x}" cy="${drawn.y.toFixed(1)}" r="2"/></svg>`;
}

export const historyPath = (id: number, book: string, market: ScreenMarket): string =>
  `/odds/history?event=${id}&book=${encodeURIComponent(book)}&market=${market}`;

function bookCell(
  row: OddsRow,
  { slug, name }: ScreenColumn,
  book: ScreenBook | undefined,
  { best }: BestOffers,
  options: RowOptions,
): Html {
  if (!book)
    return html`<td role="cell" class="screen-book screen-book-none" data-book="${slug}"><span class="offer offer-none">–</span></td>`;
  const lines = book.offers.map((offer, index) => {
    if (!offer) return NONE;
    const isBest = best[index]?.books.includes(book) ?? false;
    const isElsewhere = offer.point !== (best[index]?.point ?? row.points[index] ?? null);
    const kind = isBest ? 'offer offer-best' : isElsewhere ? 'offer offer-elsewhere' : 'offer';
    return html`<span class="${kind}">${offerText(row.outcomes[index]!, offer, options)}${isBest && html`<span class="hidden-text"> best</span>`}</span>`;
  });
  return html`<td role="cell" class="screen-book${!book.counts && html` screen-old`}" data-book="${slug}"><a href="${historyPath(row.id, slug, options.market)}"><span class="screen-label">${name}</span> ${lines} <time class="age" datetime="${book.at}">${ageText(book.at, options.now)}</time></a></td>`;
}
