import type { PageResponse } from '../../../api/http/endpoints/public-pages.ts';
import { SPORTS } from '../../../domain/catalogue/catalogue.ts';
import { formatDate } from '../../../domain/primitives/time.ts';
import { checkboxField, hiddenField, selectField, textField } from '../../layout/fields.ts';
import { type Html, html } from '../../layout/html.ts';
import type { SitePages } from '../../layout/navigation.ts';
import { CONTENT_POLICY, sitePage } from '../../layout/site-page.ts';
import { type OddsRow, SCREEN_MARKETS } from '../answers/odds-screen-answers.ts';
import { NO_EVENT_SINCE, NO_EVENT_UNTIL } from '../page/view-model/nearest-day-words.ts';
import { type RowOptions, rowHtml, type ScreenColumn } from '../page/view-model/odds-screen/row-html.ts';
import {
  MY_BOOKS,
  SCREEN_MARKET_NAMES,
  type ScreenView,
  viewPath,
} from '../page/view-model/odds-screen/screen-view.ts';
import { dayInWords } from '../page/view-model/times.ts';

/** What the browser loads beside every page's files; empty if the page was not built. */
export interface OddsPageFiles {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

export interface OddsPageData {
  /** With the books of the reader's own list, where the address asks for these. */
  readonly view: ScreenView;
  /** The reader has a list of books. */
  readonly hasMyBooks: boolean;
  /** The day on display and its neighbours with events. */
  readonly day: { readonly date: string; readonly previous: string | null; readonly next: string | null };
  /** Events with prices of the market, in the order of the board. */
  readonly rows: readonly OddsRow[];
  /** Events of the day and league without such prices, and those that are too many. */
  readonly withoutPrices: number;
  readonly leftOut: number;
  readonly hasEvents: boolean;
  /** All bookmakers with prices of the market on that day. */
  readonly bookmakers: readonly ScreenColumn[];
  readonly nameOf: (slug: string) => string;
  /** Milliseconds. */
  readonly now: number;
}

/** The server does not know the viewer's zone. */
export const SERVER_TIMES = { locale: 'en-GB', zone: 'UTC' } as const;

/** A page with what stands at this moment: nobody keeps it. */
export const ODDS_PAGE_HEADERS: readonly string[] = [
  ...['Content-Security-Policy', CONTENT_POLICY, 'X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer', 'Cache-Control', 'no-store', 'Cross-Origin-Resource-Policy', 'same-origin'],
];

/** The page at `/odds`. It works without scripts; they keep it up to date. */
export function oddsPage(data: OddsPageData, pages: SitePages, files: OddsPageFiles): PageResponse {
  const { view, day, rows } = data;
  const market = SCREEN_MARKET_NAMES[view.market];
  const { weekday, day: date } = dayInWords(day.date, data.now, 'en-GB');
  const body = sitePage({
    path: '/odds',
    title: `Odds: ${market}, ${weekday} ${date} · Ledgerline`,
    description: 'The prices of all bookmakers side by side: best prices, fair prices, hold, and how they moved.',
    pages,
    ...files,
    skip: 'Skip to the prices',
    className: 'screen',
    isSimulated: rows.some(({ simulated }) => simulated),
    content: html`<div class="screen-inside">
<div class="day"><h1 class="day-name">Odds <span class="day-date">${weekday} ${date}</span></h1>
<nav class="day-ways" aria-label="Days">${dayLink(data, day.previous, 'Previous day with events', 'M10 3 5 8l5 5')}${dayLink(data, day.next, 'Next day with events', 'M6 3l5 5-5 5')}</nav></div>
${anotherDay(data)}${data.hasEvents && filters(data)}
<div id="screen" data-date="${day.date}" data-market="${view.market}" data-league="${view.league ?? ''}" data-books="${view.books.join(',')}">
${screen(data, market)}</div>
</div>`,
  });
  return { status: 200, type: 'text/html; charset=utf-8', body, headers: ODDS_PAGE_HEADERS };
}

/** Says why another day than today stands here, to whoever has chosen none. */
function anotherDay({ view, day, hasEvents, now }: OddsPageData): Html | false {
  const today = formatDate(now);
  if (!hasEvents || view.date !== null || day.date === today) return false;
  return html`<p class="day-note">${day.date < today ? NO_EVENT_SINCE : NO_EVENT_UNTIL}</p>\n`;
}

function dayLink({ view, now }: OddsPageData, date: string | null, name: string, arrow: string): Html {
  const shape = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path class="arrow" d="${arrow}"/></svg>`;
  if (date === null) return html`<span class="day-link day-link-none">${shape}</span>`;
  const { weekday, day } = dayInWords(date, now, 'en-GB');
  return html`<a class="day-link" href="${viewPath({ ...view, date })}" title="${weekday} ${day}">${shape}<span class="hidden-text">${name}: ${weekday} ${day}</span></a>`;
}

function filters(data: OddsPageData): Html {
  const { view, bookmakers, day } = data;
  const tabs = SCREEN_MARKETS.map(
    (market) =>
      html`<a class="tab" href="${viewPath({ ...view, market })}"${market === view.market && html` aria-current="true"`}>${SCREEN_MARKET_NAMES[market]}</a>`,
  );
  const groups = SPORTS.map(({ name, leagues }) => ({
    label: name,
    options: leagues.map((league) => [league.slug, league.name] as const),
  }));
  return html`<nav class="tabs" aria-label="Markets">${tabs}</nav>
<form class="filters screen-filters" action="/odds" method="get">
${hiddenField('market', view.market)}
${view.isMine && hiddenField('books', MY_BOOKS)}
${selectField({ name: 'league', label: 'League', options: [['', 'All leagues']], groups, value: view.league ?? '' })}
${textField({ name: 'date', label: 'Day', type: 'date', value: view.date ?? day.date })}
<details class="screen-books"><summary>Books: ${view.isMine ? 'mine' : view.books.length === 0 ? 'all' : view.books.length}</summary>
<fieldset><legend>Show only <span class="screen-note">(none ticked: all)</span></legend>${bookmakers.map(
    ({ slug, name }) =>
      checkboxField({ name: 'books', value: slug, label: name, isChecked: !view.isMine && view.books.includes(slug) }),
  )}<p class="screen-note"><a href="/account/books">My books</a></p></fieldset></details>
${data.hasMyBooks && myBooksSwitch(view)}
<button class="action">Show</button>
</form>`;
}

/** Shows the books of the reader's own list alone, and all of them again. */
const myBooksSwitch = (view: ScreenView): Html =>
  html`<a class="action screen-mine" href="${viewPath({ ...view, books: [], isMine: !view.isMine })}"${view.isMine && html` aria-current="true"`}>Only my books${view.isMine && html`<span class="hidden-text">: on. Show all books</span>`}</a>`;

function screen(data: OddsPageData, market: string): Html {
  const { rows, view, hasEvents, withoutPrices, leftOut } = data;
  if (!hasEvents) {
    return html`<section class="notice"><h2>No events yet</h2><p>This server knows of no event. Prices appear here as soon as a feed reports some: see <a href="/docs/feed">feeds</a>.</p></section>`;
  }
  const count = (number: number, text: string) => `${number} ${number === 1 ? 'event' : 'events'} ${text}`;
  const others = [
    withoutPrices > 0 &&
      `${count(withoutPrices, `without prices of this market ${withoutPrices === 1 ? 'is' : 'are'} not shown.`)}`,
    leftOut > 0 && `${count(leftOut, 'more: choose a league.')}`,
  ].filter((text) => text !== false);
  const note = others.length > 0 && html`<p class="screen-note">${others.join(' ')}</p>`;
  if (rows.length === 0) {
    return html`<section class="notice"><h2>No prices</h2><p>No bookmaker has prices of this market (${market}) here on this day. Choose another market, league or day.</p></section>${note}`;
  }
  const columns = columnsOf(data);
  const options: RowOptions = {
    market: view.market,
    columns,
    chosen: view.books.length > 0 ? new Set(view.books) : null,
    now: data.now,
    format: 'american',
    times: SERVER_TIMES,
  };
  return html`<div class="screen-scroll" tabindex="0" role="group" aria-label="${market} at all bookmakers, table"><table role="table" class="screen-table screen-${view.market.endsWith('spread') || view.market.endsWith('total') ? 'lined' : 'unlined'}">
<thead role="rowgroup"><tr role="row" class="screen-head"><th scope="col" role="columnheader" class="screen-event">Event</th><th scope="col" role="columnheader" class="screen-best">Best</th><th scope="col" role="columnheader" class="screen-fair">Fair</th><th scope="col" role="columnheader" class="screen-hold">Hold</th><th scope="col" role="columnheader" class="screen-moves">Moves</th>${columns.map(
    ({ slug, name }) => html`<th scope="col" role="columnheader" class="screen-book" data-book="${slug}">${name}</th>`,
  )}<th scope="col" role="columnheader" class="screen-more">More</th></tr></thead>
<tbody role="rowgroup">${rows.map((row) => rowHtml(row, options))}</tbody></table></div>
${note}${legend()}`;
}

/** The chosen bookmakers, or all with prices. */
function columnsOf({ view, bookmakers, nameOf }: OddsPageData): readonly ScreenColumn[] {
  if (view.books.length === 0) return bookmakers;
  const chosen = bookmakers.filter(({ slug }) => view.books.includes(slug));
  const missing = view.books.filter((slug) => !chosen.some((column) => column.slug === slug));
  return [...chosen, ...missing.map((slug) => ({ slug, name: nameOf(slug) }))];
}

const legend = (): Html => html`<dl class="screen-legend">
<div><dt><span class="offer offer-best">Best</span></dt><dd>the best price at the main line</dd></div>
<div><dt>Fair</dt><dd>the price without margin, of the reference bookmakers or else of at least three others</dd></div>
<div><dt>Hold</dt><dd>what a bookmaker with the best price of each side would keep; below zero, all sides together are sure to win</dd></div>
<div><dt>Moves</dt><dd>the first side since the open, at the first bookmaker</dd></div>
<div><dt><span class="age">4m</span></dt><dd>the age of a price; one older than 75 minutes, or far from all others, is grey and does not count</dd></div>
<div class="screen-utc"><dt>Times</dt><dd>are of UTC</dd></div>
</dl>`;
